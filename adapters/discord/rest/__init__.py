"""Calls to Discord: the client, its limits, its errors."""
