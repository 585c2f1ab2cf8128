"""What runs tools: the registry, the executor, grants and limits."""
