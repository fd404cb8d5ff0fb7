"""What the operator does and sees: players, matches, queues, figures, personal data."""
