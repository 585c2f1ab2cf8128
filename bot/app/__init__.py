"""The composition root: builds a bot from its parts, starts it and stops it; the only package that knows every part."""
