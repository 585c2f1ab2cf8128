"""The proof in an admin's thread: offered with its price, run in the background, shown in a message that is edited."""
