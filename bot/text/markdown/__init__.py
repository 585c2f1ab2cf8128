"""What an answer says, as a tree: read from the Markdown that models write, cut and written without losing a word."""
