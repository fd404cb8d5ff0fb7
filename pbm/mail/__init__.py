"""Mail as bytes: what comes in is read here, what goes out is put together here."""
