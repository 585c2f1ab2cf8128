"""Connections, threads, statements and the schema."""
