"""What takes a mail, or the time, and runs what it asks for: above the features and the core."""
