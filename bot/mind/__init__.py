"""Why it said that, and why it kept silent: what code can tell where the cause lies in what the model was told."""
