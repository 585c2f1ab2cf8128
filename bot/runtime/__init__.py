"""What a long-running process needs and no chat knows of: tasks, timers, files, logs, memory."""
