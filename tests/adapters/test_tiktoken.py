"""Tokens are counted from the shipped ranks alone, off the loop, and whatever the text."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import threading
from importlib.resources import files

import pytest
import tiktoken_ext.openai_public as openai_public
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tiktoken import Encoding

from adapters import tiktoken as module
from adapters.tiktoken import (
    BREATH_TOKENS,
    MAX_CALL_CHARS,
    MAX_KEPT_TEXTS,
    PATTERN,
    SPECIAL_TOKENS,
    TiktokenCounter,
    create,
    read_ranks,
)
from bot.context.tokens import system_pieces
from bot.domain.llm import SystemBlock
from bot.domain.snapshot import CountMethod
from tests.fakes.lengths import whole_or

SEAMS = st.sampled_from(list(" \n\r\t.,!?/'a1é\u2028\x85"))
"""Where a cut could go wrong: white space, and what the ranks' pattern joins with line breaks."""


@pytest.fixture(scope="module")
def counter():
    counter = create({})
    counter.count("load")
    return counter


@pytest.fixture(scope="module")
def library():
    return Encoding("o200k_base", pat_str=PATTERN, mergeable_ranks=read_ranks(), special_tokens=SPECIAL_TOKENS)


def test_the_shipped_file_is_the_one_that_was_reviewed():
    data = (files("bot") / "data" / "o200k_base.bin.xz").read_bytes()
    assert hashlib.sha256(data).hexdigest() == "74c6f5af06dd76707df670b80098f8be24afcd25ffae041f3df869abdcf63f65"


def test_written_back_it_is_the_official_text():
    ranks = read_ranks()
    text = b"".join(base64.b64encode(token) + b" %d\n" % rank for token, rank in ranks.items())
    assert hashlib.sha256(text).hexdigest() == "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d"


def test_pattern_and_special_tokens_are_those_of_the_library(monkeypatch):
    monkeypatch.setattr(openai_public, "load_tiktoken_bpe", lambda *args, **kwargs: {})
    official = openai_public.o200k_base()
    assert official["pat_str"] == PATTERN
    assert official["special_tokens"] == SPECIAL_TOKENS


def test_known_counts(counter):
    assert counter.count("hello world") == 2
    assert counter.count("") == 0
    assert counter.count("日本語のテキスト") == 6


@settings(max_examples=whole_or(100, 40), deadline=None)
@given(text=st.text(st.characters(), max_size=200))
def test_every_count_is_that_of_the_library(counter, library, text):
    assert counter.count(text) == len(library.encode_ordinary(text))


def test_special_tokens_in_a_text_are_ordinary_words(counter):
    assert counter.count("<|endoftext|>") > 1


@settings(max_examples=whole_or(150, 40), deadline=None)
@given(text=st.text(max_size=400))
def test_a_token_is_at_least_one_byte(counter, text):
    assert 0 <= counter.count(text) <= len(text.encode("utf-8", "surrogatepass")) + 2 * text.count("\ud800")


def test_a_million_spaces_are_counted_in_pieces(counter):
    spaces = " " * 1_000_000
    assert 0 < counter.count(spaces) < 200_000
    assert counter.count("word " * (MAX_CALL_CHARS // 2)) >= MAX_CALL_CHARS // 2


def test_a_panic_of_the_rust_side_becomes_the_upper_bound():
    class Panic(BaseException):
        pass

    class Panicking:
        def encode_ordinary(self, text):
            raise Panic(text)

    counter = TiktokenCounter()
    counter._core = Panicking()
    assert counter.count("äb") == 3


def test_who_counts_for_a_model():
    counter = TiktokenCounter()
    exact = ("openai/gpt-5-mini", "openai/gpt-4o-2024-08-06", "openrouter/openai/gpt-4.1", "azure/o4-mini")
    estimated = ("anthropic/claude-sonnet", "openai/gpt-4-turbo", "simulated/gpt-5", "local/llama-3")
    assert {counter.tokenizer(m).method for m in exact} == {CountMethod.EXACT}
    assert {counter.tokenizer(m).method for m in estimated} == {CountMethod.ESTIMATE}
    assert counter.tokenizer("openai/gpt-5").name == "o200k_base"


def test_asking_what_is_known_loads_nothing():
    counter = TiktokenCounter()
    assert counter.known("hello") is None and not counter.ready


async def test_warming_counts_in_a_thread_and_the_loop_goes_on(monkeypatch):
    counter, threads, ticks = TiktokenCounter(), set(), 0
    original = TiktokenCounter.count

    def counting(self, text):
        threads.add(threading.get_ident())
        return original(self, text)

    monkeypatch.setattr(TiktokenCounter, "count", counting)

    async def tick():
        nonlocal ticks
        while True:
            ticks += 1
            await asyncio.sleep(0)

    ticking = asyncio.get_running_loop().create_task(tick())
    await counter.warm(["hello world", "hello world", "other"])
    ticking.cancel()
    assert counter.ready and counter.known("hello world") == 2
    assert threads and threading.get_ident() not in threads
    assert ticks > 2
    threads.clear()
    await counter.warm(["hello world"])
    assert not threads, "what is known is not counted again"


def test_while_the_table_loads_others_get_their_turn_again_and_again(monkeypatch):
    pauses = []
    monkeypatch.setattr(module.time, "sleep", pauses.append)
    TiktokenCounter().count("load")
    assert pauses == [0] * (200_000 // BREATH_TOKENS + len(SPECIAL_TOKENS))


def test_what_is_kept_is_bounded_and_the_newest_stay(counter):
    for number in range(MAX_KEPT_TEXTS + 10):
        counter._kept.put((number, -1), 1)
    assert len(counter._kept) == MAX_KEPT_TEXTS
    assert (9, -1) not in counter._kept and (MAX_KEPT_TEXTS + 9, -1) in counter._kept


async def test_many_threads_may_count_at_once(counter):
    texts = [f"text number {n % 50}" for n in range(400)]
    counts = await asyncio.gather(*(asyncio.to_thread(counter.count, text) for text in texts))
    assert counts == [counter.count(text) for text in texts]


@settings(max_examples=whole_or(150, 40), deadline=None)
@given(
    texts=st.lists(st.text(st.characters(exclude_categories=("Cs",)), min_size=1, max_size=60), min_size=1, max_size=6)
)
@example(texts=[";", "/"])
def test_the_pieces_of_a_system_prompt_count_as_much_as_the_whole(texts, counter):
    blocks = [SystemBlock(name=str(n), text=text) for n, text in enumerate(texts)]
    whole = "\n\n".join(texts)
    assert "".join(system_pieces(blocks)) == whole
    assert sum(map(counter.count, system_pieces(blocks))) == counter.count(whole)


async def test_sizes_are_the_counts_whether_known_few_or_many(counter):
    texts = ["hello world", "hello world", "a few words", "so many words " * 1000]
    expected = {text: counter._encode(text) for text in texts}
    assert await counter.sizes(texts) == expected
    assert await counter.sizes(texts[:1]) == {texts[0]: expected[texts[0]]}
    assert await counter.sizes([]) == {}


WRITTEN = (
    "The quick brown fox jumps over the lazy dog, and nobody minds. " * 20,
    "Die Donaudampfschifffahrtsgesellschaft fährt heute ausnahmsweise früher. " * 20,
    "我们明天在厨房里开会，讨论新的时间表。" * 20,
    "Съешь ещё этих мягких французских булок, да выпей чаю. " * 20,
    'def f(x: int) -> dict[str, int]:\n    return {"a": x, "b": x + 1}\n' * 20,
    '{"id": 1234567, "name": "ann", "at": "2026-11-25T08:53:20Z"}, ' * 20,
    "😀🎉👍🏽 " * 20,
)


@pytest.mark.parametrize("text", WRITTEN, ids=lambda text: text[:6])
def test_an_estimate_is_hardly_less_than_what_people_write_has(counter, text: str):
    assert module.estimate(text) >= 0.95 * counter.count(text)


@pytest.mark.parametrize("error", [ImportError("libstdc++ is gone"), OSError(5, "Input/output error"), MemoryError()])
async def test_a_table_that_cannot_be_had_is_tried_once_and_leaves_estimates(monkeypatch, error: Exception):
    tried = []

    def fails():
        tried.append(1)
        raise error

    monkeypatch.setattr(module, "_load", fails)
    counter = create({})
    assert counter.trouble is None and counter.tokenizer("openai/gpt-5").method is CountMethod.EXACT
    assert await counter.sizes(["hello there", ""]) == {"hello there": 6, "": 0}
    await counter.warm(["more"])
    assert counter.ready and counter.trouble is error and tried == [1]
    found = counter.tokenizer("openai/gpt-5")
    assert (found.name, found.method) == ("bytes/2", CountMethod.ESTIMATE)
