"""Commands that are not in pbm.features yet."""
