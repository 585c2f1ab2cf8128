"""From platforms to channels and back: gates, queues, commands, the way out."""
