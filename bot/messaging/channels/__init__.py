"""The channels that live: their queues, who works them off, and when."""
