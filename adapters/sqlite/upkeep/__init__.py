"""What keeps a database well: checks, copies, restoring, its size."""
