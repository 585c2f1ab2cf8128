"""A context as it was or would be sent, and what a reader may see of it."""
