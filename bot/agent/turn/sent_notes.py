"""What tools sent to people comes back to the model: as a picture where it can see, as a note where it cannot."""

from __future__ import annotations

import base64
from typing import Any

from bot.context.transcript import sent_note
from bot.domain.messages import Image, Message
from bot.text.text import file_name
from bot.tools.runtime.effects import Effects, SentFile, SentRich

_PICTURES = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp"})
_LARGEST = 4_000_000
"""Bytes of a picture that is shown again; what is larger is only named."""


class SentNotes:
    """What a turn has sent so far, and how much of it was told already."""

    def __init__(self, effects: Effects) -> None:
        self._effects = effects
        self._told = 0

    def note(self, at: int) -> tuple[Message, ...]:
        """Return a message about what was not told yet; nothing where there is nothing."""
        sent = self._effects.sent
        fresh, self._told = sent[self._told :], len(sent)
        if not fresh:
            return ()
        pictures = tuple(_picture(one) for one in fresh if _is_shown(one))
        return (sent_note([_described(one) for one in fresh], pictures, at),)


def _is_shown(one: SentFile | SentRich) -> bool:
    return isinstance(one, SentFile) and one.mimetype in _PICTURES and 0 < len(one.data) <= _LARGEST


def _picture(one: SentFile | SentRich) -> Image:
    assert isinstance(one, SentFile)
    data = base64.b64encode(one.data).decode()
    return Image(name=file_name(one.filename), mimetype=one.mimetype, data=data)


def _described(one: SentFile | SentRich) -> dict[str, Any]:
    named = {"message_id": one.message_id} if one.message_id else {}
    if isinstance(one, SentRich):
        return {"rich_message": one.text, **named}
    link = {"url": one.file_url} if one.file_url else {}
    name = {"file": file_name(one.filename), "type": one.mimetype, "bytes": len(one.data)}
    return {**name, "seen": "above" if _is_shown(one) else "not shown", **link, **named}
