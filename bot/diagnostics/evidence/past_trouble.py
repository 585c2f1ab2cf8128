"""Read from the newest messages whether what failed one of them is over: others were answered since."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile

from bot.diagnostics.evidence.evidence import PastTrouble
from bot.domain.ledger import Outcome, StoredInbound

_FAILED_OUTCOMES = frozenset({Outcome.FAILED, Outcome.INTERRUPTED})


def past_trouble(newest_first: Sequence[StoredInbound], about: StoredInbound | None) -> PastTrouble | None:
    """Return from when to when messages failed as this one did; None where none was answered since."""
    if about is None or about.outcome not in _FAILED_OUTCOMES:
        return None
    answered = [one for one in newest_first if one.id > about.id and one.outcome is Outcome.REPLIED]
    if not answered:
        return None
    run = [about, *_alike(reversed(newest_first), about), *_alike(newest_first, about)]
    times = [one.arrived_at for one in run]
    return PastTrouble(begun_at=min(times), ended_at=max(times), answered=len(answered))


def _alike(ordered: Sequence[StoredInbound] | Iterator[StoredInbound], about: StoredInbound) -> list[StoredInbound]:
    """Return what failed for the same reason next to a message, on the far side of it in this order."""
    beyond = list(ordered)
    here = next((n for n, one in enumerate(beyond) if one.id == about.id), len(beyond))
    beside = takewhile(lambda one: one.outcome is not Outcome.REPLIED, beyond[here + 1 :])
    return [one for one in beside if one.outcome is about.outcome and one.outcome_reason == about.outcome_reason]
