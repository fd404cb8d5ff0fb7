"""Mails as bytes: who wrote them, and what they wrote."""
