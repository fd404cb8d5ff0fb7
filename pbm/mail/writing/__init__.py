"""Messages as mails: the words of each subject, and how a mail is put together."""
