"""Thoughts and words are told apart, however an answer is cut, and words about thoughts stay words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.text.thoughts import CodeMarks, ThoughtReader, in_code, part_thoughts

HARMONY = "<|channel|>analysis<|message|>User says hi.<|end|><|start|>assistant<|channel|>final<|message|>Hi Ann!"
PARTED = {
    "<think>\nThe user says hi.\n</think>\n\nHi Ann!": ("Hi Ann!", "The user says hi."),
    "<THINK>hm</THINK><think>more</think> Hi Ann!": ("Hi Ann!", "hm\nmore"),
    "<think></think>Hi Ann!": ("Hi Ann!", ""),
    "<thinking>Close it with `</thinking>`.</thinking>Hi Ann!": ("Hi Ann!", "Close it with `</thinking>`."),
    "[THINK]hm[/THINK]Hi Ann!": ("Hi Ann!", "hm"),
    "◁think▷hm◁/think▷Hi Ann!": ("Hi Ann!", "hm"),
    "<think>it never ends": ("", "it never ends"),
    HARMONY: ("Hi Ann!", "User says hi."),
    HARMONY + "<|return|>": ("Hi Ann!", "User says hi."),
    "<|channel|>final<|message|>Hi Ann!": ("Hi Ann!", ""),
    "<|channel|>commentary<|message|>Let me see.<|end|>": ("Let me see.", ""),
    "Hi Ann!<|end|><|start|>assistant<|channel|>analysis<|message|>hm<|end|>": ("Hi Ann!", "hm"),
    "analysisThe user says hi.assistantfinalHi Ann!": ("Hi Ann!", "The user says hi."),
    "Okay, the user says hi.\n</think>\n\nHi Ann!": ("Hi Ann!", "Okay, the user says hi."),
    "Greet her back.</think>Hi Ann!": ("Hi Ann!", "Greet her back."),
    "</think>\n\nHi Ann!": ("Hi Ann!", ""),
}
WORDS = [
    "Put it into `<think>` and close with `</think>`.",
    "The tag </think> closes it.",
    "Close it with </think>\nand go on.",
    "```\n<think>\nx\n</think>\n```\nThat is it.",
    "So <think> opens and </think> closes.",
    "<|channel|> is a token of Harmony.",
    "gpt-oss writes `<|channel|>analysis<|message|>` first.",
    "analysis",
    "The user list is empty.",
    "Okay, here it is.",
    "a <b> [c] ◁ < [",
    "I",
    "",
]


def read(pieces: list[str], *, waits: bool = False) -> tuple[str, str, str]:
    """Return the words, the thoughts, and what somebody would have seen in the end."""
    reader, seen = ThoughtReader(waits=waits), ""
    for more in [*[reader.feed(piece) for piece in pieces], None]:
        more = reader.end() if more is None else more
        seen += more
    return reader.words, reader.thoughts, seen


@pytest.mark.parametrize("text", [*PARTED, *WORDS])
def test_it_is_parted_wherever_it_is_cut(text: str):
    wanted = PARTED.get(text, (text, ""))
    for at in range(len(text) + 1):
        words, thoughts, _ = read([text[:at], text[at:]])
        assert (words, thoughts) == wanted, at
    assert read(list(text))[:2] == wanted
    assert tuple(part_thoughts(text)) == wanted


@pytest.mark.parametrize("text", PARTED)
def test_no_thought_is_seen_where_it_waits(text: str):
    reader = ThoughtReader(waits=True)
    seen = "".join([*map(reader.feed, text), reader.end()])
    assert (seen, reader.took_back) == (PARTED[text][0], False)


def test_words_that_turn_out_to_be_thoughts_are_taken_back():
    reader = ThoughtReader()
    assert reader.feed("Greet her back.") and not reader.took_back
    assert reader.feed("\n</think>\n\nHi Ann!") == "Hi Ann!" and reader.took_back
    assert (reader.words, reader.thoughts) == ("Hi Ann!", "Greet her back.")


@pytest.mark.parametrize(
    "text", ["I need to know more. Which tea?", "Okay, here it is: tea.", "We should meet at five o'clock."]
)
def test_an_ordinary_answer_is_seen_from_its_first_words(text: str):
    reader, seen = ThoughtReader(), 0
    for at, character in enumerate(text):
        seen += len(reader.feed(character))
        assert seen > at - 40
    assert seen == len(text)


def test_a_service_that_parts_them_itself_is_believed():
    reader = ThoughtReader(waits=True)
    assert reader.feed("Hi") == "" and reader.are_apart() == "Hi" and reader.feed(" Ann!") == " Ann!"


@given(
    st.lists(st.text(max_size=12) | st.sampled_from(["<think>", "</think>", "<|channel|>", "```", "\n", "<|message|>"]))
)
def test_nothing_is_lost_or_said_twice(pieces: list[str]):
    text = "".join(pieces)
    whole, cut = part_thoughts(text) if "<" in text else (text, ""), read(pieces)
    if "<" not in text and "[" not in text and "◁" not in text:
        assert cut[0] == text
    assert cut[:2] == read([text])[:2] or whole


def test_code_is_followed_in_pieces():
    text = "a `b` c\n```py\nx `y\n```\n`z"
    for at in range(len(text)):
        marks = CodeMarks()
        marks.feed(text[:at])
        one_by_one = CodeMarks()
        for character in text[:at]:
            one_by_one.feed(character)
        assert marks.inside == one_by_one.inside == in_code(text[:at])
