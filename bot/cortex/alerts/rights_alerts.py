"""Tell owners when the bot may not view or write any more where it used to answer, in one message to its end."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import NamedTuple

import structlog

from bot.cortex.alerts.admin_alerts import AdminAlerts, MakeCardButton, told_troubles
from bot.cortex.alerts.outcome_alerts import card_buttons
from bot.diagnostics.evidence.adapter_facts import fact, probe_of
from bot.diagnostics.evidence.deliveries import WriteHindrance
from bot.domain.health import ProbeResult
from bot.domain.ids import AgentId, ChannelId, ChannelKey, PersonKey, platform_of
from bot.domain.incident import ChannelTrouble, TroubleKind
from bot.domain.ledger import Outcome, StoredInbound
from bot.domain.messages import EVERYWHERE, Button, EventKind
from bot.domain.turn import StoredOutbox
from bot.ports.clock import Clock
from bot.ports.platform import Platform
from bot.ports.store import Store
from bot.prompts import render
from bot.runtime.rate_limiter import RateLimiter
from bot.runtime.tasks import TaskSupervisor
from bot.text.text import one_line_name
from bot.text.times import clock_time

log = structlog.get_logger(__name__)

LOOK_SECONDS = 60.0
"""How often what stands is looked at again: not every platform tells when a right comes back."""
_CLOSED = frozenset({WriteHindrance.ARCHIVED, WriteHindrance.LOCKED})
"""A thread that was closed is how its people want it."""
_LOSSES = frozenset(WriteHindrance) - _CLOSED
"""What keeps the bot from viewing or writing."""
_VIEW_LOSSES = frozenset({WriteHindrance.NO_ACCESS, WriteHindrance.HIDDEN})
_LOSING_EVENTS = frozenset({EventKind.RIGHTS, EventKind.LEFT})
_LATELY_MS = 7 * 86_400_000
"""Where the bot has answered within this time, it is missed."""
_MAX_RECENT_MESSAGES = 200
_MAX_CHANNELS = 10
"""So many channels of a place are looked at for one event."""
_LOOKS_PER_MINUTE = 6
"""So often a channel is looked at because something happened; what is more waits for the next round."""
_SAME_TROUBLE_MS = 600_000
"""What begins again so soon after its end goes on as the same trouble."""
_MAX_NAMED = 3


class _House(NamedTuple):
    """The server or group in which an agent answers: what goes wrong there is one trouble."""

    agent: AgentId
    guild: str


class _Found(NamedTuple):
    """What a look at one channel found."""

    house: _House
    trouble: ChannelTrouble


@dataclass(eq=False, kw_only=True)
class RightsAlerts:
    """Hears what happens beside messages (`note`) and what a platform refused (`refused`), and asks the platform.

    One message tells of all channels of a server or group. What was told outlives a restart in the message itself.
    """

    alerts: AdminAlerts
    store: Store
    clock: Clock
    platforms: Mapping[str, Platform]
    card: MakeCardButton
    tasks: TaskSupervisor

    def __post_init__(self) -> None:
        """Begin with nothing known."""
        self._troubles: dict[_House, ChannelTrouble] = {}
        self._heard: list[StoredInbound] = []
        self._later: dict[ChannelKey, None] = {}
        self._is_due = self._has_recalled = self._has_looked = self._is_at_work = False
        self._looking = asyncio.Lock()

    @cached_property
    def _looks(self) -> RateLimiter[ChannelKey]:
        return RateLimiter(self.clock, _LOOKS_PER_MINUTE)

    def note(self, stored: StoredInbound) -> None:
        """Take an arrival that may tell of a right; return at once."""
        event = stored.inbound.event
        if event is None or stored.inbound.place.is_dm or not self._tells_anybody:
            return
        if event.kind in _LOSING_EVENTS or self._troubles:
            self._heard.append(stored)
            self._begin_work()

    async def refused(self, row: StoredOutbox, code: str) -> bool:
        """Look whether an answer was refused because a right is gone; True: the owners hear of it from here."""
        if code not in _LOSSES or not row.body.inbound or not self._tells_anybody:
            return False
        stored = await self.store.ledger.inbound(row.body.inbound)
        if stored is None or stored.inbound.place.is_dm:
            return False
        async with self._looking:
            await self._recall()
            found = await self._looked_at(stored.key)
            if found is None or found.trouble.ended or stored.key.channel not in found.trouble.places:
                return False
            waits = found.trouble.kept_waiting(stored.id, str(stored.inbound.person))
            await self._put(found.house, waits)
        return True

    async def run(self) -> None:
        """Look again every minute."""
        while True:
            await self.clock.sleep(LOOK_SECONDS)
            self.look()

    def look(self) -> None:
        """Look at what stands, at what had to wait, and once at where the bot answered of late; in the background."""
        if self._tells_anybody:
            self._is_due = True
            self._begin_work()

    @property
    def _tells_anybody(self) -> bool:
        # who sits at a terminal needs no message about a right
        return any(one.capabilities.edits for one in self.platforms.values())

    def _begin_work(self) -> None:
        if self._is_at_work:
            return
        try:
            self.tasks.spawn("rights", self._work())
        except RuntimeError:
            return  # the bot is stopping
        self._is_at_work = True

    async def _work(self) -> None:
        try:
            async with self._looking:
                await self._recall()
                while self._heard or self._is_due:
                    due: dict[ChannelKey, None] = {}
                    if self._is_due:
                        self._is_due = False
                        due |= await self._unsettled()
                    heard, self._heard = self._heard, []
                    for one in heard:
                        due |= await self._concerned(one)
                    for key in due:
                        found = await self._looked_at(key)
                        if found is not None:
                            await self._put(found.house, found.trouble)
        finally:
            self._is_at_work = False

    async def _recall(self) -> None:
        """Go on with what an earlier process had told of."""
        if self._has_recalled:
            return
        for one in await told_troubles(self.alerts):
            if one.what is TroubleKind.RIGHTS:
                state = await self.store.channels.load(ChannelKey(one.agent, one.channel))
                guild = state.place.guild_id if state is not None else ""
                self._troubles[_house(ChannelKey(one.agent, one.channel), guild)] = one
        self._has_recalled = True

    async def _unsettled(self) -> dict[ChannelKey, None]:
        """Return what is to be looked at by and by; a right that went while the bot was down is told by no event."""
        found, self._later = self._later, {}
        for one in self._troubles.values():
            found |= {} if one.ended else _lost_in(one)
        if not self._has_looked:
            self._has_looked = True
            known = [one.key for one in await self.store.channels.known() if not one.place.is_dm]
            found |= dict.fromkeys(known[:_MAX_CHANNELS])
        return found

    async def _concerned(self, stored: StoredInbound) -> dict[ChannelKey, None]:
        """Return the channels that an event may be about, each as often as is reasonable."""
        event, key, guild = stored.inbound.event, stored.key, stored.inbound.place.guild_id
        assert event is not None
        found: dict[ChannelKey, None] = {}
        for house, trouble in self._troubles.items():
            if house.guild == _house(key, guild).guild and not trouble.ended:
                found |= _lost_in(trouble)
        if event.kind in _LOSING_EVENTS:
            number = key.channel.rpartition(":")[2]
            beside = [one for one in await self.store.channels.known() if one.place.guild_id == guild]
            meant = [one.key for one in beside if event.what == EVERYWHERE or number in one.place.parents]
            found |= dict.fromkeys([key, *meant][:_MAX_CHANNELS])
        now = {one: None for one in found if self._looks.take(one)}
        self._later |= {one: None for one in found if one not in now}
        return now

    async def _looked_at(self, key: ChannelKey) -> _Found | None:
        """Ask the platform about a channel; return the trouble there as it is now, None where there is none to tell."""
        state, platform = await self.store.channels.load(key), self.platforms.get(platform_of(key.channel))
        if state is None or platform is None or state.place.is_dm:
            return None
        house = _house(key, state.place.guild_id)
        before = self._troubles.get(house)
        standing = before if before is not None and not before.ended else None
        # what the platform is not asked costs nobody anything
        if standing is None and not await self._used_to_answer(key):
            return None
        told = probe_of(await platform.probe(key.channel), key.channel)
        if told is None or (lost := _is_lost(told)) is None:
            # who cannot say whether a right is there says nothing
            return _Found(house, standing) if standing is not None else None
        if standing is not None:
            return _Found(house, self._goes_on(standing, key, told if lost else None))
        return _Found(house, self._begun(before, key, told)) if lost else None

    async def _used_to_answer(self, key: ChannelKey) -> bool:
        since = self.clock.now() - _LATELY_MS
        recent = await self.store.ledger.recent(key, _MAX_RECENT_MESSAGES)
        return any(one.outcome is Outcome.REPLIED and one.arrived_at >= since for one in recent)

    def _begun(self, before: ChannelTrouble | None, key: ChannelKey, told: ProbeResult) -> ChannelTrouble:
        now = self.clock.now()
        log.warning("right_lost", channel=key.channel, code=told.code, missing=fact(told.facts, "missing"))
        if before is not None and now - before.ended <= _SAME_TROUBLE_MS and before.channel == key.channel:
            return _with_words(before.replace(ended=0, last=now, places=(key.channel,)), told)
        began = ChannelTrouble(what=TroubleKind.RIGHTS, agent=key.agent, channel=key.channel, since=now, last=now)
        return _with_words(began.replace(places=(key.channel,), widest=1), told)

    def _goes_on(self, standing: ChannelTrouble, key: ChannelKey, told: ProbeResult | None) -> ChannelTrouble:
        """Return a trouble with what a look at one of its channels found; None: nothing is missing there."""
        if told is not None:
            places = tuple(dict.fromkeys((*standing.places, key.channel)))
            after = standing.replace(places=places, widest=max(standing.widest, len(places)))
            return _with_words(after, told) if places[0] == key.channel else after
        left = tuple(one for one in standing.places if one != key.channel)
        if left or key.channel not in standing.places:
            return standing.replace(places=left)
        log.info("right_back", channel=key.channel)
        now = self.clock.now()
        return standing.replace(ended=now, last=now, places=())

    async def _put(self, house: _House, trouble: ChannelTrouble) -> None:
        """Keep how it stands, and tell it where something has changed."""
        if trouble == self._troubles.get(house):
            return
        self._troubles[house] = trouble
        shown = (trouble.channel,) if trouble.ended else trouble.places[:_MAX_NAMED]
        states = [await self.store.channels.load(ChannelKey(trouble.agent, one)) for one in shown]
        names = [one.name if one is not None else str(shown[at]) for at, one in enumerate(states)]

        def made(person: PersonKey, channel: ChannelId) -> tuple[Button, ...]:
            return card_buttons(self.card, person, channel, trouble)

        words = partial(rights_text, trouble, names)
        follow = self.alerts.follow(trouble, words, made, owners_only=True)
        self.tasks.spawn(f"tell of {trouble.kind}", follow)


def rights_text(trouble: ChannelTrouble, names: Sequence[str]) -> str:
    """Say which right is gone where, who keeps it back as far as the platform tells, and how it is given back."""
    count = trouble.widest if trouble.ended else len(trouble.places)
    return render(
        "cortex/rights_lost",
        trouble=trouble,
        names=[one_line_name(name, 40) for name in names],
        more=max(0, count - len(names)),
        views=trouble.code in _VIEW_LOSSES,
        since=clock_time(trouble.since),
        ended=clock_time(trouble.ended),
        until=clock_time(trouble.until) if trouble.until else "",
        waiting=len(trouble.waiting),
        people=len(trouble.people),
    )


def _is_lost(told: ProbeResult) -> bool | None:
    """Say whether the bot may not view or not write; None where the platform does not say."""
    if told.state == "failed" and told.code in _LOSSES:
        return True
    return False if told.state in {"ok", "warning"} or told.code in _CLOSED else None


def _with_words(trouble: ChannelTrouble, told: ProbeResult) -> ChannelTrouble:
    until = fact(told.facts, "until")
    return trouble.replace(
        code=told.code,
        missing=fact(told.facts, "missing"),
        denied=fact(told.facts, "denied"),
        fix=told.fix,
        until=int(until) if until.isascii() and until.isdigit() else 0,
    )


def _lost_in(trouble: ChannelTrouble) -> dict[ChannelKey, None]:
    return dict.fromkeys(ChannelKey(trouble.agent, one) for one in trouble.places)


def _house(key: ChannelKey, guild: str) -> _House:
    return _House(key.agent, f"{platform_of(key.channel)}:{guild or key.channel}")
