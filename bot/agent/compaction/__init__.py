"""Shortening a conversation: when, what, and by which model's summary."""
