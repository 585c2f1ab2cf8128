"""What can be changed with a button: offered, confirmed, done, undone."""
