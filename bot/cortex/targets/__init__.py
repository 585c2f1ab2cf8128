"""Which channel or record is meant, and whether the asker may look at it."""
