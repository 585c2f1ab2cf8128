"""Servers that speak the real protocols on loopback sockets, for tests of the real clients."""
