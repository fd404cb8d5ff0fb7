"""The think stage: robots think in processes of their own, at low priority, beside the server.

Modules: `stage` (claims thoughts and carries out what was found), `workers` (the processes, as the
stage sees them), `worker` (what runs in one).
"""
