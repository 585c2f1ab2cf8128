"""What the bot remembers: how it is written, found, and how it fades."""
