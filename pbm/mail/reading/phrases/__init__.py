"""What mail clients and gateways write around a text, by subject; tables only.

All phrases are in lower case with straight apostrophes, and are compared with text made so. Most
are rows of languages or clients. What can be told by its shape alone needs no row.
"""
