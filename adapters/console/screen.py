"""Show chat on a terminal: who, where, and DM threads apart."""

from __future__ import annotations

from bot.domain.messages import Button, File
from bot.domain.times import plain_times

_CONTROL = {c: f"⟨U+{c:04X}⟩" for c in range(32) if c not in (9, 10)} | {127: "⟨U+007F⟩"}


def spoken(place: str, name: str, text: str) -> str:
    """Lay out what a person said."""
    return _lay(f"[{place}] {name}> ", text)


def answered(place: str, bot: str, text: str, mark: str = "") -> str:
    """Lay out what the bot said."""
    return _lay(f"[{place}] {bot}< ", plain_times(text)) + mark


def buttons(first: int, offered: tuple[Button, ...]) -> str:
    """Number the buttons, as they are pressed with /press."""
    return "  " + "  ".join(f"[{first + n} {button.label}]" for n, button in enumerate(offered))


def attached(file: File) -> str:
    """Say where a file lies."""
    return f"  (file {file.name}: {file.path})"


def _lay(head: str, text: str) -> str:
    # a terminal obeys control characters: other people's text may not move the cursor or set the title
    safe = text.translate(_CONTROL)
    lines = safe.split("\n")
    if len(lines) == 1:
        return head + safe
    return head.rstrip() + "".join(f"\n  {line}".rstrip(" ") for line in lines)
