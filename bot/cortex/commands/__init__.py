"""What was typed behind `!cortex`, read into values."""
