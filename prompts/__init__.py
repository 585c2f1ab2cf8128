"""The prompts, as importable data, so that a wheel carries them."""
