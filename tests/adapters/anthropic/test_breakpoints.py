"""Quiet turns read what the turn before has kept: everything up to the message that carries the clock."""

from __future__ import annotations

from itertools import pairwise

import orjson
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.anthropic.breakpoints import breakpoints
from adapters.anthropic.encode import Manner, encode_messages
from adapters.model_http.json_cache import Fragments
from bot.domain.llm import LLMRequest
from bot.domain.messages import Message, Role, Text
from tests.fakes.values import call, llm_request, message, result, said, tool_definition
from tests.servers.model.cache import PromptCache
from tests.servers.model.scruples import MOST_BREAKPOINTS

NOTE = Message(role=Role.USER, parts=(Text(text="answer in words"),))
ROUND = call("recall", '{"q":"x"}'), result("y")


def test_before_the_newest_message_and_where_that_was_a_turn_ago():
    assert breakpoints([message("hi")]) == ()
    assert breakpoints([message("hi"), said("ho"), message("again")]) == (1,)
    assert breakpoints([message("a"), said("b"), message("c"), said("d"), message("e")]) == (1, 3)


def test_talk_among_others_belongs_to_what_is_kept():
    ambient = message("by the way", ambient=True)
    assert breakpoints([message("a"), said("b"), ambient, ambient, message("c")]) == (3,)


def test_a_round_of_tools_is_kept_for_the_next_round():
    assert breakpoints([message("hi"), *ROUND]) == (2,)
    assert breakpoints([message("hi"), said("ho"), message("again"), *ROUND, *ROUND]) == (1, 6)


def test_a_note_of_ours_starts_no_turn():
    assert breakpoints([message("a"), said("b"), message("c"), said("NO REPLY"), NOTE]) == (1, 4)
    assert breakpoints([NOTE, *ROUND]) == (2,)


def test_without_anybody_there_is_nothing_to_keep():
    assert breakpoints([]) == breakpoints([said("x")]) == ()


UNHURRIED = settings(deadline=None, max_examples=60)
texts = st.text(st.characters(categories=("L",)), min_size=1, max_size=40)
turns = st.lists(
    st.tuples(
        texts,
        st.integers(0, 30),  # talk among others before it
        st.integers(0, 4),  # rounds of tools
        st.booleans(),  # whether it is answered in words
    ),
    min_size=2,
    max_size=6,
)


def played(several: list[tuple[str, int, int, bool]]) -> list[list[LLMRequest]]:
    """Return the requests of each turn; the newest message carries a clock that it loses in the history."""
    history: list[Message] = []
    played = []
    for number, (text, talk, rounds, is_answered) in enumerate(several):
        history += [message(f"{text} {number} {at}", ambient=True) for at in range(talk)]
        bare = message(f"{text} {number}")
        newest = message("", parts=(Text(text=f"it is {number} o'clock"), *bare.parts))
        done: list[Message] = []
        requests = [(*history, newest)]
        for at in range(rounds):
            done += [call("recall", f'{{"n":{at}}}', f"c{number}_{at}"), result(f"{text} {at}", f"c{number}_{at}")]
            requests.append((*history, newest, *done))
        played.append([llm_request(messages=sent, tools=[tool_definition()]) for sent in requests])
        history += [bare, *done, *([said(f"{text}!")] if is_answered or not done else [])]
    return played


FRAGMENTS = Fragments()


def sent(request: LLMRequest) -> dict:
    return orjson.loads(encode_messages(request, fragments=FRAGMENTS, manner=Manner()).body)


def blocks(body: dict, *, marks: bool) -> list[object]:
    """Everything in the order in which the service reads it, with or without the breakpoints."""
    found = [*body["tools"], *body["system"]]
    found += [{"role": m["role"], **block} for m in body["messages"] for block in m["content"]]
    return [{k: v for k, v in block.items() if marks or k != "cache_control"} for block in found]


def kept(body: dict) -> list[int]:
    return [at for at, block in enumerate(blocks(body, marks=True)) if "cache_control" in block]


@UNHURRIED
@given(turns)
def test_a_turn_begins_with_all_that_the_turn_before_has_kept(several):
    for before, now in pairwise(played(several)):
        first, again = sent(before[0]), sent(now[0])
        # the last breakpoint of a turn's first request ends what the next turn sends again
        end = kept(first)[-1] + 1
        assert blocks(again, marks=False)[:end] == blocks(first, marks=False)[:end]
        assert end - 1 in kept(again), "the place is marked again, however much was said since"


@UNHURRIED
@given(turns)
def test_the_service_reads_from_its_cache_what_was_kept(several):
    cache, since_last_turn = PromptCache(), 0
    for requests in played(several):
        kept_before, since_last_turn = since_last_turn, 0
        for request in requests:
            body = sent(request)
            assert len(kept(body)) <= MOST_BREAKPOINTS
            read, written = cache.look(body)
            assert read >= kept_before, "less is read than was kept"
            kept_before = read + written
            since_last_turn = since_last_turn or kept_before
