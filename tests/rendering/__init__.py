"""Answers as models write them, and what each platform must get of them."""
