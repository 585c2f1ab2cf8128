"""What the bot did: turns, requests, calls, processes, what it posted."""
