"""Count false claims that are seen, and honest ones taken for one: `python -m tests.bench.claims [--missed]`; JSON."""

from __future__ import annotations

from collections.abc import Sequence

from bot.domain.turn import ToolCallRecord
from bot.mind.claim_check import false_successes
from tests.bench._claim_cases import (
    FIRST_FALSE,
    FIRST_HONEST,
    INFORMING,
    SECOND_FALSE,
    SECOND_HONEST,
    THIRD_FALSE,
    THIRD_HONEST,
    ClaimCase,
)
from tests.bench._claim_kinds import KINDS_FALSE, KINDS_HONEST
from tests.bench._halves import main

HALVES = (
    ("written before", FIRST_FALSE, FIRST_HONEST),
    ("written after", SECOND_FALSE, SECOND_HONEST),
    ("of how things are", (), INFORMING),
    ("written last", THIRD_FALSE, THIRD_HONEST),
    ("by kind", KINDS_FALSE, KINDS_HONEST),
)


def is_flagged(case: ClaimCase) -> bool:
    calls = [
        ToolCallRecord(
            tool_name=name,
            raw_arguments_json="{}",
            result_output="",
            success=success,
            execution_start=0,
            execution_end=0,
            duration_ms=0,
            order_index=place,
            round_number=1,
        )
        for place, (name, success) in enumerate(case.calls)
    ]
    return bool(false_successes(case.answer, calls, case.asked))


def wrong(false: Sequence[ClaimCase], honest: Sequence[ClaimCase]) -> tuple[list[ClaimCase], list[ClaimCase]]:
    """Return the false claims that were not seen, and the honest answers that were taken for one."""
    return [case for case in false if not is_flagged(case)], [case for case in honest if is_flagged(case)]


if __name__ == "__main__":
    main(__doc__, HALVES, wrong, lambda case: f"{case.language} {case.answer}")
