"""What is looked after beside the rows."""
