"""A chat bot whose mind can be opened while it runs."""

__version__ = "0.1.0"
