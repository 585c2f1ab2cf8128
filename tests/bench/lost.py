"""Count lost facts of which the message is found: `python -m tests.bench.lost [--missed]`; JSON."""

from __future__ import annotations

from collections.abc import Sequence

from bot.mind.fact_search import HeldFact
from bot.mind.lost_facts import lost_fact
from tests.bench._denial_cases import NOISE
from tests.bench._halves import main
from tests.bench._lost_cases import LOST, NEVER_SAID, LostCase
from tests.bench.denials import line_of


def found_in(case: LostCase) -> HeldFact | None:
    told = [line_of(*one) for one in NOISE[:5]]
    gone = [line_of(*one) for one in (*NOISE[5:], (case.who, case.said))]
    return lost_fact(case.answer, case.asked, "ann", case.question, (gone, told), ("ann", "bob", "carla"))


def is_found(case: LostCase) -> bool:
    found = found_in(case)
    return found is not None and found.told.line.text == case.said


def wrong(lost: Sequence[LostCase], never: Sequence[LostCase]) -> tuple[list[LostCase], list[LostCase]]:
    """Return the lost facts that were not found, and what was found although it never was said."""
    return [case for case in lost if not is_found(case)], [case for case in never if found_in(case) is not None]


HALVES = (("written_before", LOST, NEVER_SAID),)


if __name__ == "__main__":
    main(__doc__, HALVES, wrong, lambda case: f"{case.language} {case.question or case.asked} | {case.said}")
