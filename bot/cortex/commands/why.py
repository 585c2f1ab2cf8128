"""Diagnose, by rules alone, a channel or one message of it."""

from __future__ import annotations

from bot.cortex.commands.command import Command, Question
from bot.cortex.commands.forms import place_or_record

WHY = Command(
    "`why [#name]` why the newest unanswered message got no answer",
    Question("why", place_or_record, unheard=""),
    often=True,
)
