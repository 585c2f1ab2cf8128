"""What an inspection is to look at: a known focus in a sentence, or the admin's own words."""

from __future__ import annotations

from bot.text.text import quote_line

FOCUSES = {
    "memory_influence": "which memories stand in the prompt, and how they change what the bot does",
    "compaction_state": "how full the context is, what was dropped or summarised, and what was lost by it",
    "tool_availability": "which tools the model has, which it lacks, and whether it used them well",
    "recent_history": "what was said and answered lately, and what the model made of it",
    "silence": "why the bot does not answer: what in the prompt or the history tells it to be silent",
}
USUAL_QUESTION = "Why does the bot behave like this here, and what in its context causes it?"


def focus_line(focus: str) -> str:
    """Return the sentence of a focus; free text stays what it is, on one line."""
    return FOCUSES.get(focus, quote_line(focus, 300))
