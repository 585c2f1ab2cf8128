"""Read from a trail what others did with the answer after it was delivered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from bot.diagnostics.evidence.adapter_facts import fact
from bot.diagnostics.evidence.evidence import Evidence
from bot.diagnostics.evidence.evidence_reader import outcome
from bot.domain.health import DELETIONS
from bot.domain.ledger import (
    AFTER_CHANGED,
    AFTER_DELETED,
    AFTER_DELETED_BY,
    AFTER_REACTION,
    LedgerStage,
    Outcome,
    StageRow,
)

"""What stays open of an answer where a platform tells nobody of deletions."""
_REPLY = "reply"


class RemovedAnswer(NamedTuple):
    """Parts of an answer that somebody deleted: the newest of them, when they had gone out and when they went.

    `by` is who, as far as that is known. Times are UTC ms.
    """

    delivery: str
    parts: int
    of: int
    sent_at: int
    at: int
    by: str

    @property
    def stood_ms(self) -> int:
        """How long it stood there."""
        return max(0, self.at - self.sent_at)


def removed_answer(evidence: Evidence) -> RemovedAnswer | None:
    """Return what was deleted of the answer; None where all of it stands, as far as the platform told."""
    rows = _after(evidence, AFTER_DELETED)
    sent = {_of(row, "delivery"): row for row in _rows(evidence) if row.stage is LedgerStage.DELIVERED}
    gone = {name: row for row in rows if (name := _of(row, "delivery")) in sent and sent[name].reason == _REPLY}
    if not gone:
        return None
    name, newest = list(gone.items())[-1]
    of = _of(newest, "part").rpartition(" ")[2]
    by = next((_of(row, "by") for row in reversed(_after(evidence, AFTER_DELETED_BY))), "")
    return RemovedAnswer(name, len(gone), int(of) if of.isdecimal() else 1, sent[name].at, newest.at, by)


class ChangedAnswer(NamedTuple):
    """A part of an answer that another program changed last, and when (UTC ms)."""

    delivery: str
    at: int


def changed_answer(evidence: Evidence) -> ChangedAnswer | None:
    """Return what another program with the bot's account made of the answer; None where it left it alone."""
    rows = _after(evidence, AFTER_CHANGED)
    return ChangedAnswer(_of(rows[-1], "delivery"), rows[-1].at) if rows else None


def reactions(evidence: Evidence) -> tuple[tuple[str, int], ...]:
    """Count what people think of the answer, the most frequent first; what they took back is not counted."""
    counted: Counter[str] = Counter()
    for row in _after(evidence, AFTER_REACTION):
        for what in _of(row, "what").split():
            counted[what[1:]] += 1 if what.startswith("+") else -1
    return tuple((what, count) for what, count in counted.most_common() if what and count > 0)


def may_be_unseen(evidence: Evidence) -> bool:
    """Say whether an answer could be deleted there without a word to the bot."""
    adapter = evidence.adapter
    return outcome(evidence) is Outcome.REPLIED and adapter is not None and fact(adapter.facts, DELETIONS) == "no"


def _after(evidence: Evidence, reason: str) -> list[StageRow]:
    return [row for row in _rows(evidence) if row.stage is LedgerStage.AFTERWARDS and row.reason == reason]


def _rows(evidence: Evidence) -> Iterator[StageRow]:
    yield from evidence.target.about.stages if evidence.target.about else ()


def _of(row: StageRow, name: str) -> str:
    return dict(row.detail).get(name, "")
