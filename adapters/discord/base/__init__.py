"""What everything on Discord is made of: ids and places, authors, texts as Discord draws them, state of a session."""
