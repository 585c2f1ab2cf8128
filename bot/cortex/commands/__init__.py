"""One `!cortex` command a file: how it is typed, its title, its help and its handler; and the table of them."""
