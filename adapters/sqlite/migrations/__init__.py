"""Numbered SQL files; each is one step of the schema and is never edited after a release."""
