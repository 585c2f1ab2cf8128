"""Have channels together with other processes: take those with work, handle what is relayed to them, let them go."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import orjson
import structlog

from bot.app.lease_keeper import unless_away
from bot.domain.channel_moves import ChannelMoves
from bot.domain.heard import HeardPress, read_heard
from bot.domain.ids import ChannelId, ChannelKey, platform_of
from bot.domain.messages import ButtonPress, Inbound
from bot.domain.recovery_scope import RecoveryScope
from bot.domain.turn import NewOutbox
from bot.errors import StoreError
from bot.messaging.intake.forwarding_listener import MAX_EVENTS, heard_in, leased_with
from bot.messaging.intake.kept_presses import KEPT, do_kept, kept_press, tell_presser
from bot.messaging.intake.manager import MessagingManager
from bot.ports.clock import Clock
from bot.ports.leases import ChannelLeases, leased_channel
from bot.ports.platform import Platform
from bot.ports.relay import Relay, RelayedEvent, StoredEvent, StoredQuestion
from bot.runtime.tasks import TaskSupervisor
from bot.sentences import say

log = structlog.get_logger(__name__)

LOOK_SECONDS = 0.25
"""Seconds after which it looks for work, whether or not it was told of any."""
MAX_TAKEN = 100
"""How many channels are taken at once: what was left in them is read before anything else is done."""
UNDIVIDED = 8
"""So many channels are not divided: one that takes them up is done before others have looked."""
YIELD_SECONDS = 0.1
"""Seconds for which it leaves a channel to those who have fewer."""
SHORT_SECONDS = 1.5
"""Seconds that who presses a button waits for a process that has another channel."""
LONGEST_SECONDS = 15.0
"""Seconds after which it is kept for whoever has that channel next, and who pressed is told so."""
RELOAD = "reload"
"""The kind of event that is: read this conversation anew, more changed than its process knows."""
IDLE_SECONDS = 600.0
"""Seconds after which a channel in which nothing happens is given back: whoever has least to do takes it next."""


@dataclass(frozen=True, kw_only=True, eq=False)
class ChannelHolder:
    """Sees to it that each channel that it has is taken up before anything is heard there.

    `taken_up` follows what the manager took up; `refresh` reads anew what processes keep in memory. `put_away` forgets
    what lies in memory of a channel, and says whether it did: where something is under way it does not. `others` says
    how many channels each of the others has. `changes` says
    in which channel a press changes something: the process that has that one takes it. `send` says something.
    """

    manager: MessagingManager
    leases: ChannelLeases
    relay: Relay
    platforms: Mapping[str, Platform]
    clock: Clock
    tasks: TaskSupervisor
    moves: Callable[[], ChannelMoves]
    taken_up: Callable[[RecoveryScope], Awaitable[None]]
    refresh: Callable[[], Awaitable[None]]
    put_away: Callable[[ChannelId], bool]
    others: Callable[[], Awaitable[Sequence[int]]]
    changes: Callable[[ButtonPress], Awaitable[ChannelId | None]]
    send: Callable[[NewOutbox], Awaitable[object]]
    _used: dict[ChannelId, float] = field(init=False, default_factory=dict)
    """What it has, and when something came there last (monotonic seconds)."""
    _known: set[ChannelId] = field(init=False, default_factory=set)
    """The channels, one by one, in which it has taken up what was left."""
    _answering: set[int] = field(init=False, default_factory=set)
    """The numbers of the questions that are being answered."""
    _answered: set[int] = field(init=False, default_factory=set)
    """Those that were answered since it looked last: what was read meanwhile may still show them as open."""
    _doing: set[int] = field(init=False, default_factory=set)
    """The numbers of the presses that were kept, and are being done."""
    _yields: asyncio.Event = field(init=False, default_factory=asyncio.Event)
    _settings: list[int] = field(init=False, default_factory=list)

    async def run(self) -> None:
        """Do it until cancelled."""
        while True:
            await self.look()
            if self._yields.is_set():
                await self.clock.sleep(YIELD_SECONDS)
            else:
                await self.relay.news(LOOK_SECONDS)

    async def look(self) -> None:
        """Take what waits, and handle what came."""
        await self._take()
        while await self._handle():
            pass
        await self._answer()
        await self._let_go()

    async def _let_go(self) -> None:
        now = self.clock.monotonic()
        old = [place for place, used in self._used.items() if now - used >= IDLE_SECONDS]
        if idle := [place for place in old if self.put_away(place)]:
            for place in idle:
                del self._used[place]
            self._known.difference_update([one for one in self._known if leased_with(one, self.platforms) in idle])
            await unless_away(self.leases.give_back_channels(idle), None)

    async def _take(self) -> None:
        found = await unless_away(self.leases.waiting(MAX_TAKEN), ())
        waiting = [channel for channel in found if platform_of(channel) in self.platforms]
        if not waiting:
            return
        by_place: dict[ChannelId, list[ChannelId]] = {}
        for channel in waiting:
            by_place.setdefault(leased_with(channel, self.platforms), []).append(channel)
        wanted = [place for place in by_place if place not in self._used]
        if wanted and (part := await self._its_part(wanted)):
            await self._have(part)
        await self._take_up([name for place, names in by_place.items() if place in self._used for name in names])

    async def _follow_moves(self) -> None:
        """Take what a channel of this process is called now, unless somebody has begun to answer there."""
        moves = self.moves()
        moved = [now for place in self._used if (now := moves.current_id(place)) not in self._used]
        if moved:
            await self._have(moved)

    async def _have(self, wanted: Sequence[ChannelId]) -> None:
        leases = await unless_away(self.leases.take_channels(wanted, MAX_TAKEN), ())
        taken = [leased_channel(lease.name) for lease in leases]
        self._used.update(dict.fromkeys(filter(None, taken), self.clock.monotonic()))

    async def _its_part(self, wanted: Sequence[ChannelId]) -> Sequence[ChannelId]:
        """Return what of this is for this process: nothing yet, once, where another one has fewer channels.

        Then as much as for each that lives: what a process leaves is taken up by all others at the same time.
        """
        others = await self.others()
        if not self._yields.is_set() and min(others, default=len(self._used)) < len(self._used):
            self._yields.set()
            return ()
        self._yields.clear()
        return wanted[: max(-(-len(wanted) // (1 + len(others))), UNDIVIDED)]

    async def _take_up(self, channels: Iterable[ChannelId]) -> None:
        """Go on with what was left in channels, unless that was done since they are this process's."""
        moves, fresh = self.moves(), [one for one in dict.fromkeys(channels) if one not in self._known]
        if not fresh:
            return
        self._known.update(fresh)
        for name, platform in self.platforms.items():
            platform.take([channel for channel in fresh if platform_of(channel) == name])
        scope = RecoveryScope(frozenset(name for channel in fresh for name in moves.names(channel)))
        await self.manager.take_over(scope)
        await self.taken_up(scope)

    async def adopt(self) -> None:
        """Go on with what a process did from here that is over, now that it is."""
        if self._known:
            moves = self.moves()
            scope = RecoveryScope(frozenset(name for channel in self._known for name in moves.names(channel)))
            await self.manager.adopt(scope)
            await self.taken_up(scope)

    async def _handle(self) -> bool:
        """Handle what was relayed; return whether there was anything."""
        found = await self.relay.events(list(self._used), MAX_EVENTS, self._doing)
        if self._settings != [found.settings]:
            if self._settings:
                await self.refresh()
                await self._follow_moves()
            self._settings[:] = [found.settings]
        if not found.events:
            return False
        now = self.clock.monotonic()
        heard: list[Inbound] = []
        for stored in found.events:
            self._used[stored.event.channel] = now
            if (inbound := heard_in(stored.event, self.platforms)) is not None:
                heard.append(inbound)
        await self._take_up(inbound.channel for inbound in heard)
        for stored in found.events:
            if stored.event.kind == RELOAD:
                self.manager.reload_channel(ChannelKey(*orjson.loads(stored.event.body)))
            elif stored.event.kind == KEPT:
                self._doing.add(stored.number)
                self.tasks.spawn(f"kept press {stored.number}", self._do_kept(stored))
        if heard:
            try:
                await self.manager.receive(heard, None)
            except StoreError as error:
                # a full disk: what was relayed waits where it is
                log.warning("not_taken_in", error=str(error))
                return False
        await self.relay.done([stored.number for stored in found.events if stored.number not in self._doing])
        return True

    async def _do_kept(self, stored: StoredEvent) -> None:
        """Do what was kept; it is taken away afterwards, so that it is not lost with this process."""
        try:
            await self._take_up([stored.event.channel])
            await do_kept(stored.event, self.platforms, self.manager, self.send)
            await self.relay.done([stored.number])
        finally:
            self._doing.discard(stored.number)

    async def _answer(self) -> None:
        over = set(self._answered)
        found = await self.relay.questions(list(self._used))
        self._answering.difference_update(over)
        self._answered.difference_update(over)
        for question in found:
            if question.number in self._answering:
                continue
            self._answering.add(question.number)
            self._used[question.channel] = self.clock.monotonic()
            try:
                heard = read_heard(HeardPress, question.body)
            except ValueError:
                log.error("question_not_read", channel=question.channel)
                continue
            await self._take_up([heard.channel])
            press = self.platforms[heard.press.person.platform].take_up(heard.press, heard.handoff)
            self.tasks.spawn(f"press {question.number}", self._press(question, press))

    async def _press(self, question: StoredQuestion, press: ButtonPress) -> None:
        channel = await self.changes(press)
        place = leased_with(channel, self.platforms) if channel is not None else question.channel
        if place == question.channel or place in self._used:
            text = await self.manager.pressed(press)
        else:
            text = await self._pass_on(place, question.body, press)
        await self.relay.answer(question.number, text)
        self._answered.add(question.number)

    async def _pass_on(self, place: ChannelId, body: str, press: ButtonPress) -> str:
        """Let the process do it that has the channel; what takes longer is told where the button is."""
        asking = self.tasks.start("press of another process", self.relay.ask(place, body, LONGEST_SECONDS))
        done, _ = await asyncio.wait([asking], timeout=SHORT_SECONDS)
        if done and (answer := asking.result()) is not None:
            return answer
        self.tasks.spawn("answer of another process", self._tell_later(asking, place, body, press))
        return say("processes.press-handed-on")

    async def _tell_later(
        self, asking: asyncio.Task[str | None], place: ChannelId, body: str, press: ButtonPress
    ) -> None:
        text = await asking
        if text is None:
            await self.relay.pass_on([kept_press(place, body)], None)
            text = say("processes.press-kept")
        await tell_presser(press, text, self.send)

    def has(self, channel: ChannelId) -> bool:
        """Say whether a channel is this process's."""
        return leased_with(channel, self.platforms) in self._used

    def reload_elsewhere(self, key: ChannelKey) -> bool:
        """Tell the process that has a channel to read it anew; False where it is this one."""
        place = leased_with(key.channel, self.platforms)
        if place in self._used or self.tasks.closed:
            return False
        event = RelayedEvent(place, RELOAD, orjson.dumps(list(key)).decode())
        self.tasks.spawn("reload elsewhere", self.relay.pass_on([event], None))
        return True
