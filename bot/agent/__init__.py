"""Who speaks with a model: one loop for every process, and the one place that retries."""
