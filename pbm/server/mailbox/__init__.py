"""A mailbox at a provider, from which mails are fetched by IMAP instead of being brought by SMTP.

No MX, DNS or port 25 is needed.
"""
