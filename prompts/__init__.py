"""The prompts, as importable data, so that a wheel carries them."""

from pathlib import Path

FOLDER = Path(__path__[0])
"""Where they lie. Not found by importlib.resources: it takes longer to import than a command has to say its help."""
