"""What Discord tells: shards and their connections, the order of events, and what was missed."""
