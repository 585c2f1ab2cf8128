"""From platforms to channels and back: intake and gates, queues, commands, and delivery."""
