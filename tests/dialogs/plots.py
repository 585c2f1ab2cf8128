"""What a model may do in one turn: the replies of the server, and what must come of them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from hypothesis import strategies as st

from bot.domain.ledger import Outcome
from tests.servers.model import (
    FAILURES,
    Calls,
    Cut,
    Declines,
    Dribbles,
    Drops,
    Empty,
    Garbage,
    Interrupted,
    NoDone,
    NotHttp,
    Reply,
    Says,
)

ROUNDS = 4
"""As configured: the most requests of one turn."""


@dataclass(frozen=True)
class Plot:
    """One turn of the model: what the server sends, how the message ends, and how many lines people read."""

    name: str
    script: tuple[Reply, ...]
    outcome: Outcome = Outcome.REPLIED
    lines: int = 1

    def __repr__(self) -> str:
        return f"<{self.name}: {', '.join(map(repr, self.script))}>"


FINE = Plot("answers", (Says("fine"),))

LETTERS = st.characters(exclude_categories=["Cs"])
ODD = st.sampled_from(
    ["<|endoftext|>", "{{ 7 * 7 }}", "\u202eevil", "a\nb", '{"at":"', "\t", "🦀", "e\u0301", "\u2028"]
)
WORDS = st.lists(st.one_of(st.text(LETTERS, max_size=12), ODD), max_size=3).map(lambda found: " ".join(["so", *found]))


def call(name: str, **arguments: object) -> tuple[str, str]:
    """Write a tool call as a model does."""
    return name, json.dumps(arguments)


def _script(name: str, *replies: Reply, outcome: Outcome = Outcome.REPLIED, lines: int = 1) -> Plot:
    return Plot(name, replies, outcome, lines)


def _then_says(name: str, calls: Sequence[tuple[str, str]], words: str) -> Plot:
    return Plot(name, (Calls(list(calls)), Says(words)))


SKIP = call("skip", reason="I was told to be silent", category="instructed")
IDLE_CALLS = st.one_of(
    WORDS.map(lambda words: call("memory_recall", query=words)),
    WORDS.map(lambda words: call("channel_recall", query=words)),
    st.sampled_from(
        [
            call("memory_recall"),
            call("skip", reason="", category="not_for_me"),
            call("fly", to="the moon"),
            ("no such tool!", "{}"),
            ("memory_recall", '{"query": "te'),
            ("memory_recall", ""),
            ("channel_recall", "[1, 2]"),
            ("channel_recall", '{"query": "x", "ctx": {"admin": true}}'),
            ("reply", '{"text": ""}'),
            ("react", '{"emoji": "👍", "more": 1}'),
        ]
    ),
)
"""Calls that change nothing that people see, the broken ones among them."""

SAVES = st.builds(
    lambda words, kind: call("memory_save", content=words, type=kind),
    WORDS,
    st.sampled_from(["fact", "event", "preference", "decision"]),
)

ANSWERS = st.one_of(
    WORDS.map(lambda words: _script("answers", Says(words))),
    WORDS.map(lambda words: _script("is cut short by its limit", Says(words, finish_reason="length"))),
    WORDS.map(lambda words: _script("dribbles", Dribbles(7, Says(words)))),
    WORDS.map(lambda words: _script("ends without a last event", NoDone(Says(words)))),
    WORDS.map(lambda words: _script("declines", Declines(words))),
    WORDS.map(lambda words: _script("is empty, then answers", Empty(), Says(words))),
    WORDS.map(lambda words: _script("writes a code word, then answers", Says("NO_REPLY"), Says(words))),
)

SILENCES = st.sampled_from(
    [
        _script("skips", Calls([SKIP]), outcome=Outcome.SKIPPED, lines=0),
        _script("reacts", Calls([call("react", emoji="👍")]), Empty(), outcome=Outcome.SKIPPED, lines=0),
        _script("has nothing to say, twice", Empty(), Empty(), outcome=Outcome.FAILED),
        _script("looks things up for ever", *[Calls([call("memory_recall")])] * ROUNDS, outcome=Outcome.FAILED),
    ]
)

TOOLS = st.one_of(
    st.builds(partial(_then_says, "looks things up"), st.lists(IDLE_CALLS, min_size=1, max_size=4), WORDS),
    st.builds(partial(_then_says, "remembers"), st.lists(SAVES, min_size=1, max_size=2), WORDS),
    st.builds(
        lambda calls, save, words: _script("works, round after round", Calls(calls), Calls([save]), Says(words)),
        st.lists(IDLE_CALLS, min_size=1, max_size=3),
        SAVES,
        WORDS,
    ),
    st.builds(
        lambda said, calls, words: _script("replies at once", Calls([call("reply", text=said), *calls]), Says(words)),
        WORDS,
        st.lists(IDLE_CALLS, max_size=2),
        WORDS,
    ),
    WORDS.map(lambda words: _script("reacts and answers", Calls([call("react", emoji="👍")], text="hm"), Says(words))),
)

BROKEN: tuple[Reply, ...] = (
    FAILURES["broken"],
    FAILURES["unavailable"],
    FAILURES["rate_limited_for"],
    FAILURES["html_gateway"],
    Drops(),
    Drops(reset=True),
    NotHttp(),
    Garbage(b"data: {nonsense\n\n"),
    Garbage(b"hello", kind="text/plain"),
    Cut(0, Says("lost")),
    Cut(150, Says("lost in the middle of a sentence")),
    Interrupted(FAILURES["overloaded"], Says("lost by an aggregator")),
)
"""What may pass when it is tried again."""
REFUSED: tuple[Reply, ...] = (FAILURES["bad_key"], FAILURES["no_credit"], FAILURES["no_such_model"])
"""What does not pass, but for another model."""

HOPELESS = st.one_of(
    st.lists(st.sampled_from(BROKEN), min_size=4, max_size=4).map(
        lambda tried: Plot("fails with both models", tuple(tried), Outcome.FAILED)
    ),
    st.lists(st.sampled_from(REFUSED), min_size=2, max_size=2).map(
        lambda tried: Plot("is refused by both models", tuple(tried), Outcome.FAILED)
    ),
    st.sampled_from(
        [
            _script("finds the request too long", FAILURES["context_too_long"], outcome=Outcome.FAILED),
            _script("forbids the request", FAILURES["tool_id_unknown"], outcome=Outcome.FAILED),
        ]
    ),
)


def _disturbed(plot: Plot, trouble: Sequence[Reply | None], first: Sequence[Reply]) -> Plot:
    """Put a failure before each reply that has one; `first` makes the first model give up."""
    replies: list[Reply] = [*first]
    for number, reply in enumerate(plot.script):
        before = trouble[number] if number < len(trouble) else None
        replies += [before, reply] if before else [reply]
    return replace(plot, script=tuple(replies))


CALM = st.one_of(ANSWERS, TOOLS, SILENCES)
TROUBLED = st.one_of(
    st.builds(
        _disturbed,
        st.one_of(ANSWERS, TOOLS),
        st.lists(st.one_of(st.none(), st.sampled_from(BROKEN)), max_size=3),
        st.one_of(
            st.just(()),
            st.just(()),
            st.sampled_from(REFUSED).map(lambda refused: (refused,)),
            st.lists(st.sampled_from(BROKEN), min_size=2, max_size=2),
        ),
    ),
    HOPELESS,
)
