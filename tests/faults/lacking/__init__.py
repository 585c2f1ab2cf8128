"""A bot that lacks something that it can do without."""
