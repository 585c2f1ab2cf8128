"""Diagnose, by rules alone, a channel or one message of it."""

from __future__ import annotations

from bot.cortex.commands.command_arguments import place_or_record
from bot.cortex.commands.cortex_command import CortexCommand, DiagnosisCommand

WHY = CortexCommand(
    "commands.why",
    DiagnosisCommand("why", place_or_record, unheard=""),
    often=True,
)
