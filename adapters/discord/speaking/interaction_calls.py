"""The calls by which an interaction is answered; they carry its secret instead of the bot's token."""

from __future__ import annotations

from typing import Any

from adapters.discord.base.interaction_windows import Session
from adapters.discord.rest.client import Rest
from adapters.discord.speaking.sending import Content, uploads

ORIGINAL = "@original"
"""Names the first message that was shown for an interaction."""
FOR_ONE_PERSON = 1 << 6

_CALLBACK = "/interactions/{webhook_id}/{webhook_token}/callback"
_FOLLOW_UP = "/webhooks/{webhook_id}/{webhook_token}"
_SHOWN = _FOLLOW_UP + "/messages/{message_id}"


class Hooks:
    """Each of these raises one of `rest.Failure`."""

    def __init__(self, rest: Rest) -> None:
        self._rest = rest

    async def call_back(self, session: Session, form: dict[str, Any]) -> None:
        """Answer for the first time."""
        await self._rest.call("POST", _CALLBACK, json=form, webhook_id=session.number, webhook_token=session.token)

    async def change(
        self, session: Session, message: int | str, form: dict[str, Any], content: Content | None = None
    ) -> Any:
        """Change a message that was shown for an interaction."""
        files, named = uploads(content)
        # whom a message is for is settled when it is made; naming it again is not allowed
        changes = {**form, **named, "flags": form["flags"] & ~FOR_ONE_PERSON}
        return await self._rest.call(
            "PATCH",
            _SHOWN,
            json=changes,
            files=files,
            webhook_id=session.application,
            webhook_token=session.token,
            message_id=message,
        )

    async def remove(self, session: Session, message: int | str) -> None:
        """Delete a message that was shown for an interaction."""
        await self._rest.call(
            "DELETE", _SHOWN, webhook_id=session.application, webhook_token=session.token, message_id=message
        )

    async def follow_up(self, session: Session, form: dict[str, Any], content: Content | None = None) -> Any:
        """Show another message; the platform recognises no repetition of it."""
        files, named = uploads(content)
        return await self._rest.call(
            "POST",
            _FOLLOW_UP,
            json={**form, **named},
            params={"wait": "true"},
            files=files,
            webhook_id=session.application,
            webhook_token=session.token,
        )
