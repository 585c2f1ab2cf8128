"""One package or file per library: each implements one port and exposes `create`."""
