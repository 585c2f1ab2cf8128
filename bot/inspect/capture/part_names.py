"""What can be read of a captured context, by the names that a model is told when the bot starts."""

from __future__ import annotations

PARTS = (
    "outline",
    "section:<name>",
    "tools",
    "tool:<name>",
    "history:<from>-<to>",
    "status",
    "stats",
    "journal",
    "ledger",
    "search:<text>",
    "dump",
    "gap:<turn>",
)
