"""What a bot holds, takes in and acknowledges when there is much of everything, and what it does when nothing is."""
