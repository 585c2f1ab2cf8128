"""How well the readers of words do on wordings written in many voices: `tests/bench/wording_cases`."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tests.bench.wordings import judged

CASES = Path(__file__).parents[2] / "bench" / "wording_cases"
LEAST_SEEN = {
    "silence silencing": 0.9,
    "contradictions contradicts": 0.8,
    "denials denied": 0.7,
    "claims_false": 0.85,
    "questions": 0.85,
}
LEAST_OF_A_STRANGER = LEAST_SEEN | {"contradictions contradicts": 0.6}
MOST_ALARMS = {"silence innocent": 0.03, "contradictions fine": 0.03, "denials fine": 0.03, "claims_honest": 0.04}


@pytest.mark.parametrize(
    ("corpus", "least"), [("first", LEAST_SEEN), ("second", LEAST_SEEN), ("third", LEAST_OF_A_STRANGER)]
)
def test_what_is_meant_is_seen_in_many_wordings_and_the_harmless_left_alone(corpus, least):
    cases, taken = Counter[str](), Counter[str]()
    for one in judged(CASES / corpus):
        kind = "questions" if one.kind.startswith("questions ") else one.kind
        cases[kind] += 1
        taken[kind] += one.taken
    for kind, share in least.items():
        assert cases[kind] and taken[kind] >= share * cases[kind], (kind, taken[kind], cases[kind])
    for kind, share in MOST_ALARMS.items():
        assert cases[kind] and taken[kind] <= share * cases[kind], (kind, taken[kind], cases[kind])
