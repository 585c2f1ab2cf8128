"""Named places at which a process is killed, the everyday things that lead past them, and what must come of it."""
