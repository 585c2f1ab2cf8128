from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.messaging.policy.command_syntax import ALIASES, CommandLine, parse_command
from tests.fakes.chance import any_text
from tests.fakes.lengths import whole_or

NAMES = ("Glass", "glass_bot", "Glass Mind")


def parsed(text: str) -> tuple[str, str] | None:
    line = parse_command(text, NAMES)
    return (line.name, line.words) if line else None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("!cortex why isn't this responding", ("cortex", "why isn't this responding")),
        ("!CORTEX", ("cortex", "")),
        ("!why", ("cortex", "why")),
        ("!Why #support", ("cortex", "why #support")),
        ("/why", ("cortex", "why")),
        ("/status@glass_bot", ("status", "")),
        ("/start abc123", ("start", "abc123")),
        ("!pause Server Move", ("pause", "Server Move")),
        ("!mention–only", ("mention-only", "")),
        ("!mention_only", ("mention-only", "")),
        ("!observe", ("quiet", "")),
        ("!cortex find “be quiet”", ("cortex", 'find "be quiet"')),
        ("！status", ("status", "")),
        ("Glass status", ("status", "")),
        ("@glass status", ("status", "")),
        ("glass_bot: !new", ("new", "")),
        ("Glass Mind, stop", ("stop", "")),
        ("@glass why", ("cortex", "why")),
        ("why #general", ("cortex", "why #general")),
        ("!status\nplease", ("status", "please")),
    ],
)
def test_what_is_a_command(text: str, expected: tuple[str, str]):
    assert parsed(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "!",
        "!!status",
        " !status",
        "\n!status",
        "please !status",
        "> !cortex why",
        "```\n!cortex why\n```",
        "`!cortex why`",
        "!statusquo",
        "!play music",
        "status of the project?",
        "Glass stop doing that",
        "Glass, why is the sky blue?",
        "why is the sky blue",
        "@ann status",
        "Glassy status",
        "status@glass_bot",
        "\u200b!cortex why",
    ],
)
def test_what_is_talk(text: str):
    assert parsed(text) is None


def test_how_it_was_written_is_told():
    assert parse_command("Glass !status", NAMES) == CommandLine("status", "", "!", named=True)
    assert parse_command("/status@Glass_Bot", NAMES) == CommandLine("status", "", "/", named=False, suffix="glass_bot")


WORDS = [*ALIASES, "!", "/", "Glass", "glass_bot", "@", ":", ",", " ", "\n", "why", "’", "—", "off"]


@settings(max_examples=whole_or(300, 75), deadline=None)
@given(
    st.one_of(
        st.text(max_size=60), st.lists(st.one_of(st.sampled_from(WORDS), st.text(max_size=4)), max_size=8).map("".join)
    )
)
def test_any_text_is_read_without_failing_and_commands_stand_in_front(text: str):
    stands_in_front(text)


def test_ten_thousand_texts_are_read_without_failing():
    """A larger size, beside the property above."""
    chance = random.Random(20_261_122)
    for _ in range(5000):
        stands_in_front(any_text(chance))
        stands_in_front("".join(chance.choice((*WORDS, any_text(chance, 4))) for _ in range(chance.randrange(9))))


def stands_in_front(text: str):
    line = parse_command(text, NAMES)
    if line is None:
        return
    assert line.name in set(ALIASES.values())
    assert not text[0].isspace()
    rest = text.lower()
    if line.named:
        assert rest.lstrip("@").startswith(("glass", "glass_bot", "glass mind"))
    elif line.prefix:
        assert text[0] in "!/！／"
    # what stands behind something else is never scanned
    assert parse_command(f"x {text}", NAMES) is None


@settings(max_examples=whole_or(100, 40), deadline=None)
@given(st.text(max_size=60))
def test_reading_twice_gives_the_same(text: str):
    assert parse_command(text, NAMES) == parse_command(text, NAMES)
