"""A service that read only a part of what it was sent is known by its own count."""

from __future__ import annotations

import pytest

from bot.domain.partly_read import can_teach_ratio, partly_read
from bot.domain.snapshot import ContextStats, CountMethod, Tokenizer
from tests.fakes import values as v


def stats(total: int, ratio: float = 1.0) -> ContextStats:
    words = Tokenizer(name="words", method=CountMethod.ESTIMATE, ratio=ratio)
    return ContextStats(system_prompt=0, tools=0, history=total, window=32_768, tokenizer=words)


@pytest.mark.parametrize(
    ("sent", "read", "halved", "window"),
    [
        (6000, 2050, 4096, 0),
        (6000, 1999, 0, 0),
        (6000, 4096, 0, 4096),
        (6000, 4095, 0, 4096),
        (9000, 6144, 0, 6144),
    ],
)
def test_a_part_is_told_with_its_sign(sent, read, halved, window):
    found = partly_read(v.llm_request(), stats(sent), read)
    assert found is not None and found == (read, sent, halved, window)
    assert not can_teach_ratio(sent, read)


@pytest.mark.parametrize(
    ("sent", "read"),
    [
        (6000, None),
        (6000, 4000),  # another tokenizer
        (4300, 4096),  # full to the token, but nearly all that there was
        (1200, 300),  # who counts less than any window does not count
        (1400, 512),  # too little to tell
        (2000, 6000),
    ],
)
def test_what_may_have_been_read_whole_is_no_finding(sent, read):
    assert partly_read(v.llm_request(), stats(sent), read) is None


def test_a_ratio_that_was_learned_from_cut_prompts_hides_nothing():
    found = partly_read(v.llm_request(), stats(2100, ratio=0.35), 2050)
    assert found is not None and found.sent == 6000


def test_honest_tokenizers_teach():
    assert can_teach_ratio(1000, 700) and can_teach_ratio(1000, 1600) and can_teach_ratio(1000, 1024)
    assert not can_teach_ratio(1000, 500) and not can_teach_ratio(1500, 1024)
