"""The one way in which the cortex speaks: to the admin who asked, in private, or not at all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Protocol

import structlog

from bot.domain.finding import StoredSession
from bot.domain.ids import ChannelId, PersonKey
from bot.domain.ledger import StoredInbound
from bot.domain.messages import Button, InboundKind, OutboundAddress, OutgoingFile
from bot.domain.turn import NewOutbox, StoredOutbox
from bot.errors import DeliveryError
from bot.ports.clock import Clock
from bot.ports.delivery import Delivery
from bot.ports.governance import SessionStore
from bot.sentences import say, speaking
from bot.text.text import utf16_length

log = structlog.get_logger(__name__)

SEEN_SIGN, WAIT_SIGN = "👀", "⏳"
_MAX_CAPTION_UNITS = 1000
"""UTF-16 units; a caption on Telegram ends at 1024."""
_FILE_FAULTS = frozenset({"too_large", "file_too_large", "file_gone"})
"""Refusals of a file, not of who is to get it."""


def person_of(session: StoredSession) -> PersonKey:
    """Return whose session it is."""
    return PersonKey(session.body.platform, session.body.actor)


def address_of(session: StoredSession) -> OutboundAddress:
    """Return where a session is held; only its admin can read there."""
    body = session.body
    return OutboundAddress(
        platform=body.platform, channel=body.dm_channel, thread=body.dm_thread, private_to=body.actor
    )


def finding(
    session: StoredSession, text: str, buttons: tuple[Button, ...] = (), file: OutgoingFile | None = None
) -> NewOutbox:
    """Return what is to be sent into a session's thread."""
    kind = "file" if file is not None and _is_dump(file) else "finding"
    return NewOutbox(kind=kind, to=address_of(session), text=text, buttons=buttons, file=file)


def _is_dump(file: OutgoingFile) -> bool:
    """Say whether a file goes after a day; a picture stays with its words."""
    return not file.mimetype.startswith("image/")


class ThreadMessage(Protocol):
    """A message for the thread."""

    @property
    def text(self) -> str: ...

    @property
    def buttons(self) -> tuple[Button, ...]:
        """What can be pressed below it."""


class OwedReport(Protocol):
    """A turn that owes one report: ended together with it, or not at all."""

    reported: bool

    async def end(self, outbox: Sequence[NewOutbox]) -> Sequence[StoredOutbox] | None:
        """End the turn and keep its report; None, and nothing is kept, where none was begun."""


class ThreadPoster:
    """Sends findings and files into a session's thread; a channel gets lines without content at most."""

    def __init__(
        self, delivery: Delivery, sessions: SessionStore, clock: Clock, language: Callable[[PersonKey], str]
    ) -> None:
        self._delivery = delivery
        self._language = language
        self._sessions = sessions
        self._clock = clock

    async def say(
        self, session: StoredSession, text: str, buttons: tuple[Button, ...] = (), file: OutgoingFile | None = None
    ) -> None:
        """Send into the thread; raise DeliveryError when the admin cannot be reached. Never anywhere else.

        What a platform does not take as a file goes out as words, which name its path.
        """
        if file is not None and _is_dump(file) and utf16_length(text) > _MAX_CAPTION_UNITS:
            # a file that is to go again has to be one message
            await self._delivery.say(finding(session, text))
            text = file.name
        try:
            await self._delivery.say(finding(session, text, buttons, file))
        except DeliveryError as error:
            if file is None or error.code not in _FILE_FAULTS:
                raise
            log.info("file_refused", session=session.id, code=error.code)
            await self._delivery.say(finding(session, f"{text}\n{say('sessions.not-attached')}", buttons))
        await self._sessions.touch(session.id, self._clock.now())

    async def show(self, session: StoredSession, text: str, buttons: tuple[Button, ...] = (), edits: str = "") -> str:
        """Send into the thread, or put it in the place of a message there; return by which id it can be edited.

        Empty where that cannot be: on a platform without edits, or for what took several messages.
        """
        body = finding(session, text, buttons).model_copy(update={"edits": edits})
        ids = await self._delivery.say(body)
        await self._sessions.touch(session.id, self._clock.now())
        can = self._delivery.capabilities(session.body.platform)
        return ids[0] if len(ids) == 1 and can.edits else ""

    def speaking_to(self, person: PersonKey) -> AbstractContextManager[None]:
        """Say what is said inside of this in somebody's language: whatever made it be said, another may have done."""
        return speaking(self._language(person))

    def edits(self, session: StoredSession) -> bool:
        """Say whether what was said in a thread can be changed there."""
        return self._delivery.capabilities(session.body.platform).edits

    async def say_or_log(
        self, session: StoredSession, text: str, buttons: tuple[Button, ...] = ()
    ) -> DeliveryError | None:
        """Send a late word; when the admin cannot be reached any more, it stays in the outbox and the log."""
        try:
            await self.say(session, text, buttons)
        except DeliveryError as error:
            return _noted(session, error)
        return None

    async def report(self, session: StoredSession, branch: OwedReport, *said: ThreadMessage) -> DeliveryError | None:
        """Send the one report of a turn; return why the admin could not be reached, None when they were.

        It is kept in the same transaction that ends the turn, so that it is owed until then; what it offers, too.
        """
        owed = [await self._delivery.parts(finding(session, one.text, one.buttons)) for one in said]
        rows = await branch.end([part for parts in owed for part in parts])
        if rows is None:
            failures = [await self.say_or_log(session, one.text, one.buttons) for one in said]
            return next((failure for failure in failures if failure), None)
        failed = None
        try:
            await self._delivery.deliver(rows)
        except DeliveryError as error:
            failed = _noted(session, error)
        await self._sessions.touch(session.id, self._clock.now())
        return failed

    async def acknowledge(self, stored: StoredInbound) -> None:
        """Show that a command was heard: in words where only the asker reads them, else without any."""
        if is_silent(stored):
            return
        if stored.inbound.aside is not None:
            await self.hint(stored, say("sessions.looking"))
        else:
            await self._delivery.react(stored.inbound.channel, stored.inbound.message_id, SEEN_SIGN)

    async def slow_down(self, stored: StoredInbound, line: str) -> None:
        """Ask for patience: in words where only the asker reads, else without any."""
        if is_silent(stored):
            return
        if stored.inbound.place.is_dm or stored.inbound.aside is not None:
            await self.hint(stored, line)
        else:
            await self._delivery.react(stored.inbound.channel, stored.inbound.message_id, WAIT_SIGN)

    async def hint(self, stored: StoredInbound, line: str, buttons: tuple[Button, ...] = ()) -> None:
        """Put a line that says nothing about anybody where the command was typed."""
        if is_silent(stored):
            return
        inbound = stored.inbound
        aside, home = inbound.aside, self._delivery.home(inbound.channel)
        replies_to = "" if aside else inbound.message_id
        await self._notice(
            NewOutbox(kind="notice", to=aside or home, text=line, replies_to=replies_to, buttons=buttons)
        )

    async def announce(self, channel: ChannelId, line: str) -> None:
        """Put a line into a channel that an admin has read and confirmed; raise DeliveryError."""
        await self._delivery.say(NewOutbox(kind="notice", to=self._delivery.home(channel), text=line))

    async def notice(self, channel: ChannelId, line: str) -> None:
        """Put such a line into a channel."""
        await self._notice(NewOutbox(kind="notice", to=self._delivery.home(channel), text=line))

    async def _notice(self, body: NewOutbox) -> None:
        try:
            await self._delivery.say(body)
        except DeliveryError:
            return


def is_silent(stored: StoredInbound) -> bool:
    """Say whether nobody but the asker may notice that something was asked: it was asked by a sign, not in words."""
    return stored.inbound.kind is InboundKind.EVENT


def _noted(session: StoredSession, error: DeliveryError) -> DeliveryError:
    log.warning("report_undeliverable", session=session.id, code=error.code)
    return error
