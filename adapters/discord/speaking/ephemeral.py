"""Answer interactions: in time first, then with what one person alone sees."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import structlog

from adapters.discord.base.body import body
from adapters.discord.base.interaction_windows import Session, Sessions, Stage
from adapters.discord.base.markup import MOST_UNITS, cut
from adapters.discord.base.targets import Target, number_of
from adapters.discord.rest import errors, refusals
from adapters.discord.rest.client import Failure, Lost, Rest
from adapters.discord.speaking.deps import Desk
from adapters.discord.speaking.sending import Content, read, receipt, said, uploads
from bot.domain.messages import OutgoingMessage, Preview, Receipt
from bot.errors import DeliveryError, name_of

log = structlog.get_logger(__name__)

_ANSWER, _PROMISE, _NOTHING, _CHOICES = 4, 5, 6, 8
_ATTEMPTS = 2

OnLate = Callable[[], None]
"""Hears of an interaction that could not be answered in time."""
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
        """Change what was shown."""
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
        """Take back what was shown."""
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


class Ephemeral:
    """Speaks to who began an interaction. Everything for one of them goes out in turn."""

    def __init__(self, desk: Desk, sessions: Sessions, on_late: OnLate) -> None:
        self._hooks = Hooks(desk.rest)
        self._sessions = sessions
        self._clock = desk.clock
        self._own = desk.own
        self._on_late = on_late

    async def defer(self, session: Session) -> bool:
        """Promise an answer that one person sees; return whether the platform took it."""
        async with session.lock:
            return await self._deferred(session)

    async def answer(self, session: Session, text: str) -> None:
        """Show a text, or nothing; what was promised is kept or taken back. Never raises but when cancelled."""
        async with session.lock:
            try:
                await self._answered(session, cut(text, MOST_UNITS))
            except Failure as error:
                # who waited too long for the platform's patience sees the effect, but no words
                log.info("discord_interaction_not_answered", code=errors.code_of(error))

    async def no_choices(self, session: Session) -> None:
        """Offer nothing while somebody types."""
        async with session.lock:
            await self._call_back(session, _CHOICES, {"choices": []}, Stage.ANSWERED)

    async def send(self, target: Target, message: OutgoingMessage) -> Receipt:
        """Show one chunk, or put it in the place of one that was shown; raise DeliveryError."""
        session = self._sessions.find(target.number, message.to.private_to)
        content = await read(message.file) if message.file else None
        form = body(message.text, message.buttons, ephemeral=True)
        with said(target, repeatable=bool(message.edits)):
            async with session.lock:
                known = session.receipts.get(message.nonce)
                if known is None:
                    known = await self._sent(session, form, content, message.edits)
                    session.receipts[message.nonce] = known
                return known

    async def preview(self, target: Target, preview: Preview) -> str:
        """Show an answer that is being written; return the message that shows it; raise DeliveryError."""
        session = self._sessions.find(target.number, preview.to.private_to)
        with said(target):
            async with session.lock:
                form = body(preview.text, ephemeral=True)
                return (await self._sent(session, form, None, preview.message_id)).message_id

    async def retract(self, target: Target, message_id: str) -> None:
        """Take back what was shown; raise DeliveryError. What is gone already is no error.

        Without a message it is the promise itself that is taken back.
        """
        session = self._sessions.find(target.number, None)
        if not message_id:
            await self.answer(session, "")
            return
        number = number_of(message_id)
        self._own.takes_back(number)
        try:
            with said(target, repeatable=True):
                await self._hooks.remove(session, number)
        except DeliveryError as error:
            if error.code != refusals.GONE:
                raise

    async def _sent(self, session: Session, form: dict[str, Any], content: Content | None, edits: str) -> Receipt:
        if session.stage is Stage.NEW:
            await self._deferred(session)
        if session.stage is Stage.LATE:
            raise DeliveryError("the interaction was answered too late", code="dm_closed", permanent=True)
        if edits:
            await self._hooks.change(session, number_of(edits), form, content)
            return Receipt(message_id=edits, at=self._clock.now())
        found = await self._placed(session, form, content)
        if not isinstance(found, dict) or "id" not in found:
            raise Lost("the answer to an interaction: no message came back", "answer", 200)
        self._sessions.shown(session, int(found["id"]))
        self._own.posted(int(found["id"]), str(form.get("content", "")))
        return receipt(found)

    async def _placed(self, session: Session, form: dict[str, Any], content: Content | None) -> Any:
        """Put the first message where the promise stands, and each other one below."""
        if session.stage is Stage.DEFERRED:
            found = await self._hooks.change(session, ORIGINAL, form, content)
            session.stage = Stage.ANSWERED
            return found
        return await self._hooks.follow_up(session, form, content)

    async def _answered(self, session: Session, text: str) -> None:
        match session.stage:
            case Stage.NEW if text:
                form = body(text, ephemeral=True)
                if not await self._call_back(session, _ANSWER, form, Stage.ANSWERED):
                    await self._below(session, form)
            case Stage.NEW:
                await self._call_back(session, _NOTHING, None, Stage.BESIDE)
            case Stage.LATE:
                return
            case _ if text:
                await self._placed(session, body(text, ephemeral=True), None)
            case Stage.DEFERRED:
                await self._hooks.remove(session, ORIGINAL)
                session.stage = Stage.ANSWERED

    async def _deferred(self, session: Session) -> bool:
        if session.stage is Stage.NEW:
            await self._call_back(session, _PROMISE, {"flags": FOR_ONE_PERSON}, Stage.DEFERRED)
        return session.stage not in {Stage.NEW, Stage.LATE}

    async def _call_back(self, session: Session, kind: int, data: dict[str, Any] | None, then: Stage) -> bool:
        """Answer for the first time, which must be within three seconds; an answer that failed is given once more.

        Return whether it was taken: somebody else may have been faster, or it is too late.
        """
        form = {"type": kind} | ({"data": data} if data is not None else {})
        for _ in range(_ATTEMPTS):
            try:
                await self._hooks.call_back(session, form)
            except Failure as error:
                failed = errors.failed(error)
                if errors.refusal(error) == refusals.ACKNOWLEDGED:
                    is_mine = session.stage is then
                    session.stage = then if is_mine else Stage.ANSWERED
                    return is_mine
                if failed.permanent:
                    self._too_late(session, failed)
                    return False
                if failed.uncertain:
                    # it may have been taken: the second one is refused then
                    session.stage = then
            else:
                session.stage = then
                return True
        return session.stage is then

    def _too_late(self, session: Session, failed: DeliveryError) -> None:
        session.stage = Stage.LATE
        log.warning("discord_interaction_too_late", code=failed.code, error=name_of(failed))
        if failed.code == refusals.LATE:
            self._on_late()

    async def _below(self, session: Session, form: dict[str, Any]) -> None:
        """Say it below what somebody else has answered."""
        if session.stage is Stage.ANSWERED:
            await self._hooks.follow_up(session, form)
