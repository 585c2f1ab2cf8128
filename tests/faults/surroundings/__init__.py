"""What lies around a bot and is not as it should be: another bot on the same data, the clock, time zones, languages."""
