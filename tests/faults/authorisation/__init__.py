"""Who may look where, and what counts as somebody's own words: every cell of the tables."""
