"""Parts of follow-up jobs that are not in pbm.features yet."""
