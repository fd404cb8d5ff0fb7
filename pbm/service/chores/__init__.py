"""Scheduled jobs that are not in pbm.features yet."""
