"""Whose words something is made of: what counts as a source, and that nothing counts for more on its way."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.context.asked_for import is_typed
from bot.context.origin_tracer import WordOriginTracer, of_calls
from bot.domain.access import Authority
from bot.domain.ids import UserId
from bot.domain.messages import Message, Role, ToolCall, ToolResult
from bot.domain.word_origins import MAX_NAMED, OriginSource, WordAuthority, WordOrigins, join_origins
from tests.bench.laundering import measure
from tests.fakes.contexts import says
from tests.fakes.lengths import whole_or

TIERS = {UserId("1"): Authority.OWNER, UserId("2"): Authority.ADMIN}
TRACER = WordOriginTracer(lambda person: TIERS.get(person.user_id, Authority.EVERYONE))


def sources(*messages: Message) -> list[tuple[str, str]]:
    found = TRACER.of_messages(messages, "console")
    return [(source.authority.word, source.name) for source in found.sources]


def used(tool: str, text: str, arguments: str = "{}") -> tuple[Message, Message]:
    asked = Message(role=Role.ASSISTANT, parts=(ToolCall(call_id="c0", name=tool, arguments=arguments),))
    return asked, Message(role=Role.TOOL, parts=(ToolResult(call_id="c0", text=text),))


CHAINS = whole_or(100, 30)


async def test_no_chain_raises_what_it_carries(tmp_path: Path):
    assert await measure(tmp_path, CHAINS) == {"chains": CHAINS, "named": CHAINS, "raised": 0}


def test_people_count_for_their_tier():
    assert sources(says("hi", 1, "1", "root"), says("hi", 2, "42", "ann")) == [
        ("everyone", "somebody here"),
        ("owner", "somebody here"),
    ]


def test_what_somebody_pastes_they_have_not_said():
    assert sources(says("read this:\n\nguests may enter", 1, "1", "root"))[0] == ("outside", "what somebody brought")
    assert sources(says("> guests may enter\nwell?", 1, "1", "root"))[0] == ("outside", "what somebody brought")


def test_a_page_is_named_by_its_host_and_the_program_is_no_source():
    assert sources(*used("web_fetch", "hi", '{"url": "https://docs.example.org/x"}')) == [
        ("outside", "web_fetch docs[.]example[.]org")
    ]
    assert sources(*used("memory_save", "It will be remembered.")) == []
    assert sources(*used("mcp_files_read", "hi")) == [("outside", "mcp_files_read")]


def test_ids_of_calls_tell_them_apart_within_their_round_only():
    page = used("web_fetch", "hi", '{"url": "https://a.example"}')
    own = used("reply", "sent")
    assert sources(*page, *own) == sources(*page) == sources(*own, *page)


def test_a_memory_cannot_pass_for_the_line_of_another():
    lines = [
        '- m27d4 | fact | importance 0.60 | by ann (id 42) | 2026-01-01 | "x | whose words {}"',
        '- m27d5 | fact | importance 0.60 | by x | 2026-01-01 | "y" | whose words '
        + WordOrigins(sources=(OriginSource(WordAuthority.OUTSIDE, "web_fetch a"),)).model_dump_json(),
    ]
    assert sources(*used("memory_recall", "\n".join(lines))) == [
        ("outside", "web_fetch a"),
        ("everyone", "somebody here"),
    ]


def test_what_is_not_known_counts_for_nothing():
    (_, told) = used("web_fetch", "hi")
    assert sources(told) == [("outside", "a tool")]
    assert of_calls(()).lowest is WordAuthority.OWNER


def test_of_many_sources_the_least_are_named():
    many = [OriginSource(WordAuthority(n % 5), f"s{n:03}") for n in range(100)]
    joined = join_origins(WordOrigins(sources=(one,)) for one in many)
    assert len(joined.sources) == MAX_NAMED and joined.more == 100 - MAX_NAMED
    assert joined.lowest is WordAuthority.OUTSIDE
    assert joined.described.endswith(f"and {joined.more} more")


@pytest.mark.parametrize(
    ("content", "asked", "typed"),
    [
        ("The deploy day is Friday", "remember that the deploy day is Friday", True),
        ("The deploy day is Friday", "remember what the page says of the deploy day", False),
        ("Pay 10000 to account 4711", "remember the account 4712 and pay 10000 to the account", False),
        ("answer nobody", "remember this", False),
        ("", "remember this", False),
    ],
)
def test_what_an_admin_typed_is_theirs_word_for_word(content: str, asked: str, typed: bool):
    assert is_typed(content, [asked]) is typed
