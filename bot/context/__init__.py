"""From a channel's state to a request: `gather` reads, `assemble` is pure, and nothing else builds one."""
