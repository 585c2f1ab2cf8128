"""Two contexts beside each other: what changed, and why."""
