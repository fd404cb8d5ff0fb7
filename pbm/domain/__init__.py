"""The pure heart of the server: players, matches, outcomes, commands, refusals, mails as values."""
