"""Texts that are reviewed by reading their diff: `pytest --snapshot-update` writes them anew."""
