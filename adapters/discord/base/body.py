"""Write the body of a message; all that people read on Discord is written here, so that nothing calls anybody."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from adapters.discord.base.markup import cut_to_units, discord_markdown
from bot.domain.messages import Button

NO_MENTIONS: Mapping[str, Any] = {"parse": [], "replied_user": False}
"""Without it Discord notifies whomever a text names."""
_NO_PREVIEW, _FOR_ONE_PERSON = 1 << 2, 1 << 6
_MAX_ROW_BUTTONS, _MAX_ROWS = 5, 5
_MAX_LABEL_CHARS = 80
_ROW, _BUTTON, _GREY = 1, 2, 2


def message_body(text: str, buttons: Sequence[Button] = (), *, ephemeral: bool = False) -> dict[str, Any]:
    """Write a message without a preview of its links; `ephemeral`: seen by one person alone."""
    return {
        "content": discord_markdown(text),
        "allowed_mentions": dict(NO_MENTIONS),
        "flags": _NO_PREVIEW | (_FOR_ONE_PERSON if ephemeral else 0),
        "components": button_rows(buttons),
    }


def button_rows(buttons: Sequence[Button]) -> list[dict[str, Any]]:
    """Lay buttons out in rows of five; two that do the same are one, as the platform wants it."""
    known = {button.data: button for button in reversed(buttons)}
    found = [_button_form(button) for button in buttons if known[button.data] is button]
    shown = found[: _MAX_ROW_BUTTONS * _MAX_ROWS]
    return [
        {"type": _ROW, "components": shown[at : at + _MAX_ROW_BUTTONS]} for at in range(0, len(shown), _MAX_ROW_BUTTONS)
    ]


def _button_form(button: Button) -> dict[str, Any]:
    label = cut_to_units(button.label.strip(), _MAX_LABEL_CHARS) or "…"
    return {"type": _BUTTON, "style": _GREY, "label": label, "custom_id": button.data}
