"""Models that never stop, people who type without a pause: what a bot spends on them has an end."""
