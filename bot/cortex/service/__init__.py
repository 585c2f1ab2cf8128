"""What messages and presses reach: the cortex itself, and which answer a command gets."""
