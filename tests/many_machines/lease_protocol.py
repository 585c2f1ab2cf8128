"""The lease of one channel as a model: what two workers, a database and a chat service can do, one step at a time.

Nothing runs here. A state is a value, a step makes the next one, and `reachable` walks every order of steps there is: a
worker that sleeps is one whose steps come late, at every point and for as long as time can pass in the model.

What is modelled: a lease by the database's clock alone, an epoch that every taking raises, commits that hold only where
the epoch is still theirs, replies as intents of that commit, and what a new owner does with intents it finds begun.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import NamedTuple

LEASE = 2
"""Ticks that a lease holds."""


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
    """A process: the epoch that it believes in (0: none), what it does next, and about which message."""

    epoch: int = 0
    doing: Doing = Doing.IDLE
    message: int = 0


class State(NamedTuple):
    """Everything: the database's clock, the lease, each message's reply, who answered, what people saw, the workers."""

    clock: int
    epoch: int
    owner: int
    until: int
    replies: tuple[Reply, ...]
    answered_in: tuple[int, ...]
    seen: tuple[int, ...]
    workers: tuple[Worker, ...]
    crashes: int
    fenced: bool = True

    def with_worker(self, at: int, worker: Worker) -> State:
        """Return the state with another worker in its place."""
        return self._replace(workers=(*self.workers[:at], worker, *self.workers[at + 1 :]))

    def with_reply(self, message: int, reply: Reply) -> State:
        """Return the state with something else stored of a reply."""
        return self._replace(replies=(*self.replies[:message], reply, *self.replies[message + 1 :]))

    def owns(self, worker: Worker) -> bool:
        """Say whether a transaction of that worker holds: its row of the channel still has its epoch."""
        return not self.fenced or (worker.epoch == self.epoch and worker.epoch > 0)


@dataclass(frozen=True)
class Protocol:
    """What can happen. `ticks` is how long the database's clock runs, `crashes` how many processes may be killed."""

    service: Service
    messages: int = 2
    workers: int = 2
    ticks: int = 4
    crashes: int = 1
    fenced: bool = True

    def start(self) -> State:
        """All messages have arrived, and nobody has the channel."""
        return State(
            0,
            0,
            -1,
            0,
            (Reply.NONE,) * self.messages,
            (0,) * self.messages,
            (),
            (Worker(),) * self.workers,
            self.crashes,
            self.fenced,
        )

    def steps(self, state: State) -> Iterator[State]:
        """Every state that one step leads to."""
        # the lease of a dead owner runs out, however late it is
        is_dead = state.until > state.clock and all(one.epoch != state.epoch for one in state.workers)
        if state.clock < self.ticks or is_dead:
            yield state._replace(clock=state.clock + 1)
        for at, worker in enumerate(state.workers):
            if state.crashes and worker != Worker():
                yield state.with_worker(at, Worker())._replace(crashes=state.crashes - 1)
            yield from self._of(state, at, worker)

    def _of(self, state: State, at: int, worker: Worker) -> Iterator[State]:
        if worker.epoch == 0:
            if state.until <= state.clock:
                taken = state._replace(epoch=state.epoch + 1, owner=at, until=state.clock + LEASE)
                yield taken.with_worker(at, Worker(state.epoch + 1))
            return
        if worker.doing is Doing.IDLE:
            if state.owner == at and state.epoch == worker.epoch and state.until < state.clock + LEASE:
                yield state._replace(until=state.clock + LEASE)
            yield from self._begun(state, at, worker)
        else:
            yield self._gone_on(state, at, worker)

    def _begun(self, state: State, at: int, worker: Worker) -> Iterator[State]:
        """Take up the oldest thing that is not done: a reply that is stored before a message that is not answered."""
        for message, reply in enumerate(state.replies):
            if reply in {Reply.SENT, Reply.UNCERTAIN}:
                continue
            if reply is Reply.BEGUN and not self.service.knows_nonces:
                # nobody can know whether it arrived: its people are told, and it is not sent again
                if state.owns(worker):
                    yield state.with_reply(message, Reply.UNCERTAIN)
                else:
                    yield state.with_worker(at, Worker())
                return
            doing = Doing.COMMIT if reply is Reply.NONE else Doing.BEGIN
            yield state.with_worker(at, Worker(worker.epoch, doing, message))
            return

    def _gone_on(self, state: State, at: int, worker: Worker) -> State:
        message, next_one = worker.message, worker._replace
        match worker.doing:
            case Doing.COMMIT:
                if not state.owns(worker) or (state.fenced and state.replies[message] is not Reply.NONE):
                    return state.with_worker(at, Worker())
                answered = (*state.answered_in[:message], state.answered_in[message] + 1)
                stored = state._replace(answered_in=(*answered, *state.answered_in[message + 1 :]))
                return stored.with_reply(message, Reply.QUEUED).with_worker(at, next_one(doing=Doing.BEGIN))
            case Doing.BEGIN:
                if not state.owns(worker):
                    return state.with_worker(at, Worker())
                return state.with_reply(message, Reply.BEGUN).with_worker(at, next_one(doing=Doing.SEND))
            case Doing.SEND:
                shown = not (self.service.knows_nonces and message in state.seen)
                seen = (*state.seen, message) if shown else state.seen
                return state._replace(seen=seen).with_worker(at, next_one(doing=Doing.NOTE))
            case _:
                # an intent that was told as uncertain stays so: whoever slept here may have sent it after that
                noted = state if state.replies[message] is Reply.UNCERTAIN else state.with_reply(message, Reply.SENT)
                return noted.with_worker(at, Worker(worker.epoch))


def reachable(protocol: Protocol) -> Iterator[tuple[State, bool]]:
    """Walk every state that any order of steps leads to; with each, whether nothing more can happen in it."""
    first = protocol.start()
    known, waiting = {first}, deque([first])
    while waiting:
        state = waiting.popleft()
        ends = True
        for after in protocol.steps(state):
            ends = False
            if after not in known:
                known.add(after)
                waiting.append(after)
        yield state, ends


def unfenced(protocol: Protocol) -> Protocol:
    """Return the same without the epoch in commits, as a lock without a fence would have it."""
    return replace(protocol, fenced=False)
