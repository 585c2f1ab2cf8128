"""The proof in an admin's thread: offered with its price, run in the background, told in one message that edits itself."""
