"""Leases of channels as a model: what two workers, a database and a chat service can do, one step at a time.

Nothing runs here. A state is a value, a step makes the next one, and `reachable` walks every order of steps there is: a
worker that sleeps is one whose steps come late, at every point and for as long as time can pass in the model.

What is modelled: leases by the database's clock alone; that taking a channel of a process that was not heard from ends
that process, whatever else it has; transactions one after the other that hold only where their process was not ended;
channels that are given back once they rest; replies as intents of a commit, and what a new owner does with intents it
finds begun.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import NamedTuple

LEASE = 2
"""Ticks for which a process counts as living that is not heard from."""
NOBODY = -1


class Doing(StrEnum):
    """What a worker is about to do next."""

    IDLE = "idle"
    COMMIT = "commit"
    BEGIN = "begin"
    SEND = "send"
    NOTE = "note"


class Reply(StrEnum):
    """What is stored of an intent to reply."""

    NONE = "none"
    QUEUED = "queued"
    BEGUN = "begun"
    SENT = "sent"
    UNCERTAIN = "uncertain"


@dataclass(frozen=True)
class Service:
    """A chat service. `knows_nonces`: what is sent again under the same nonce is not shown again (Discord)."""

    knows_nonces: bool


DISCORD, TELEGRAM = Service(knows_nonces=True), Service(knows_nonces=False)


class Worker(NamedTuple):
    """A process: which owner it is, what it believes to have, what it does next, and about which message.

    One that was killed, or learnt that it was ended, is nobody until it comes back as another owner.
    """

    owner: int = NOBODY
    has: frozenset[int] = frozenset()
    doing: Doing = Doing.IDLE
    message: int = 0


class Owner(NamedTuple):
    """A process as the database knows it."""

    until: int
    ended: bool = False


class Lease(NamedTuple):
    """Who has a channel."""

    owner: int = NOBODY


class State(NamedTuple):
    """Everything: the database's clock, owners and leases, each message's reply, how often it was answered, what
    people saw, and the workers."""

    clock: int
    owners: tuple[Owner, ...]
    leases: tuple[Lease, ...]
    replies: tuple[Reply, ...]
    answered: tuple[int, ...]
    seen: tuple[int, ...]
    workers: tuple[Worker, ...]
    crashes: int
    moves: int

    def with_worker(self, at: int, worker: Worker) -> State:
        """Return the state with another worker in its place."""
        return self._replace(workers=(*self.workers[:at], worker, *self.workers[at + 1 :]))

    def with_reply(self, message: int, reply: Reply) -> State:
        """Return the state with something else stored of a reply."""
        return self._replace(replies=(*self.replies[:message], reply, *self.replies[message + 1 :]))

    def with_owner(self, at: int, owner: Owner) -> State:
        """Return the state with an owner that is known otherwise."""
        return self._replace(owners=(*self.owners[:at], owner, *self.owners[at + 1 :]))

    def with_lease(self, channel: int, lease: Lease) -> State:
        """Return the state with a channel that somebody else has."""
        return self._replace(leases=(*self.leases[:channel], lease, *self.leases[channel + 1 :]))

    def plain(self) -> State:
        """Return the one of all states that differ in nothing that matters.

        Which worker is which does not, nor which numbers owners have, nor what is known of those nobody asks about.
        """
        workers = sorted(self.workers, key=lambda one: (one.owner == NOBODY, one.doing, one.message, sorted(one.has)))
        numbers = {NOBODY: NOBODY}
        for asked in (*workers, *self.leases):
            numbers.setdefault(asked.owner, len(numbers) - 1)
        owners = [self.owners[owner] for owner in numbers if owner != NOBODY]
        return self._replace(
            owners=tuple([Owner(max(owner.until, self.clock), owner.ended) for owner in owners]),
            leases=tuple([Lease(numbers[lease.owner]) for lease in self.leases]),
            workers=tuple([Worker(numbers[one.owner], *one[1:]) for one in workers]),
        )

    def lives(self, owner: int) -> bool:
        """Say whether the database takes an owner for alive."""
        return owner != NOBODY and not self.owners[owner].ended and self.owners[owner].until > self.clock


@dataclass(frozen=True)
class Protocol:
    """What can happen. `ticks` is how long the database's clock runs, `crashes` how many processes may be killed, and
    `moves` how many channels are given back by whoever has them.

    `channel_of` says in which channel each message has arrived.
    """

    service: Service
    channel_of: tuple[int, ...] = (0, 0)
    workers: int = 2
    ticks: int = 4
    crashes: int = 1
    moves: int = 0
    fenced: bool = True
    ends: bool = True
    """Whoever something is taken of is ended for good."""

    def start(self) -> State:
        """All messages have arrived, and nobody has a channel."""
        many, channels = len(self.channel_of), max(self.channel_of) + 1
        nothing = (Reply.NONE,) * many
        workers = (Worker(),) * self.workers
        return State(0, (), (Lease(),) * channels, nothing, (0,) * many, (), workers, self.crashes, self.moves)

    def steps(self, state: State) -> Iterator[State]:
        """Every state that one step leads to."""
        living = {worker.owner for worker in state.workers}
        # the lease of a dead owner runs out, however late it is
        is_dead = any(state.lives(lease.owner) and lease.owner not in living for lease in state.leases)
        if state.clock < self.ticks or is_dead:
            yield state._replace(clock=state.clock + 1)
        for at, worker in enumerate(state.workers):
            if worker.owner == NOBODY:
                born = state._replace(owners=(*state.owners, Owner(state.clock + LEASE)))
                yield born.with_worker(at, Worker(len(state.owners)))
                continue
            if state.crashes:
                yield state.with_worker(at, Worker())._replace(crashes=state.crashes - 1)
            yield from self._of(state, at, worker)

    def _of(self, state: State, at: int, worker: Worker) -> Iterator[State]:
        if worker.doing is not Doing.IDLE:
            yield self._gone_on(state, at, worker)
            return
        owner = state.owners[worker.owner]
        if owner.ended:
            # a renewal is how it learns of it, unless a commit is
            yield state.with_worker(at, Worker())
        elif owner.until < state.clock + LEASE:
            yield state.with_owner(worker.owner, owner._replace(until=state.clock + LEASE))
        for channel, lease in enumerate(state.leases):
            if channel not in worker.has:
                yield from self._taken(state, at, channel)
            elif state.moves and lease.owner == worker.owner and self._rests(state, channel):
                left = worker._replace(has=worker.has - {channel})
                moved = state.with_lease(channel, lease._replace(owner=NOBODY)).with_worker(at, left)
                yield moved._replace(moves=state.moves - 1)
            if channel in worker.has:
                yield from self._begun(state, at, channel)

    def _taken(self, state: State, at: int, channel: int) -> Iterator[State]:
        """Take a channel, in one transaction; somebody who is not heard from is ended by it."""
        worker, lease = state.workers[at], state.leases[channel]
        if not state.lives(worker.owner) or state.lives(lease.owner):
            return
        if lease.owner != NOBODY and self.ends:
            state = state.with_owner(lease.owner, state.owners[lease.owner]._replace(ended=True))
        taken = state.with_lease(channel, Lease(worker.owner))
        yield taken.with_worker(at, worker._replace(has=worker.has | {channel}))

    def _rests(self, state: State, channel: int) -> bool:
        on_its_way = {Reply.QUEUED, Reply.BEGUN}
        return not any(
            reply in on_its_way and of == channel for reply, of in zip(state.replies, self.channel_of, strict=True)
        )

    def _owns(self, state: State, worker: Worker) -> bool:
        """Say whether a transaction of that worker holds: it was not ended."""
        return not self.fenced or not state.owners[worker.owner].ended

    def _begun(self, state: State, at: int, channel: int) -> Iterator[State]:
        """Take up the oldest thing that is not done: a reply that is stored before a message that is not answered."""
        worker = state.workers[at]
        for message, reply in enumerate(state.replies):
            if self.channel_of[message] != channel or reply in {Reply.SENT, Reply.UNCERTAIN}:
                continue
            if reply is Reply.BEGUN and not self.service.knows_nonces:
                # nobody can know whether it arrived: its people are told, and it is not sent again
                if self._owns(state, worker):
                    yield state.with_reply(message, Reply.UNCERTAIN)
                else:
                    yield state.with_worker(at, Worker())
                return
            doing = Doing.COMMIT if reply is Reply.NONE else Doing.BEGIN
            yield state.with_worker(at, worker._replace(doing=doing, message=message))
            return

    def _gone_on(self, state: State, at: int, worker: Worker) -> State:
        message, next_one = worker.message, worker._replace
        if worker.doing is Doing.SEND:
            shown = not (self.service.knows_nonces and message in state.seen)
            seen = (*state.seen, message) if shown else state.seen
            return state._replace(seen=seen).with_worker(at, next_one(doing=Doing.NOTE))
        if not self._owns(state, worker):
            return state.with_worker(at, Worker())
        match worker.doing:
            case Doing.COMMIT:
                answered = (*state.answered[:message], state.answered[message] + 1, *state.answered[message + 1 :])
                stored = state._replace(answered=answered).with_reply(message, Reply.QUEUED)
                return stored.with_worker(at, next_one(doing=Doing.BEGIN))
            case Doing.BEGIN:
                return state.with_reply(message, Reply.BEGUN).with_worker(at, next_one(doing=Doing.SEND))
            case _:
                # an intent that was told as uncertain stays so: whoever slept here may have sent it after that
                noted = state if state.replies[message] is Reply.UNCERTAIN else state.with_reply(message, Reply.SENT)
                return noted.with_worker(at, worker._replace(doing=Doing.IDLE, message=0))


def reachable(protocol: Protocol) -> Iterator[tuple[State, bool]]:
    """Walk every state that any order of steps leads to; with each, whether nothing more can happen in it."""
    first = protocol.start()
    known, waiting = {first}, deque([first])
    while waiting:
        state = waiting.popleft()
        ends = True
        for step in protocol.steps(state):
            after, ends = step.plain(), False
            if after not in known:
                known.add(after)
                waiting.append(after)
        yield state, ends


def unfenced(protocol: Protocol) -> Protocol:
    """Return the same without a fence in commits, as a lock without one would have it."""
    return replace(protocol, fenced=False)


def coming_back(protocol: Protocol) -> Protocol:
    """Return the same without an end for good: whoever slept, and lost something, lives again with its next renewal."""
    return replace(protocol, ends=False)
