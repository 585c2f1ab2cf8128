"""Follow what others do with an answer after it was delivered: into the trail of the message that it answers."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field

import structlog

from bot.domain.handles import HandleKind, handle
from bot.domain.ids import platform_of
from bot.domain.ledger import (
    AFTER_CHANGED,
    AFTER_DELETED,
    AFTER_DELETED_BY,
    AFTER_REACTION,
    LedgerStage,
    StageRow,
    StageVerdict,
    StoredInbound,
)
from bot.domain.messages import Author, AuthorKind, EventKind, Inbound, InboundKind
from bot.domain.turn import StoredOutbox
from bot.messaging.delivery.outbox import OutboxSender
from bot.messaging.delivery.poster import AdminAlert
from bot.ports.clock import Clock
from bot.ports.platform import Platform
from bot.ports.store import Store
from bot.prompts import render
from bot.runtime.tasks import TaskSupervisor
from bot.sentences import say
from bot.text.text import one_line_name
from bot.text.times import clock_time

log = structlog.get_logger(__name__)
WAS_FIRST = "was first"
"""What a platform tells of another program whose answer it took in the place of ours."""
CHANGED = "changed"
"""What it tells of one that changed a message of ours."""


class SecondProgram:
    """Alerts at the first message that an adapter knows not to be from here. An earlier process is no other program."""

    def __init__(self, store: Store, clock: Clock, tasks: TaskSupervisor, alert: AdminAlert) -> None:
        self._store = store
        self._began = clock.now()
        self._tasks = tasks
        self._alert = alert

    def note(self, stored: StoredInbound) -> None:
        """Take an arrival that may tell of another program; return at once."""
        event = stored.inbound.event
        if event is not None and event.kind is EventKind.SECOND_PROGRAM:
            self._tasks.spawn(f"second program {stored.id}", self._tell(stored))

    async def _tell(self, stored: StoredInbound) -> None:
        inbound = stored.inbound
        ours, what = await self._store.outbox.by_message(stored.key, inbound.replies_to), _what(inbound)
        if what == CHANGED:
            if ours is None:
                return  # nobody knows whose it was
        elif ours is not None and ours.created_at < self._began:
            return
        is_private = inbound.place.is_dm or not inbound.place.guild_id
        name = platform_of(inbound.channel)

        def words() -> str:
            where = say("messaging.private-chat") if is_private else one_line_name(inbound.channel_name, 40)
            return render("second_program", platform=name, where=where, at=clock_time(stored.arrived_at), what=what)

        kind = "second program changes" if what == CHANGED else "second program"
        await self._alert(words, kind=f"{kind}:{name}")


def _what(inbound: Inbound) -> str:
    return inbound.event.what if inbound.event is not None else ""


@dataclass(kw_only=True, eq=False)
class DeliveryFollowUp:
    """Notes what is told of the bot's own messages. What is told of others' is none of its business."""

    store: Store
    tasks: TaskSupervisor
    platforms: Mapping[str, Platform]
    sender: OutboxSender
    _told: deque[StoredInbound] = field(init=False, default_factory=deque)
    _is_at_work: bool = field(init=False, default=False)

    def note(self, stored: StoredInbound) -> None:
        """Take an arrival that may be about a message of the bot; return at once."""
        if not _is_told_of_others(stored.inbound):
            return
        self._told.append(stored)
        if not self._is_at_work and not self.tasks.closed:
            self._is_at_work = True
            self.tasks.spawn("afterwards", self._work())

    async def _work(self) -> None:
        try:
            while self._told:
                await self._follow(self._told.popleft())
        finally:
            self._is_at_work = False

    async def _follow(self, stored: StoredInbound) -> None:
        sent = await self._sent(stored)
        if sent is None or not sent.body.inbound:
            return
        inbound = stored.inbound
        if inbound.kind is InboundKind.DELETE:
            await self._note(stored, sent, AFTER_DELETED)
            # to ask takes its time, and what was told meanwhile need not wait for that
            self.tasks.spawn(f"who deleted {stored.id}", self._note_who(stored, sent))
        elif _is_changed_elsewhere(inbound):
            await self._note(stored, sent, AFTER_CHANGED)
        elif inbound.event is not None:
            await self._note(stored, sent, AFTER_REACTION, ("what", inbound.event.what))

    async def _sent(self, stored: StoredInbound) -> StoredOutbox | None:
        outbox, about = self.store.outbox, _about(stored.inbound)
        found = await outbox.by_message(stored.key, about)
        if found is None and not self.sender.queues.is_free(stored.key.channel):
            # it may be told before the platform's word that it was posted is on record
            await self.sender.settled()
            found = await outbox.by_message(stored.key, about)
        return found

    async def _note_who(self, stored: StoredInbound, sent: StoredOutbox) -> None:
        platform, inbound = self.platforms.get(stored.inbound.adapter), stored.inbound
        if platform is None:
            return
        try:
            who = await platform.who_deleted(inbound.channel, inbound.message_id, stored.arrived_at)
        except Exception as error:  # noqa: BLE001 - whatever an adapter raises, that it was deleted is on record
            log.warning("remover_not_found", platform=platform.name, error_type=type(error).__name__)
            return
        if who is not None:
            await self._note(stored, sent, AFTER_DELETED_BY, ("by", _named(who)))

    async def _note(self, stored: StoredInbound, sent: StoredOutbox, reason: str, *more: tuple[str, str]) -> None:
        body = sent.body
        name = ("delivery", handle(HandleKind.DELIVERY, sent.row))
        told = ("told_by", handle(HandleKind.INBOUND, stored.id))
        detail = (name, ("message_id", _about(stored.inbound)), ("part", f"{body.part + 1} of {body.parts}"), told)
        row = StageRow(
            inbound=body.inbound,
            at=stored.arrived_at,
            stage=LedgerStage.AFTERWARDS,
            verdict=StageVerdict.NOTED,
            reason=reason,
            detail=(*detail, *more),
        )
        await self.store.ledger.note([row])


def _is_told_of_others(inbound: Inbound) -> bool:
    if inbound.author.kind is AuthorKind.SELF:
        return _is_changed_elsewhere(inbound)
    event = inbound.event
    return inbound.kind is InboundKind.DELETE or (event is not None and event.kind is EventKind.REACTION)


def _is_changed_elsewhere(inbound: Inbound) -> bool:
    event = inbound.event
    return event is not None and event.kind is EventKind.SECOND_PROGRAM and event.what == CHANGED


def _about(inbound: Inbound) -> str:
    return inbound.message_id if inbound.kind is InboundKind.DELETE else inbound.replies_to


def _named(who: Author) -> str:
    """Name a program; of a person no more is kept than that it was one: the platform's own log knows who."""
    if who.kind is AuthorKind.PERSON:
        return "a person"
    return f"the bot {one_line_name(who.name, 32)}" if who.name else "a program"
