"""What people may tell the bot beside talking to it."""
