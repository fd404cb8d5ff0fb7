"""The process of `pbm serve`: its stages, its listeners, the relay, and how all is put together."""
