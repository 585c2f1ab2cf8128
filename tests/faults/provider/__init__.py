"""What a model service can do wrong, at every moment at which a bot asks it for something."""
