"""Mail as bytes: what comes in is read (`reading`), what goes out is put together (`writing`)."""
