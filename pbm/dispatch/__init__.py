"""The entry to the features: it takes a mail, or the time, and runs the commands and jobs."""
