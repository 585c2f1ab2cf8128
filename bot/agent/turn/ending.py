"""How a turn ended, and what people are told when it ended badly."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import get_args

from bot.domain.ledger import FailReason
from bot.domain.turn import TurnStatus
from bot.errors import ProviderError, ProviderFault
from bot.prompts import render
from bot.tools.runtime.effects import SkipCategory

_UNSENDABLE = frozenset(
    {
        ProviderFault.CONTEXT_LENGTH,
        ProviderFault.TOOL_PAIRING,
        ProviderFault.BAD_REQUEST,
        ProviderFault.FLAGGED,
        ProviderFault.TOO_LARGE,
    }
)


@dataclass(frozen=True, slots=True)
class TurnResult:
    """The one decision of a turn. `text` is still to be sent; a `poisonous` turn must not become history."""

    status: TurnStatus
    reason: str = ""
    text: str = ""
    failure: FailReason | None = None
    fault: ProviderFault | None = None
    poisonous: bool = False
    wait: float = 0.0
    """Seconds after which the model service may be asked again, where it said so."""


CANCELLED = TurnResult(TurnStatus.CANCELLED, "stopped")
GAVE_WAY = TurnResult(TurnStatus.INTERRUPTED, "more of the same thought came a moment later, before anything was shown")
"""Begun again at once with what came."""


def replied_result(text: str = "", reason: str = "") -> TurnResult:
    """Something was said, or will be."""
    return TurnResult(TurnStatus.REPLIED, reason, text)


def skipped_result(category: str, reason: str) -> TurnResult:
    """The model chose to say nothing."""
    return TurnResult(TurnStatus.SKIPPED, f"{category}: {reason}")


def failed_result(failure: FailReason, detail: str) -> TurnResult:
    """No answer came about; the first word of the reason says why."""
    poisonous = failure is FailReason.TOO_LARGE
    return TurnResult(TurnStatus.FAILED, f"{failure}: {detail}", failure=failure, poisonous=poisonous)


def failed_by(error: ProviderError) -> TurnResult:
    """The model service gave no answer."""
    too_large = error.fault is ProviderFault.CONTEXT_LENGTH
    failure = FailReason.TOO_LARGE if too_large else FailReason.PROVIDER
    return TurnResult(
        TurnStatus.FAILED,
        f"{failure}: {error.fault}: {error}",
        failure=failure,
        # that a model is left alone is no reason; what it failed with is one
        fault=error.behind or error.fault,
        # what no model takes must not be sent again with the next message
        poisonous=error.fault in _UNSENDABLE,
        wait=error.retry_after or 0.0,
    )


def code_of(ending: TurnResult) -> str:
    """Say in a word or two why a turn ended badly or in silence, and in none that a model or a person chose."""
    if ending.failure is not None:
        return f"{ending.failure}:{ending.fault}" if ending.fault is not None else str(ending.failure)
    category = ending.reason.partition(":")[0]
    return category if ending.status is TurnStatus.SKIPPED and category in get_args(SkipCategory) else ""


def failure_notice(ending: TurnResult) -> str:
    """Return the honest line for the channel; it holds no detail that only operators may know."""
    failure, minutes = ending.failure or FailReason.INTERNAL, math.ceil(ending.wait / 60)
    return render("notices", failure=failure, fault=ending.fault or "", minutes=minutes)
