"""The acts of the operator, and what they see: queues, figures, personal data."""
