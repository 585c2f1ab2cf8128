"""Say what the platform minded about an answer, once for all rules that are about deliveries."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from bot.diagnostics.evidence.evidence import Evidence
from bot.diagnostics.evidence.evidence_reader import outcome, ref
from bot.diagnostics.evidence.failures import ANSWERS, FailureCause, cause_of_failure
from bot.domain.delivery_failures import REASONS, UNREACHABLE_CODES, code_in
from bot.domain.finding import EvidenceRef
from bot.domain.handles import HandleKind
from bot.domain.ledger import LedgerStage, Outcome, StageRow
from bot.domain.turn import OutboxState, StoredOutbox
from bot.sentences import say

_UNTAKEN_STATES = frozenset({OutboxState.NEW, OutboxState.SENDING, OutboxState.DEAD})
"""Chunks of which the newest word of their platform is that it does not take them, or not yet."""


_PENDING_STATES = frozenset({OutboxState.NEW, OutboxState.SENDING})


class PlatformObjection(StrEnum):
    """What a platform minds, as adapters name it in the code of a DeliveryError."""

    TOO_LONG = "too_long"
    MARKUP = "markup"
    FLOOD = "flood"
    DM_CLOSED = "dm_closed"
    MIGRATED = "migrated"
    SLOW_MODE = "slow_mode"


class WriteHindrance(StrEnum):
    """What keeps the bot from writing in a channel, as adapters name it in a DeliveryError or in a probe."""

    RIGHTS = "rights"
    NO_ACCESS = "no_access"
    NO_RIGHTS = "no_rights"
    ARCHIVED = "archived"
    LOCKED = "locked"
    TIMED_OUT = "timed_out"
    PENDING = "pending"
    QUARANTINED = "quarantined"
    HIDDEN = "hidden"


class HinderedChunk(NamedTuple):
    """A chunk that did not go out, and what stood in its way."""

    hindrance: WriteHindrance
    row: StoredOutbox


class RefusedChunk(NamedTuple):
    """A chunk that did not go out, and what the platform minds about it."""

    objection: PlatformObjection
    row: StoredOutbox


class DeclinedChunk(NamedTuple):
    """A chunk that did not go out, and the reason as adapters name it, which is neither a right nor the text."""

    reason: str
    row: StoredOutbox

    @property
    def words(self) -> str:
        """What the platform said, with its number."""
        return self.row.error.partition(": ")[2]


def lost_chunks(evidence: Evidence) -> tuple[StoredOutbox, ...]:
    """Return the chunks of the answer that the platform has not taken."""
    rows = evidence.turn.outbox if evidence.turn else ()
    return tuple(row for row in rows if row.body.kind in ANSWERS and row.state is not OutboxState.SENT)


def waiting_chunk(evidence: Evidence) -> StoredOutbox | None:
    """Return the first chunk of the answer that waits until its platform can be reached."""
    why = {evidence.adapter.code} if evidence.adapter else set()
    late = (row for row in lost_chunks(evidence) if row.state in _PENDING_STATES and row.error)
    return next((row for row in late if not UNREACHABLE_CODES.isdisjoint(why | {code_in(row.error)})), None)


def has_arrived(evidence: Evidence) -> bool:
    """Say whether the platform has taken every chunk of the answer, be it at the second try that somebody asked for."""
    rows = evidence.turn.outbox if evidence.turn else ()
    return any(row.body.kind in ANSWERS for row in rows) and not lost_chunks(evidence)


def refused_chunk(evidence: Evidence) -> RefusedChunk | None:
    """Return the first chunk of the answer that the platform objects to in a word that is known."""
    failed = cause_of_failure(evidence) is FailureCause.SWALLOWED or outcome(evidence) is Outcome.REPLIED
    return next((found for row in lost_chunks(evidence) if (found := objection_to(row))), None) if failed else None


def hindered_chunk(evidence: Evidence) -> HinderedChunk | None:
    """Return the first chunk of the answer that the platform does not let the bot write there."""
    failed = cause_of_failure(evidence) is FailureCause.SWALLOWED or outcome(evidence) is Outcome.REPLIED
    words = {row.row: code_in(row.error) for row in lost_chunks(evidence)} if failed else {}
    known = (row for row in lost_chunks(evidence) if words.get(row.row) in set(WriteHindrance))
    return next((HinderedChunk(WriteHindrance(words[row.row]), row) for row in known), None)


def declined_chunk(evidence: Evidence) -> DeclinedChunk | None:
    """Return the first chunk of the answer that the platform refuses for a reason of its own, known or not."""
    failed = cause_of_failure(evidence) is FailureCause.SWALLOWED or outcome(evidence) is Outcome.REPLIED
    found = (DeclinedChunk(code_in(row.error), row) for row in lost_chunks(evidence) if row.state is OutboxState.DEAD)
    return next((one for one in found if one.reason in REASONS and one.words), None) if failed else None


def objection_to(row: StoredOutbox) -> RefusedChunk | None:
    """Return what the platform minds about a chunk, where it says so in a word that is known."""
    word = code_in(row.error)
    known = row.state in _UNTAKEN_STATES and word in set(PlatformObjection)
    return RefusedChunk(PlatformObjection(word), row) if known else None


def delivered_without_marks(evidence: Evidence) -> StageRow | None:
    """Return the delivery of the answer's part that went out without its marks, where one did."""
    about = evidence.target.about
    rows = about.stages if about and about.inbound.outcome is Outcome.REPLIED else ()
    return next(
        (
            row
            for row in rows
            if row.stage is LedgerStage.DELIVERED and ("note", PlatformObjection.MARKUP) in row.detail
        ),
        None,
    )


def chunk_ref(row: StoredOutbox, state: str) -> tuple[EvidenceRef, ...]:
    """Point at a chunk: which part of how many it is, and what became of it."""
    what = say("deliveries.part", part=row.body.part + 1, parts=row.body.parts, state=state)
    return ref(HandleKind.DELIVERY, row.row, what)
