"""Trouble with the disk: power that fails, bits that flip, room that runs out, an upgrade that is cut off."""
