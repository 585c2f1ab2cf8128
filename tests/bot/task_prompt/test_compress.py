"""Never over the budget by real count, same input same bytes, and every chunk is in, cut, or left out with a reason."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.context.tokens import by_bytes
from bot.task_prompt import (
    ChunkExclusion,
    ChunkMetadata,
    ChunkPriority,
    ChunkType,
    CompressedContext,
    ContextChunk,
    ExclusionReason,
    MandatoryTooLarge,
    block,
    compress,
    count_block,
    prioritise,
)
from bot.task_prompt.compress import MIN_CUT_TOKENS, fair_shares
from bot.task_prompt.truncate import has_structure, truncate
from bot.text.joined_text import BLANK_LINE
from tests.bot.task_prompt.given import PYTHON, chunk, chunks, task, tokens
from tests.fakes.counter import WordCounter
from tests.fakes.lengths import whole_or

WORDS = WordCounter().count
COUNTS = st.sampled_from([tokens(), by_bytes, WORDS])
BUDGET = st.integers(0, 1500)


def joined(result: CompressedContext) -> str:
    return "".join(block(one) + BLANK_LINE for one in result.chunks)


def sized(words: int, source: str, **given_: object) -> ContextChunk:
    return chunk("w " * words, source, **given_)


@settings(max_examples=whole_or(100, 40), deadline=None)
@given(
    count=COUNTS,
    given_=st.lists(chunks(), max_size=7),
    budget=BUDGET,
    request=st.sampled_from(["", "why users page", "error"]),
)
def test_it_never_is_over_the_budget_by_real_count(count, given_, budget, request):
    scored = prioritise([one.model_copy(update={"tokens": count_block(one, count)}) for one in given_], task(request))
    result = compress(scored, budget, count)
    assert result.tokens_used <= result.budget == budget
    assert result.tokens_used == sum(one.tokens for one in result.chunks)
    assert all(one.tokens == count_block(one, count) for one in result.chunks)
    # what is really read is the blocks behind one another
    assert count(joined(result)) <= result.tokens_used


@settings(max_examples=50, deadline=None)
@given(given_=st.lists(chunks(), max_size=6), budget=BUDGET, order=st.randoms())
def test_the_same_chunks_give_the_same_bytes_in_whatever_order_they_come(given_, budget, order):
    first = compress(given_, budget, by_bytes)
    again = list(given_)
    order.shuffle(again)
    second = compress(again, budget, by_bytes)
    assert joined(first) == joined(second)
    assert [(e.source, e.reason) for e in first.excluded] == [(e.source, e.reason) for e in second.excluded]


def test_of_copies_the_newest_stays_whichever_comes_first():
    old, new = (chunk("the same words", "bot/app.py", modified_at=at) for at in (1, 2))
    for given_ in ([old, new], [new, old]):
        result = compress(given_, 1000, by_bytes)
        assert [one.metadata.modified_at for one in result.chunks] == [2]
        assert [e.reason for e in result.excluded] == [ExclusionReason.DUPLICATE]


@settings(max_examples=50, deadline=None)
@given(given_=st.lists(chunks(), max_size=7), budget=BUDGET)
def test_every_chunk_is_in_or_left_out_with_a_reason(given_, budget):
    result = compress(given_, budget, by_bytes)
    assert len(result.chunks) + len(result.excluded) == len(given_)
    assert all(
        one.reason in {ExclusionReason.NO_BUDGET, ExclusionReason.DUPLICATE, ExclusionReason.STALE} and one.detail
        for one in result.excluded
    )
    cut = [one for one in result.chunks if one.metadata.note]
    assert len(cut) == len(result.truncated)
    assert all(one.note and one.rung and one.tokens_after <= budget for one in result.truncated)
    whole = {one.content for one in given_}
    assert all(one.metadata.note or one.content in whole for one in result.chunks)


@settings(max_examples=50, deadline=None)
@given(
    given_=st.lists(chunks(), max_size=5), must=st.lists(chunks(), min_size=1, max_size=3), budget=st.integers(1, 800)
)
def test_what_is_mandatory_is_there_or_an_error_says_so(given_, must, budget):
    critical = [one.model_copy(update={"priority": ChunkPriority.CRITICAL}) for one in must]
    try:
        result = compress([*given_, *critical], budget, by_bytes)
    except MandatoryTooLarge as error:
        assert "must be in the context" in str(error) and str(budget) in str(error)
        return
    assert result.tokens_used <= budget
    sources = [one.source for one in result.chunks if one.priority is ChunkPriority.CRITICAL]
    left = [one for one in result.excluded if one.priority is ChunkPriority.CRITICAL]
    assert {one.reason for one in left} <= {ExclusionReason.DUPLICATE}
    assert len(sources) + len(left) == len(critical)


def test_utilization():
    assert CompressedContext(tokens_used=3500, budget=4000).utilization == 0.875
    assert compress([], 4000, WORDS).utilization == 0.0
    assert compress([], 0, WORDS).utilization == 0.0


def test_what_does_not_fit_is_skipped_and_the_next_is_tried():
    given_ = [sized(90, "large", priority=ChunkPriority.HIGH), sized(20, "small", priority=ChunkPriority.LOW)]
    result = compress(given_, 60, WORDS)
    assert [one.source for one in result.chunks] == ["small"]
    (left,) = result.excluded
    assert (left.source, left.reason) == ("large", ExclusionReason.NO_BUDGET)
    assert left.detail.endswith("60 left")


def test_code_is_cut_where_prose_is_skipped():
    code = chunk(PYTHON * 3, "users.py", language="python", priority=ChunkPriority.HIGH)
    result = compress([code, chunk(PYTHON * 3, "users.txt")], 340, tokens())
    (cut,) = result.truncated
    assert (cut.source, cut.rung) == ("users.py", "bodies")
    assert result.chunks[0].metadata.note.startswith("cut: 9 bodies")
    assert [one.source for one in result.excluded] == ["users.txt"]


def test_of_code_that_does_not_fit_the_short_bodies_are_shown_and_the_long_ones_are_not():
    """What a getter does is said in a line; a reader who sees only its name has to guess."""
    long = "".join(f"    total += weigh(row[{number}], scale={number})\n" for number in range(60))
    short = "def limit(config):\n    return config.limit or 10\n"
    source = f"def add(rows):\n    total = 0\n{long}    return total\n\n\n{short}"
    result = compress([chunk(source, "sums.py", language="python")], 150, tokens())
    (cut,) = result.truncated
    assert (cut.rung, cut.note) == ("long bodies", "cut: the 1 longest body, 62 of 68 lines")
    assert result.chunks[0].content.split("\n") == [
        "def add(rows): ...  # 62 lines",
        "",
        "",
        "def limit(config):",
        "    return config.limit or 10",
    ]
    braces = "function add(rows) {\n" + "  total += row;\n" * 90 + "}\nfunction limit(c) {\n  return c.limit;\n}\n"
    (shown,) = compress([chunk(braces, "sums.js", language="javascript")], 150, tokens()).chunks
    assert "return c.limit;" in shown.content and "/* 90 lines */" in shown.content


def test_nothing_is_cut_into_less_than_fifty_tokens():
    code = chunk(PYTHON * 9, "users.py", language="python")
    assert not compress([code], MIN_CUT_TOKENS - 1, tokens()).chunks
    assert compress([code], MIN_CUT_TOKENS, tokens()).chunks


@settings(max_examples=80, deadline=None)
@given(given_=st.lists(chunks(), max_size=8), must=st.sets(st.integers(0, 7), max_size=2), budget=BUDGET)
def test_each_is_admitted_in_its_order_whole_cut_from_fifty_tokens_on_or_skipped(given_, must, budget):
    different = [
        chunk(
            f"{n}\n{one.content}",
            f"s{n}",
            chunk_type=one.chunk_type,
            priority=ChunkPriority.CRITICAL if n in must else one.priority,
            language=one.metadata.language,
        )
        for n, one in enumerate(given_)
    ]
    scored = [
        one.model_copy(update={"tokens": count_block(one, by_bytes)}) for one in prioritise(different, task("users"))
    ]
    try:
        result = compress(scored, budget, by_bytes)
    except MandatoryTooLarge:
        return
    ranked = sorted(scored, key=lambda one: (-one.metadata.score.total, one.source, one.id))
    critical = [one for one in ranked if one.priority is ChunkPriority.CRITICAL]
    inside = {one.source: one for one in result.chunks}
    assert [one.source for one in result.chunks[: len(critical)]] == [one.source for one in critical]
    left = budget - sum(inside[one.source].tokens for one in critical)
    rest = [one for one in ranked if one.priority is not ChunkPriority.CRITICAL]
    for one in rest:
        got = inside.get(one.source)
        if one.tokens <= left:
            assert got is not None and got.content == one.content
        elif got is not None:
            assert left >= 50 and has_structure(one) and got.metadata.note
        else:
            assert left < 50 or not has_structure(one) or truncate(one, left, by_bytes) is None
            (why,) = (e for e in result.excluded if e.source == one.source)
            assert why.reason is ExclusionReason.NO_BUDGET and why.detail == f"{one.tokens} tokens, {left} left"
        left -= got.tokens if got else 0
    assert [one.source for one in result.chunks[len(critical) :]] == [o.source for o in rest if o.source in inside]


def test_a_critical_chunk_comes_first_whatever_the_scores():
    low = chunk("it", "must", priority=ChunkPriority.CRITICAL)
    high = prioritise([chunk("that", "must_not", priority=ChunkPriority.HIGH)], task("that must_not matter"))
    assert [one.source for one in compress([*high, low], 400, WORDS).chunks] == ["must", "must_not"]


def test_critical_chunks_share_when_not_all_fit_whole():
    large = [chunk(f"word{n}\n" * 300, f"large {n}", priority=ChunkPriority.CRITICAL) for n in range(2)]
    small = chunk("just this", "small", priority=ChunkPriority.CRITICAL)
    result = compress([*large, small], 200, WORDS)
    assert {one.source: bool(one.metadata.note) for one in result.chunks} == {
        "large 0": True,
        "large 1": True,
        "small": False,
    }
    assert result.tokens_used > 170


def test_what_must_be_there_and_does_not_fit_is_an_error_that_says_what_to_do():
    with pytest.raises(MandatoryTooLarge, match=r"secrets\.py must be in the context \(\d+ tokens\).*Raise the budget"):
        compress([chunk(PYTHON, "secrets.py", priority=ChunkPriority.CRITICAL, language="python")], 3, tokens())


def test_what_was_said_already_is_not_said_again():
    result = compress([chunk("same", "a"), chunk("same", "b"), chunk("same", "a")], 400, WORDS)
    assert [one.source for one in result.chunks] == ["a"]
    assert [(one.source, one.reason, one.detail) for one in result.excluded] == [
        ("a", ExclusionReason.DUPLICATE, "the same as a"),
        ("b", ExclusionReason.DUPLICATE, "the same as a"),
    ]


def test_an_older_state_of_the_same_thing_is_stale():
    result = compress([chunk("old", "a", modified_at=1), chunk("new", "a", modified_at=2)], 400, WORDS)
    assert [one.content for one in result.chunks] == ["new"]
    assert [one.reason for one in result.excluded] == [ExclusionReason.STALE]


def test_what_others_left_out_is_handed_on():
    failed = ChunkExclusion(source="git", reason=ExclusionReason.GATHERER_FAILED, detail="not done within 5 s")
    assert compress([], 10, WORDS, (failed,)).excluded == (failed,)


def test_a_number_that_was_wrong_does_not_break_the_budget():
    lying = (
        sized(500, "lies", language="log", tokens=1) if False else chunk("w\n" * 500, "lies", language="log", tokens=1)
    )
    result = compress([lying], 100, WORDS)
    assert result.tokens_used <= 100 and result.tokens_used == sum(count_block(one, WORDS) for one in result.chunks)


def test_special_tokens_in_a_text_are_plain_words():
    result = compress([chunk("<|endoftext|> <|endofprompt|>", "odd")], 100, tokens())
    assert "<|endoftext|>" in joined(result)


@given(st.lists(st.integers(0, 500), max_size=6), st.integers(0, 900))
def test_shares_are_fair(sizes, room):
    shares = fair_shares(sizes, room)
    assert sum(shares) <= room
    assert all(share <= size for share, size in zip(shares, sizes, strict=True))
    cut = [share for share, size in zip(shares, sizes, strict=True) if share < size]
    # nobody is cut to less than another one gets
    assert not cut or min(cut) >= max(shares) - 1
    assert not cut or sum(shares) == room


def test_the_result_can_be_stored():
    result = compress(prioritise([chunk("a", "x", chunk_type=ChunkType.PINNED)], task("a")), 100, WORDS)
    assert CompressedContext.model_validate_json(result.model_dump_json()) == result
    assert result.chunks[0].metadata != ChunkMetadata()


def test_what_must_be_there_is_never_stale():
    old = chunk("old", "a", modified_at=1, priority=ChunkPriority.CRITICAL)
    result = compress([old, chunk("new", "a", modified_at=2)], 400, WORDS)
    assert [one.content for one in result.chunks] == ["old", "new"]
