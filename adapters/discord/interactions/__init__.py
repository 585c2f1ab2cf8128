"""Slash commands, buttons and menus: what people press."""
