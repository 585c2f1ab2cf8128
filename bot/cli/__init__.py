"""The command line: run the bot, show the demo, look at a data directory."""
