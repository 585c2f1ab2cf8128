"""Tell people why nothing becomes of what they write: the storage is full, too much waits, too many commands."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import partial

from bot.domain.ids import ChannelId, PersonKey
from bot.domain.ledger import Arrival
from bot.domain.messages import Inbound
from bot.domain.turn import NewOutbox
from bot.errors import DeliveryError
from bot.messaging.delivery.outbox import OutboxSender
from bot.messaging.delivery.poster import AdminAlert
from bot.messaging.intake.gatekeeper import Gatekeeper
from bot.messaging.policy.gates.rate import CHANNEL_COMMANDS, COMMANDS, CROWDED
from bot.messaging.policy.languages import Languages
from bot.ports.clock import Clock
from bot.prompts import render
from bot.runtime.lru_cache import LRUCache
from bot.runtime.rate_limiter import RateLimiter
from bot.runtime.tasks import TaskSupervisor
from bot.sentences import speaking
from bot.text.text import one_line_name, visible

RENEWAL_SECONDS = 3600.0
"""Seconds until a channel is told once more."""
MAX_TOLD_CHANNELS = 1000
"""Of how many channels it is remembered when they were told; while there are more, some hear it sooner again."""


class OverloadNotices:
    """What is said to those who wait for an answer while nothing can be taken in."""

    def __init__(
        self,
        judge: Gatekeeper,
        sender: OutboxSender,
        clock: Clock,
        tasks: TaskSupervisor,
        alert: AdminAlert,
        languages: Languages,
    ) -> None:
        self._languages = languages
        self._judge = judge
        self._sender = sender
        self._clock = clock
        self._tasks = tasks
        self._alert = alert
        self._told: LRUCache[ChannelId, float] = LRUCache(MAX_TOLD_CHANNELS)
        self._crowded: LRUCache[ChannelId, float] = LRUCache(MAX_TOLD_CHANNELS)
        self._hurried: RateLimiter[PersonKey | ChannelId] = RateLimiter(clock, 0)

    def crowded(self, arrivals: Sequence[Arrival]) -> None:
        """Tell the channels in which too much waits, and the admins; what is told is stored, like any other notice."""
        for arrival in arrivals:
            stop = arrival.verdicts[-1] if arrival.verdicts else None
            if stop is None or stop.reason != CROWDED or self._tasks.closed:
                continue
            inbound = arrival.inbound
            if self._is_fresh(self._crowded, inbound.channel):
                continue
            self._crowded.put(inbound.channel, self._clock.monotonic())
            count = dict(stop.compared)["waiting_per_channel"].partition(" ")[0]
            self._tasks.spawn("crowded", self._say_crowded(inbound, count))

    def refused(self, arrivals: Sequence[Arrival]) -> None:
        """See to commands that a gate stopped: too many are told once a minute, everything else not at all.

        What a platform has promised to a native command is taken back, so that nothing turns for ever.
        """
        for arrival in arrivals:
            stop, inbound = arrival.stopped_by, arrival.inbound
            if stop is None or self._tasks.closed:
                continue
            if stop.reason in {COMMANDS, CHANNEL_COMMANDS} and self._is_news(inbound, stop.reason):
                count = stop.compared[-1][1].rpartition(" ")[2]
                is_crowd = stop.reason == CHANNEL_COMMANDS
                self._tasks.spawn("too many commands", self._say_hurried(inbound, count, of_channel=is_crowd))
            elif inbound.ephemeral is not None:
                self._tasks.spawn("nothing to show", self._sender.take_back(inbound.ephemeral))

    def _is_news(self, inbound: Inbound, reason: str) -> bool:
        if self._judge.facts(inbound).goes_unanswered:
            return False
        return self._hurried.tells(inbound.person if reason == COMMANDS else inbound.channel)

    async def _say_hurried(self, inbound: Inbound, count: str, *, of_channel: bool) -> None:
        aside = inbound.aside
        with speaking(self._languages.of_answer(inbound)):
            text = render("too_many_commands", count=count, of_channel=of_channel)
        body = NewOutbox(
            kind="command",
            to=aside or self._sender.home(inbound.channel),
            text=text,
            replies_to="" if aside else inbound.message_id,
        )
        with suppress(DeliveryError):
            await self._sender.say(body)

    async def _say_crowded(self, inbound: Inbound, count: str) -> None:
        to = self._sender.home(inbound.channel)
        with speaking(self._languages.of_answer(inbound)):
            text = render("crowded", for_admins=False, count=count, place="")
        with suppress(DeliveryError):  # it is on record, and the admins hear of it all the same
            await self._sender.say(NewOutbox(kind="notice", to=to, text=text, replies_to=inbound.message_id))
        place = visible(one_line_name(inbound.channel_name)) or inbound.channel
        await self._alert(partial(render, "crowded", for_admins=True, count=count, place=place), kind="crowded")

    def make(self, batch: Sequence[Inbound]) -> None:
        """Tell the channels in which something of this would be answered; the same batch may come again and again."""
        for inbound in batch:
            if self._tasks.closed or self._is_told(inbound) or not self._judge.would_act(inbound):
                continue
            self._told.put(inbound.channel, self._clock.monotonic())
            with speaking(self._languages.of_answer(inbound)):
                text = render("storage_full")
            body = NewOutbox(
                kind="notice",
                to=self._sender.home(inbound.channel),
                text=text,
                replies_to=inbound.message_id,
            )
            self._tasks.spawn("storage full", self._sender.say_unkept(body))

    def _is_told(self, inbound: Inbound) -> bool:
        can = self._sender.capabilities(inbound.adapter)
        if can.tells_unheard or inbound.ephemeral is not None:
            return True
        return self._is_fresh(self._told, inbound.channel)

    def _is_fresh(self, told: LRUCache[ChannelId, float], channel: ChannelId) -> bool:
        at = told.get(channel)
        return at is not None and self._clock.monotonic() - at < RENEWAL_SECONDS
