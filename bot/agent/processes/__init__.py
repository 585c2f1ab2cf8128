"""What works beside a conversation: branches and workers, their records and their ends."""
