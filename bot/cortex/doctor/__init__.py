"""The checks that say whether the bot could work."""
