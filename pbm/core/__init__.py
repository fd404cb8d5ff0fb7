"""The use cases: the only layer that opens a unit of work."""
