"""What arrived, and what became of it."""
