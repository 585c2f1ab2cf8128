"""Write the body of a message; all that people read on Discord is written here, so that nothing calls anybody."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from adapters.discord.base.markup import cut, drawn
from bot.domain.messages import Button

NOBODY: Mapping[str, Any] = {"parse": [], "replied_user": False}
"""Without it Discord notifies whomever a text names."""
_NO_PREVIEW, _FOR_ONE_PERSON = 1 << 2, 1 << 6
_IN_A_ROW, _MOST_ROWS = 5, 5
_LONGEST_LABEL = 80
_ROW, _BUTTON, _GREY = 1, 2, 2


def body(text: str, buttons: Sequence[Button] = (), *, ephemeral: bool = False) -> dict[str, Any]:
    """Write a message without a preview of its links; `ephemeral`: seen by one person alone."""
    return {
        "content": drawn(text),
        "allowed_mentions": dict(NOBODY),
        "flags": _NO_PREVIEW | (_FOR_ONE_PERSON if ephemeral else 0),
        "components": rows(buttons),
    }


def rows(buttons: Sequence[Button]) -> list[dict[str, Any]]:
    """Lay buttons out in rows of five; two that do the same are one, as the platform wants it."""
    known = {button.data: button for button in reversed(buttons)}
    found = [_drawn(button) for button in buttons if known[button.data] is button]
    shown = found[: _IN_A_ROW * _MOST_ROWS]
    return [{"type": _ROW, "components": shown[at : at + _IN_A_ROW]} for at in range(0, len(shown), _IN_A_ROW)]


def _drawn(button: Button) -> dict[str, Any]:
    label = cut(button.label.strip(), _LONGEST_LABEL) or "…"
    return {"type": _BUTTON, "style": _GREY, "label": label, "custom_id": button.data}
