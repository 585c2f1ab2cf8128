"""Answer interactions: in time first, then with what one person alone sees."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import structlog

from adapters.discord.base.body import message_body
from adapters.discord.base.interaction_windows import InteractionStage, OpenInteraction, OpenInteractions
from adapters.discord.base.markup import MAX_UNITS, cut_to_units
from adapters.discord.base.targets import DiscordTarget, number_of
from adapters.discord.rest import errors, refusals
from adapters.discord.rest.client import DiscordCallLost, Failure, RestClient
from adapters.discord.speaking.deps import DiscordDeps
from adapters.discord.speaking.sender import UploadFile, as_delivery_error, read_file, receipt, uploads
from bot.domain.messages import OutgoingMessage, Preview, Receipt
from bot.errors import DeliveryError, name_of
from bot.sentences import later

log = structlog.get_logger(__name__)

_ANSWER, _PROMISE, _NOTHING, _CHOICES = 4, 5, 6, 8
_ATTEMPTS = 2

OnLate = Callable[[], None]
"""Hears of an interaction that could not be answered in time."""
ORIGINAL = "@original"
"""Names the first message that was shown for an interaction."""
FOR_ONE_PERSON = 1 << 6
_LOADING = 1 << 7

_CALLBACK = "/interactions/{webhook_id}/{webhook_token}/callback"
_FOLLOW_UP = "/webhooks/{webhook_id}/{webhook_token}"
_SHOWN = _FOLLOW_UP + "/messages/{message_id}"


class InteractionCalls:
    """Each of these raises one of `rest.Failure`."""

    def __init__(self, rest: RestClient) -> None:
        self._rest = rest

    async def call_back(self, session: OpenInteraction, form: dict[str, Any]) -> None:
        """Answer for the first time."""
        await self._rest.call("POST", _CALLBACK, json=form, webhook_id=session.number, webhook_token=session.token)

    async def change(
        self, session: OpenInteraction, message: int | str, form: dict[str, Any], content: UploadFile | None = None
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

    async def look(self, session: OpenInteraction) -> dict[str, Any]:
        """Return the first message that was shown, as it is now."""
        found: dict[str, Any] = await self._rest.call(
            "GET", _SHOWN, webhook_id=session.application, webhook_token=session.token, message_id=ORIGINAL
        )
        return found

    async def remove(self, session: OpenInteraction, message: int | str) -> None:
        """Take back what was shown."""
        await self._rest.call(
            "DELETE", _SHOWN, webhook_id=session.application, webhook_token=session.token, message_id=message
        )

    async def follow_up(self, session: OpenInteraction, form: dict[str, Any], content: UploadFile | None = None) -> Any:
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


class EphemeralSpeaker:
    """Speaks to who began an interaction. Everything for one of them goes out in turn."""

    def __init__(self, desk: DiscordDeps, sessions: OpenInteractions, on_late: OnLate) -> None:
        self._hooks = InteractionCalls(desk.rest)
        self._sessions = sessions
        self._clock = desk.clock
        self._own = desk.own
        self._on_late = on_late

    async def defer(self, session: OpenInteraction) -> bool:
        """Promise an answer that one person sees; return whether the platform took it."""
        async with session.lock:
            return await self._deferred(session)

    async def answer(self, session: OpenInteraction, text: str) -> None:
        """Show a text, or nothing; what was promised is kept or taken back. Never raises but when cancelled."""
        async with session.lock:
            try:
                await self._answered(session, cut_to_units(text, MAX_UNITS))
            except Failure as error:
                # who waited too long for the platform's patience sees the effect, but no words
                log.info("discord_interaction_not_answered", code=errors.code_of(error))

    async def no_choices(self, session: OpenInteraction) -> None:
        """Offer nothing while somebody types."""
        async with session.lock:
            await self._call_back(session, _CHOICES, {"choices": []}, InteractionStage.ANSWERED)

    async def send(self, target: DiscordTarget, message: OutgoingMessage) -> Receipt:
        """Show one chunk, or put it in the place of one that was shown; raise DeliveryError."""
        session = self._sessions.find(target.number, message.to.private_to)
        content = await read_file(message.file) if message.file else None
        form = message_body(message.text, message.buttons, ephemeral=True)
        with as_delivery_error(target, repeatable=bool(message.edits)):
            async with session.lock:
                known = session.receipts.get(message.nonce)
                if known is None:
                    known = await self._sent(session, form, content, message.edits)
                    session.receipts[message.nonce] = known
                return known

    async def preview(self, target: DiscordTarget, preview: Preview) -> str:
        """Show an answer that is being written; return the message that shows it; raise DeliveryError."""
        session = self._sessions.find(target.number, preview.to.private_to)
        with as_delivery_error(target):
            async with session.lock:
                form = message_body(preview.text, ephemeral=True)
                return (await self._sent(session, form, None, preview.message_id)).message_id

    async def retract(self, target: DiscordTarget, message_id: str) -> None:
        """Take back what was shown; raise DeliveryError. What is gone already is no error.

        Without a message it is the promise itself that is taken back.
        """
        session = self._sessions.find(target.number, None)
        if not message_id:
            await self.answer(session, "")
            return
        number = number_of(message_id)
        self._own.note_deletion(number)
        try:
            with as_delivery_error(target, repeatable=True):
                await self._hooks.remove(session, number)
        except DeliveryError as error:
            if error.code != refusals.MESSAGE_GONE:
                raise

    async def _sent(
        self, session: OpenInteraction, form: dict[str, Any], content: UploadFile | None, edits: str
    ) -> Receipt:
        if session.stage is InteractionStage.NEW:
            await self._deferred(session)
        if session.stage is InteractionStage.LATE:
            raise DeliveryError(later("delivery_failures.answered-too-late"), code="dm_closed", permanent=True)
        if edits:
            await self._hooks.change(session, number_of(edits), form, content)
            return Receipt(message_id=edits, at=self._clock.now())
        found = await self._placed(session, form, content)
        if not isinstance(found, dict) or "id" not in found:
            raise DiscordCallLost("the answer to an interaction: no message came back", "answer", 200)
        self._sessions.shown(session, int(found["id"]))
        self._own.note_posted(int(found["id"]), str(form.get("content", "")))
        return receipt(found)

    async def _placed(self, session: OpenInteraction, form: dict[str, Any], content: UploadFile | None) -> Any:
        """Put the first message where the promise stands, and each other one below."""
        if await self._is_promised(session):
            found = await self._hooks.change(session, ORIGINAL, form, content)
            session.stage = InteractionStage.ANSWERED
            return found
        return await self._hooks.follow_up(session, form, content)

    async def _answered(self, session: OpenInteraction, text: str) -> None:
        match session.stage:
            case InteractionStage.NEW if text:
                form = message_body(text, ephemeral=True)
                if not await self._call_back(session, _ANSWER, form, InteractionStage.ANSWERED):
                    await self._below(session, form)
            case InteractionStage.NEW:
                await self._call_back(session, _NOTHING, None, InteractionStage.BESIDE)
            case InteractionStage.LATE:
                return
            case _ if text:
                await self._placed(session, message_body(text, ephemeral=True), None)
            case _ if await self._is_promised(session):
                await self._hooks.remove(session, ORIGINAL)
                session.stage = InteractionStage.ANSWERED

    async def _is_promised(self, session: OpenInteraction) -> bool:
        """Say whether a promise is still to be kept; where another process answers too, only Discord knows."""
        if session.stage is InteractionStage.DEFERRED and session.is_shared:
            try:
                is_kept = not int((await self._hooks.look(session)).get("flags") or 0) & _LOADING
            except Failure as error:
                if errors.code_of(error) != refusals.MESSAGE_GONE:
                    raise
                is_kept = True
            session.stage = InteractionStage.ANSWERED if is_kept else session.stage
        return session.stage is InteractionStage.DEFERRED

    async def _deferred(self, session: OpenInteraction) -> bool:
        if session.stage is InteractionStage.NEW:
            await self._call_back(session, _PROMISE, {"flags": FOR_ONE_PERSON}, InteractionStage.DEFERRED)
        return session.stage not in {InteractionStage.NEW, InteractionStage.LATE}

    async def _call_back(
        self, session: OpenInteraction, kind: int, data: dict[str, Any] | None, then: InteractionStage
    ) -> bool:
        """Answer for the first time, which must be within three seconds; an answer that failed is given once more.

        Return whether it was taken: somebody else may have been faster, or it is too late.
        """
        form = {"type": kind} | ({"data": data} if data is not None else {})
        for _ in range(_ATTEMPTS):
            try:
                await self._hooks.call_back(session, form)
            except Failure as error:
                failed = errors.delivery_error(error)
                if errors.refusal(error) == refusals.ACKNOWLEDGED:
                    is_mine = session.stage is then
                    session.stage = then if is_mine else InteractionStage.ANSWERED
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

    def _too_late(self, session: OpenInteraction, failed: DeliveryError) -> None:
        session.stage = InteractionStage.LATE
        log.warning("discord_interaction_too_late", code=failed.code, error=name_of(failed))
        if failed.code == refusals.TOO_LATE:
            self._on_late()

    async def _below(self, session: OpenInteraction, form: dict[str, Any]) -> None:
        """Say it below what somebody else has answered."""
        if session.stage is InteractionStage.ANSWERED:
            await self._hooks.follow_up(session, form)
