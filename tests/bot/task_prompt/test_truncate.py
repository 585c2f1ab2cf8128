"""Every ladder goes from more to less, stays within its room by real count, says what it cut, and survives anything."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.context.tokens import by_bytes
from bot.task_prompt import ChunkPriority, ChunkType, count_block
from bot.task_prompt.truncate import LADDERS, USUAL, has_structure, steps, truncate
from bot.task_prompt.truncate.head import head, most
from tests.bot.task_prompt.given import SAMPLES, chunk, chunks, contents, odd, tokens
from tests.fakes.lengths import whole_or
from tests.golden.golden import matches

BROKEN = {
    "python": "import os\n\ndef half(a, b:\n    return (a\n\nclass Whole:\n  def one(self):\n    x = 1\n    return 2\n",
    "json": '{"users": [{"id": 1, "name": "an',
    "log": "\x00\x00 ERROR \ud800",
    "transcript": "[1",
    "memories": "| | |",
    "tree": "  a\n b\n\t c",
}


def ladder(language: str, content: str, room: int = 4000) -> list[tuple[str, str, str]]:
    return [tuple(rung) for rung in steps(chunk(content, language=language), room)]


@pytest.mark.parametrize("language", list(SAMPLES))
def test_the_ladder(language, pytestconfig):
    shown = [f"=== {name} [{note}]\n{text}" for name, text, note in ladder(language, SAMPLES[language])]
    whole = f"=== full\n{SAMPLES[language]}"
    assert matches(pytestconfig, f"protocol/ladder_{language}", "\n\n".join([whole, *shown]).rstrip("\n"))


@pytest.mark.parametrize("language", list(SAMPLES))
def test_the_ladder_of_what_is_broken(language, pytestconfig):
    shown = [f"=== {name} [{note}]\n{text}" for name, text, note in ladder(language, BROKEN[language])]
    text = "\n\n".join([f"=== full\n{BROKEN[language]}", *shown]).encode("utf-8", "backslashreplace").decode()
    assert matches(pytestconfig, f"protocol/broken_{language}", text.replace("\x00", "\\x00").rstrip("\n"))


@pytest.mark.parametrize("language", list(SAMPLES))
def test_every_step_is_shorter_than_the_one_before(language):
    sizes = [len(text) for _, text, _ in ladder(language, SAMPLES[language] * 3)]
    assert sizes == sorted(sizes, reverse=True) and sizes[0] <= len(SAMPLES[language] * 3)
    assert all(note for _, _, note in ladder(language, SAMPLES[language]))


@settings(max_examples=whole_or(100, 40), deadline=None)
@given(given_=chunks(), room=st.integers(0, 600))
def test_a_cut_chunk_fits_by_real_count_and_says_what_was_cut(given_, room):
    cut = truncate(given_, room, by_bytes)
    if cut is None:
        # not even the header, a fence and a note
        assert room < 60 or not given_.content
        return
    assert cut.chunk.tokens == count_block(cut.chunk, by_bytes) <= room
    assert cut.rung and cut.chunk.metadata.note
    assert (cut.chunk.source, cut.chunk.priority) == (given_.source, given_.priority)


RUNGS = {
    "python": ["long bodies", "bodies", "no docstrings", "names"],
    "json": ["compact", "arrays", "first items", "keys", "outer keys"],
    "log": ["errors with context", "errors", "head and tail"],
    "transcript": ["first lines", "head and tail"],
    "memories": ["beginnings", "ids"],
    "tree": [f"{n} levels" for n in range(9, 1, -1)] + ["1 level"],
}


@settings(max_examples=whole_or(150, 40), deadline=None)
@given(given_=chunks(), room=st.integers(0, 900))
def test_a_chunk_is_as_far_down_its_ladder_as_it_must_be_and_no_farther(given_, room):
    rungs = list(steps(given_, room))
    language = given_.metadata.language or USUAL.get(given_.chunk_type, "")
    places = [RUNGS[language].index(rung.name) for rung in rungs]
    assert places == sorted(places), "what is worth more goes later"

    def tokens_of(rung) -> int:
        cut = given_.model_copy(update={"content": rung.text, "tokens": 0}).noted(note=rung.note)
        return count_block(cut, by_bytes)

    fitting = [rung for rung in rungs if tokens_of(rung) <= room]
    found = truncate(given_, room, by_bytes)
    if fitting:
        assert found is not None
        assert (found.rung, found.chunk.content) == (fitting[0].name, fitting[0].text)
    elif found is not None:
        assert found.rung == "head" and given_.content.startswith(found.chunk.content)


@settings(max_examples=whole_or(100, 40), deadline=None)
@given(st.sampled_from(list(LADDERS)), st.data())
def test_no_text_breaks_a_ladder(language, data):
    content = data.draw(contents(language) | odd | st.text(max_size=80))
    for rung in LADDERS[language](content, 4000):
        assert rung.name and rung.note and isinstance(rung.text, str)


@pytest.mark.parametrize("language", list(SAMPLES))
def test_the_same_chunk_is_cut_the_same_way(language):
    given_ = chunk(SAMPLES[language] * 5, language=language)
    first, second = (truncate(given_, 90, tokens()) for _ in range(2))
    assert first == second


def test_a_chunk_without_a_language_has_the_ladder_of_its_type():
    for kind, language in USUAL.items():
        assert language in LADDERS
        assert has_structure(chunk(chunk_type=kind))
    assert not has_structure(chunk()) and not has_structure(chunk(language="markdown", chunk_type=ChunkType.HISTORY))


def test_prose_that_must_be_there_keeps_its_beginning():
    prose = chunk("\n".join(f"line {n}" for n in range(1000)), priority=ChunkPriority.CRITICAL)
    cut = truncate(prose, 60, tokens())
    assert cut.rung == "head"
    assert cut.chunk.content.startswith("line 0\nline 1\n")
    kept = cut.chunk.content.count("\n") + 1
    assert cut.chunk.metadata.note == f"cut: the last {1000 - kept} lines of 1,000"
    # one more line would not have fitted
    assert count_block(cut.chunk, tokens()) <= 60 < count_block(cut.chunk, tokens()) + 5


def test_one_long_line_keeps_its_beginning():
    cut = truncate(chunk("x" * 100_000), 40, by_bytes)
    assert cut.chunk.metadata.note.startswith("cut: all but the first ")
    assert set(cut.chunk.content) == {"x"} and cut.chunk.tokens == 40


def test_a_huge_text_is_not_counted_whole():
    counted = 0

    def count(text: str) -> int:
        nonlocal counted
        counted += len(text)
        return by_bytes(text)

    truncate(chunk("some words in a line\n" * 100_000), 100, count)
    assert counted < 20_000


@given(st.integers(0, 300), st.integers(-5, 400), st.integers(0, 300))
def test_the_most_that_holds_is_found(limit, guess, true_up_to):
    looks = []

    def holds(number: int) -> bool:
        looks.append(number)
        assert 1 <= number <= limit
        return number <= true_up_to

    assert most(limit, guess, holds) == min(limit, true_up_to)
    assert len(looks) <= 22


def test_nothing_fits_into_nothing():
    assert head("words", 0, lambda rung: False) is None
    assert truncate(chunk("words " * 100), 3, tokens()) is None


def test_json_that_is_too_deep_to_write_is_cut_all_the_same():
    deep = '{"a":' * 500 + "1" + "}" * 500
    steps_ = dict((name, text) for name, text, _ in ladder("json", deep))
    assert "compact" not in steps_
    assert steps_["outer keys"] == '{"a":{"a":"{1 key}"}}'


def test_json_says_that_it_rounds_numbers_of_many_digits():
    (compact, *_) = ladder("json", '{"id":  123456789012345678901234567890,   "a": 1}')
    assert compact[2].endswith("; numbers of twenty digits and more are rounded")


def test_a_traceback_stays_with_its_error():
    before = [f"{n} served" for n in range(50)]
    trace = ["Traceback (most recent call last):", *(f'  File "a.py", line {n}' for n in range(8)), "KeyError: 'x'"]
    (name, text, _), *_ = ladder("log", "\n".join([*before, *trace, *before]))
    assert name == "errors with context"
    assert "\n".join(trace) in text


def test_a_transcript_of_names_is_cut_by_its_speakers():
    talk = "ann: hello\nare you there?\nbob: yes: I am\n" * 30
    (_, text, note), *_ = ladder("transcript", talk)
    assert text.startswith("ann: hello (+1 line)\nbob: yes: I am\n")
    assert note == "cut: 30 lines of 60 messages; each is shown by its first line"
