"""What waits, per channel; a channel without work costs nothing here."""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from bot.domain.access import Authority
from bot.domain.channel_moves import ChannelMoves
from bot.domain.finding import NewAudit
from bot.domain.health import QueueHealth
from bot.domain.ids import ChannelId, ChannelKey
from bot.domain.ledger import StoredInbound
from bot.domain.messages import Inbound, InboundKind
from bot.messaging.channels.gathering import MOMENT_SECONDS, MessageBurst, continues_thought
from bot.ports.clock import Clock


class QueuedMessage(NamedTuple):
    """A message that wants a turn. `at` is monotonic seconds."""

    stored: StoredInbound
    at: float


class QueuedResult(NamedTuple):
    """A result of a branch or a worker, which wants a turn of its own kind. `at` is monotonic seconds."""

    stored: StoredInbound
    at: float


class AmbientMessage(NamedTuple):
    """Group talk that becomes history without a turn."""

    stored: StoredInbound


class QueuedAmendment(NamedTuple):
    """An edit or deletion of something that a turn may have read."""

    stored: StoredInbound


class QueuedUnfurl(NamedTuple):
    """The platform tells what stands behind the links of a message that was said before."""

    inbound: Inbound


class ResetChannel(NamedTuple):
    """The conversation is to begin anew; what came before belongs to the old one. `by` goes into the audit."""

    by: NewAudit


class UndoReset(NamedTuple):
    """A fresh start is to be taken back; `tell` says to who wants it what came of that."""

    by: NewAudit
    since: int
    tell: Callable[[str], Awaitable[None]]
    language: str


class ReloadChannel(NamedTuple):
    """The store knows more of the conversation than the live channel; the next turn begins with what is stored."""


Work = (
    QueuedMessage
    | QueuedResult
    | AmbientMessage
    | QueuedAmendment
    | QueuedUnfurl
    | ResetChannel
    | UndoReset
    | ReloadChannel
)


MAX_ASIDE = 1000
"""So much overheard talk, and changes of so many messages, wait in a channel at most."""
TierOf = Callable[[StoredInbound], Authority]
"""Says with whose authority a message asks."""


class NextTalks(NamedTuple):
    """The messages of the next turn; `is_complete` where no more can join them, because something else is next."""

    talks: list[QueuedMessage]
    is_complete: bool


@dataclass(slots=True)
class ChannelQueue:
    """One channel's work in order, and the messages of the turn that runs.

    `asked_at` is when the newest of them came (monotonic seconds). `gives_way`: that turn is to begin again with what
    came a moment later, which happens once at most. `is_handed_over`: its channel has it already. `waited`: so many
    seconds more of the next turn's messages were waited for.
    """

    key: ChannelKey
    work: deque[Work] = field(default_factory=deque)
    running: tuple[StoredInbound, ...] = ()
    running_since: float = 0.0
    asked_at: float = 0.0
    is_handed_over: bool = False
    gives_way: bool = False
    gave_way: bool = False
    waited: float = 0.0

    def next_talks(self, tier_of: TierOf) -> NextTalks:
        """Return the messages of the next turn: what people of one tier said, up to a fresh start or another tier.

        A turn acts with one authority, so nobody's message may ride on somebody else's.
        """
        talks = [item for item in self._before_fresh_start() if isinstance(item, QueuedMessage)]
        own = list(itertools.takewhile(lambda talk: tier_of(talk.stored) == tier_of(talks[0].stored), talks))
        return NextTalks(own, is_complete=len(own) < len(talks))

    def next_pieces(self) -> NextTalks:
        """Return the first message that waits, with those that go on with it."""
        talks = [item for item in self._before_fresh_start() if isinstance(item, QueuedMessage)]
        pieces = talks[:1]
        for talk in talks[1:]:
            if not _follows(pieces[-1], talk):
                break
            pieces.append(talk)
        return NextTalks(pieces, is_complete=len(pieces) < len(talks))

    def goes_on(self, talk: QueuedMessage) -> bool:
        """Say whether a message goes on with what the turn that runs was asked."""
        return bool(self.running) and _follows(QueuedMessage(self.running[-1], self.asked_at), talk)

    def over(self, again: Sequence[Work]) -> None:
        """Note that the turn is over; what it gave way with waits again, before everything else."""
        self.running, self.waited = (), 0.0
        self.is_handed_over, self.gives_way, self.gave_way = False, False, bool(again)
        self.work.extendleft(reversed(again))

    def find(self, message_id: str) -> QueuedMessage | None:
        """Return the waiting form of a platform message."""
        talks = (item for item in self.work if isinstance(item, QueuedMessage))
        return next((talk for talk in talks if talk.stored.inbound.message_id == message_id), None)

    def swap(self, old: QueuedMessage, new: QueuedMessage | None) -> None:
        """Put another form of a message in its place, or take it out."""
        at = next(at for at, item in enumerate(self.work) if item is old)
        if new is None:
            del self.work[at]
        else:
            self.work[at] = new

    def add(self, work: Work) -> None:
        """Put work behind what waits; a change of a message takes the place of an older change that waits.

        What is no question is bounded by itself, so that it never takes the room of one: of what is overheard the
        newest stays, as in the history, and of edits those of the most recently changed messages.
        """
        if isinstance(work, QueuedAmendment):
            changed = work.stored.inbound.message_id
            same = (
                at
                for at, item in enumerate(self.work)
                if isinstance(item, QueuedAmendment) and item.stored.inbound.message_id == changed
            )
            # behind the message itself it stays, and so it may take the place
            if (at := next(same, None)) is not None:
                self.work[at] = work
                return
        self.work.append(work)
        if isinstance(work, QueuedAmendment):
            self._bound(lambda item: isinstance(item, QueuedAmendment) and item.stored.inbound.kind is InboundKind.EDIT)
        elif isinstance(work, AmbientMessage):
            self._bound(lambda item: isinstance(item, AmbientMessage))
        elif isinstance(work, QueuedUnfurl):
            self._bound(lambda item: isinstance(item, QueuedUnfurl))

    def _bound(self, is_one: Callable[[Work], bool]) -> None:
        if len(self.work) <= MAX_ASIDE:
            return
        places = [at for at, item in enumerate(self.work) if is_one(item)]
        if len(places) > MAX_ASIDE:
            del self.work[places[0]]

    def take(self, tier_of: TierOf, *, one: bool) -> list[Work]:
        """Take out the first thought, or the next turn's with all that is heard before another tier speaks.

        Results stay for a turn of their own.
        """
        following = self.next_pieces() if one else self.next_talks(tier_of)
        own, taken = set(map(id, following.talks)), list[Work]()
        for item in self._before_fresh_start():
            if isinstance(item, QueuedMessage) and id(item) not in own:
                break
            if not isinstance(item, QueuedResult):
                taken.append(item)
        return self._taken(taken)

    def take_overheard(self) -> list[AmbientMessage]:
        """Take out what comes first and becomes history without a turn."""
        taken: list[AmbientMessage] = []
        while self.work and isinstance(first := self.work[0], AmbientMessage):
            taken.append(first)
            self.work.popleft()
        return taken

    @property
    def waiting_results(self) -> list[QueuedResult]:
        """The results that belong together with the oldest one: those that go back to the same message."""
        found = [item for item in self.work if isinstance(item, QueuedResult)]
        return [item for item in found if item.stored.inbound.replies_to == found[0].stored.inbound.replies_to]

    def take_returned(self) -> list[Work]:
        """Take out the results that belong together."""
        return self._taken(list(self.waiting_results))

    def _taken(self, items: list[Work]) -> list[Work]:
        gone = set(map(id, items))
        left = [item for item in self.work if id(item) not in gone]
        self.work.clear()
        self.work.extend(left)
        return items

    def _before_fresh_start(self) -> list[Work]:
        return list(itertools.takewhile(lambda item: not isinstance(item, ResetChannel | UndoReset), self.work))


class ChannelQueues:
    """The lanes of the channels that have work."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._lanes: dict[ChannelKey, ChannelQueue] = {}
        self._last_talk: dict[ChannelKey, float] = {}

    def lane(self, key: ChannelKey) -> ChannelQueue | None:
        """Return a channel's lane if it has one."""
        return self._lanes.get(key)

    @property
    def channels(self) -> set[ChannelId]:
        """The channels that have work."""
        return {key.channel for key in self._lanes}

    def put(self, key: ChannelKey, work: Work) -> bool:
        """Add work; True when the channel was idle, so that somebody must start it."""
        lane = self._lanes.get(key)
        idle = lane is None
        if lane is None:
            lane = self._lanes[key] = ChannelQueue(key)
        lane.add(work)
        return idle

    def close(self, lane: ChannelQueue) -> None:
        """Forget a channel that has nothing left to do."""
        if self._lanes.get(lane.key) is lane:
            del self._lanes[lane.key]

    def follow(self, moves: ChannelMoves) -> None:
        """Let what waits wait where its channel is now, before what waits there."""
        for old, lane in list(self._lanes.items()):
            now = moves.key(old)
            if now == old:
                continue
            del self._lanes[old]
            lane.key, waiting = now, [_as_now(item, moves) for item in lane.work]
            there = self._lanes.setdefault(now, lane)
            lane.work.clear()
            there.work.extendleft(reversed(waiting))
            if there is not lane:
                # its turn ends beside those of the other lane, whose live channel knows nothing of it
                lane.work.append(ReloadChannel())

    def waiting(self, key: ChannelKey) -> int:
        """Say how many questions wait in a channel; edits and overheard talk are bounded by themselves."""
        lane = self._lanes.get(key)
        return sum(isinstance(item, QueuedMessage) for item in lane.work) if lane is not None else 0

    def burst(self, key: ChannelKey, waiting: list[QueuedMessage]) -> MessageBurst:
        """Describe what waits, with the time of the message before it."""
        times = [talk.at for talk in waiting]
        return MessageBurst(self._last_talk.get(key), min(times), max(times), len(times))

    def note_talk(self, key: ChannelKey, at: float, memory: float) -> None:
        """Remember when a channel last spoke; what is older than `memory` seconds is forgotten on the way."""
        self._last_talk.pop(key, None)
        self._last_talk[key] = at
        while self._last_talk:
            oldest = next(iter(self._last_talk))
            if self._clock.monotonic() - self._last_talk[oldest] <= memory:
                break
            del self._last_talk[oldest]

    def health(self, key: ChannelKey) -> QueueHealth:
        """Say what waits and what runs."""
        lane = self._lanes.get(key)
        if lane is None:
            return QueueHealth()
        now = self._clock.monotonic()
        talks = [item for item in lane.work if isinstance(item, QueuedMessage | QueuedResult)]
        oldest = min((talk.at for talk in talks), default=now)
        return QueueHealth(
            waiting=len(talks),
            oldest_wait_ms=round((now - oldest) * 1000),
            running_ms=round((now - lane.running_since) * 1000) if lane.running else 0,
            running_what=_answering(len(lane.running)),
        )

    def __len__(self) -> int:
        return len(self._lanes)


def _follows(earlier: QueuedMessage, later: QueuedMessage) -> bool:
    return later.at - earlier.at <= MOMENT_SECONDS and continues_thought(earlier.stored.inbound, later.stored.inbound)


def _as_now(work: Work, moves: ChannelMoves) -> Work:
    if isinstance(work, ResetChannel | UndoReset | ReloadChannel):
        return work
    if isinstance(work, QueuedUnfurl):
        return QueuedUnfurl(moves.as_now(work.inbound))
    inbound = moves.as_now(work.stored.inbound)
    return work._replace(stored=work.stored.model_copy(update={"inbound": inbound}))


def _answering(messages: int) -> str:
    return f"answering {messages} message{'s' * (messages != 1)}" if messages else ""
