"""How full a context is, and what fills it."""
