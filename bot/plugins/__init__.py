"""Plugins: found by entry points, run where the configuration names them, and never the end of the bot."""
