"""What people decide about the bot: sessions, offers, fixes, invitations, opt-outs."""
