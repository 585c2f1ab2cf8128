"""Trouble with a model service that goes on: since when, how many met it, and what became of them."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum, StrEnum

from pydantic import Field

from bot.domain.base import FrozenModel, digest_text
from bot.domain.ids import AgentId, ChannelId

MAX_PLACES = 500
"""So many channels are counted one by one; beyond that it is enough to know that it is more."""
_MAX_OTHERS = 5
_MAX_WAITING = 100
"""The newest messages that wait are known by row."""


class Incident(FrozenModel):
    """One kind of fault of one service. Times are UTC ms; `ended` is 0 while it goes on.

    `fault` is the word of a `bot.errors.ProviderFault`.

    `models` are those that failed and have not answered since. `places` are digests: how many channels met it can be
    told, and which they are cannot. `failed` counts requests that were given up on, `instead` questions that another
    model answered, and `unanswered` those that nobody did. `others` are models that were to answer in their place and
    did not either.
    """

    provider: str
    fault: str
    since: int
    last: int
    ended: int = 0
    models: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    failed: int = 0
    instead: int = 0
    unanswered: int = 0
    others: tuple[str, ...] = Field((), exclude_if=lambda others: not others)
    waiting: tuple[int, ...] = Field((), exclude_if=lambda value: not value)
    """The ledger rows of messages that got no answer by it, oldest first."""
    people: tuple[str, ...] = Field((), exclude_if=lambda value: not value)
    """Digests of who wrote them."""
    again_at: int = 0
    """When a service that limits the rate wants to be asked again (0: it did not say)."""

    @property
    def kind(self) -> str:
        """What it is known by: one that begins later is another one."""
        return f"incident:{self.provider}:{self.fault}:{self.since}"

    def met(self, model: str, place: str, at: int, again_at: int = 0) -> Incident:
        """Return it with one more request that failed so, which is also what begins it again."""
        found = digest_text(place)[:12]
        places = self.places if found in self.places else (*self.places, found)[:MAX_PLACES]
        return self.replace(
            last=at,
            ended=0,
            models=self.models if model in self.models else (*self.models, model),
            places=places,
            failed=self.failed + 1,
            again_at=again_at or self.again_at,
        )

    def kept_waiting(self, row: int, person: str) -> Incident:
        """Return it with one more message that got no answer."""
        return self.replace(waiting=_added(self.waiting, row), people=_with_person(self.people, person))

    def left_alone(self, asked: Sequence[str]) -> Incident:
        """Return it with one more question that none of the models answered which were to."""
        others = dict.fromkeys((*self.others, *(model for model in asked if model not in self.models)))
        return self.replace(unanswered=self.unanswered + 1, others=tuple(others)[:_MAX_OTHERS])

    def recovered(self, model: str, at: int) -> Incident:
        """Return it without a model that has answered; it is over with the last of them."""
        left = tuple(one for one in self.models if one != model)
        return self.replace(models=left, ended=self.ended or (0 if left else at))


class CardAction(IntEnum):
    """What a button below a message that follows trouble offers."""

    ANSWER = 1
    TELL = 2
    MODEL = 3
    WHY = 4


class TroubleKind(StrEnum):
    """What goes wrong in one channel."""

    SKIPS = "skips"
    FAILURES = "failures"
    CONTEXT = "context"
    RIGHTS = "rights"


class ChannelTrouble(FrozenModel):
    """What goes wrong in one channel, from its beginning to its end. Times are UTC ms; `ended` is 0 while it goes on.

    `count` of the last `of` turns ended so; before, `before` of twenty. `code` is the word for most of them.

    Where rights are gone, `places` are the channels of the same server or group where they are, and `widest` is how
    many those were at most; `code` is what a probe calls it, `missing` names the rights, `denied` who keeps them back,
    `fix` is what gives them back, and `until` when that happens by itself (UTC ms; 0: it does not).
    """

    what: TroubleKind
    agent: AgentId
    channel: ChannelId
    since: int
    last: int
    ended: int = 0
    count: int = 0
    of: int = 0
    before: int = 0
    code: str = ""
    percent: float = 0.0
    waiting: tuple[int, ...] = ()
    people: tuple[str, ...] = ()
    places: tuple[ChannelId, ...] = Field((), exclude_if=lambda value: not value)
    widest: int = Field(0, exclude_if=lambda value: not value)
    missing: str = Field("", exclude_if=lambda value: not value)
    denied: str = Field("", exclude_if=lambda value: not value)
    fix: str = Field("", exclude_if=lambda value: not value)
    until: int = Field(0, exclude_if=lambda value: not value)

    @property
    def kind(self) -> str:
        """What it is known by: one that begins later is another one."""
        return f"channel:{self.what}:{self.agent}:{self.channel}:{self.since}"

    def kept_waiting(self, row: int, person: str) -> ChannelTrouble:
        """Return it with one more message that got no answer."""
        return self.replace(waiting=_added(self.waiting, row), people=_with_person(self.people, person))


Followed = Incident | ChannelTrouble
"""What one message follows to its end."""


def _added(rows: tuple[int, ...], row: int) -> tuple[int, ...]:
    return rows if not row or row in rows else (*rows, row)[-_MAX_WAITING:]


def _with_person(people: tuple[str, ...], person: str) -> tuple[str, ...]:
    found = digest_text(person)[:12] if person else ""
    return people if not found or found in people else (*people, found)[-_MAX_WAITING:]
