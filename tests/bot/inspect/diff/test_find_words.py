"""Where some words stand is told with the source that put them there, and never more than its reader may see."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.context.transcript import FetchedAttachment, as_message, text_file
from bot.domain.channel import Turn
from bot.domain.compaction import CompactionSummary, SummaryType
from bot.domain.handles import HandleKind, handle
from bot.domain.messages import (
    Attachment,
    AttachmentKind,
    ImagePart,
    Message,
    MessageReference,
    ReferenceKind,
    Role,
    TextPart,
)
from bot.inspect.diff.find_words import SourceKind, WordHit, find
from bot.prompts import template_lines
from bot.sentences import say
from tests.bot.context.laid import BLIND, coming, cut, side
from tests.fakes.clock import START
from tests.fakes.contexts import says, talked
from tests.fakes.values import author, call, channel, inbound, memory, result, said

K = SourceKind
M1 = handle(HandleKind.MEMORY, 1)


def turn(*messages: Message):
    return channel(turns=(Turn(id=4, messages=messages),))


async def places(state, words: str, *memories, calls=None) -> list[WordHit]:
    captured = await coming(state, *memories)
    return list(find(captured[1], side(captured), words, *([calls] if calls else [])))


async def sources(state, words: str, *memories, **more) -> list[tuple[SourceKind, str, str]]:
    return [
        (hit.source.kind, hit.source.what, hit.source.handle) for hit in await places(state, words, *memories, **more)
    ]


async def test_our_own_words_are_in_a_line_of_a_template():
    words = "Your final text is the reply."
    (hit,) = await places(channel(), words)
    path, _, number = hit.source.what.rpartition(" line ")
    assert (hit.source.kind, path) == (K.TEMPLATE, "prompts/en/sections/operating_contract.md.j2")
    assert words in template_lines("sections/operating_contract")[int(number) - 1]
    assert hit.where.startswith("section operating_contract, line ")
    ((kind, what, _),) = await sources(channel(), "## where and when")
    assert (kind, what) == (K.TEMPLATE, "prompts/en/sections/conversation_context.md.j2 line 1")


async def test_a_value_is_told_from_the_words_around_it():
    # one persona may read like the line of the template above it
    (hit,) = await places(channel(), "friendly and")
    assert (hit.source.kind, hit.source.what) == (K.CONFIG, "config bot.persona")
    named = await sources(channel(), "You are Glassmind")
    assert named == [(K.CONFIG, "config bot.name", "")]
    place = "from this chat, the time of the newest message"
    assert (K.PROGRAM, f"channel, {place}", "") in await sources(channel(), "#general")
    assert await sources(channel(), "platform: console") == [
        (K.TEMPLATE, "prompts/en/sections/guidance_console.md.j2 line 1", ""),
        (K.PROGRAM, f"platform, {place}", ""),
    ]


async def test_every_line_of_a_prompt_has_the_source_that_wrote_it():
    captured = await coming(talked(channel(), ("hi", "hello")), memory("Tea."))
    one = side(captured)
    for piece in one.kept:
        section = say("find_words.section", name=piece.label)
        for number, line in enumerate(piece.text.split("\n"), 1):
            where = f"{section}, line {number}"
            found = [hit for hit in find(captured[1], one, line[:80]) if hit.where == where]
            assert len(found) == bool(line.strip()), (where, line)
            for hit in found:
                assert "no named source" not in hit.source.what
                if hit.source.kind is K.TEMPLATE:
                    path, _, at = hit.source.what.rpartition(" line ")
                    template = path.removeprefix("prompts/en/").removesuffix(".md.j2")
                    written = template_lines(template)[int(at.partition(",")[0]) - 1]
                    assert line[:20] in written or "{{" in written


async def test_a_memory_is_named_by_its_id_whatever_the_quotes():
    body = memory('Never say "yes" to bob’s requests.\nHe knows.')
    for words in ('never SAY "yes"', "never say “yes” to", "bob's  requests", "to bob’s", "requests. he knows"):
        assert (await sources(channel(), words, body))[0] == (K.MEMORY, f"memory {M1}", M1)
    forged = side(await coming(channel()))
    forged_line = forged.sections[0]._replace(text=f"- {M1} | a forged line")
    looked = type(forged)(**{**vars(forged), "sections": (forged_line,), "tools": (), "messages": ()})
    nothing_else = replace((await coming(channel()))[1], messages=())
    assert [hit.source.kind for hit in find(nothing_else, looked, "forged line")] == [K.CONFIG]
    heading = await sources(channel(), "What you remember", body)
    assert heading == [(K.TEMPLATE, "prompts/en/sections/memory_bulletin.md.j2 line 1", "")]


async def test_what_was_said_answered_called_and_returned():
    state = turn(
        says("is there quince?", 7),
        call("memory_recall", '{"query":"quince"}', "c9"),
        result("- green quince", "c9"),
        said("Quince!"),
    )
    t4, i7 = handle(HandleKind.TURN, 4), handle(HandleKind.INBOUND, 7)
    found = await sources(state, "quince")
    assert found == [
        (K.MESSAGE, f"what was said in {i7}", i7),
        (K.CALL, "what the model asked memory_recall for", t4),
        (K.RESULT, "what memory_recall returned", t4),
        (K.ANSWER, "the bot's own answer", t4),
    ]
    calls = {(4, "memory_recall", "- green quince"): 12}
    assert (K.RESULT, "what memory_recall returned", handle(HandleKind.CALL, 12)) in await sources(
        state, "green quince", calls=calls
    )
    listed = turn(says("?", 7), call("memory_recall", "{}", "c9"), result(f"- {M1} | fact | green quince", "c9"))
    assert await sources(listed, "green") == [(K.RESULT, f"what memory_recall returned: memory {M1}", M1)]
    forged = turn(says(f"- {M1} | fact | green quince", 7))
    assert (await sources(forged, "green"))[0][0] is K.MESSAGE


async def test_a_header_a_file_a_picture_and_a_summary():
    attached = Attachment(kind=AttachmentKind.TEXT, name="plan.txt", mimetype="text/plain", reference="1")
    image = ImagePart(name="cat.png", mimetype="image/png", data="AAAA")
    brought = (
        FetchedAttachment(attached, text_file(attached, "line one\nplant the beans")),
        FetchedAttachment(attached, image),
    )
    message = as_message(8, inbound("look at that", "8"), ambient=False, brought=brought)
    i8 = handle(HandleKind.INBOUND, 8)
    state = turn(message, said("ok"))
    assert await sources(state, "the beans") == [(K.FILE, f"file plan.txt with {i8}", i8)]
    assert (K.PROGRAM, f"the header of {i8}", i8) in await sources(state, '"from":"ann"')
    assert (await places(state, "look at"))[0].where == "message 1"
    summary = CompactionSummary(
        type=SummaryType.HALF, compaction=3, count=9, method="model", created_at=START, sources=(), turns=(1,)
    )
    block = Message(
        role=Role.USER, parts=(TextPart(text="[SUMMARIZED] beans were planted"),), at=START, summary=summary
    )
    assert await sources(turn(block), "were planted") == [
        (K.SUMMARY, "the summary of 9 messages", handle(HandleKind.COMPACTION, 3))
    ]


async def test_words_that_a_message_quotes_are_not_the_programs():
    quotes = MessageReference(kind=ReferenceKind.ANSWERED, author=author("43", "bob"), text='plant "the" beans')
    message = as_message(8, inbound("is that so?", "8", refers=(quotes,)), ambient=False)
    i8 = handle(HandleKind.INBOUND, 8)
    state = turn(message, said("ok"))
    whose = [(K.MESSAGE, f"words of bob, quoted by {i8}", i8)]
    assert await sources(state, 'plant "the" beans') == whose
    assert [hit.where for hit in await places(state, "beans")] == ["message 1, quotation"]
    assert (K.PROGRAM, f"the header of {i8}", i8) in await sources(state, '"from":"bob"')


async def test_a_tools_own_words():
    assert await sources(channel(), "Say nothing.") == [(K.TOOL, "the tool's own description", "")]
    assert [hit.where for hit in await places(channel(), '"reason"')] == ["tool skip, parameters"]


async def test_a_phrase_is_found_over_line_ends_and_once_a_line():
    state = turn(says("one quince two quince\nthree\nfour quince", 7))
    assert len(await places(state, "quince")) == 2
    assert [hit.line for hit in await places(state, "three four")] == ["three"]
    for words in ("", "   ", "no such words at all", "((", "[a-z]+"):
        assert await places(state, words) == []


async def test_what_a_reader_may_not_see_is_not_searched():
    state = talked(channel(), ("the secret plan", "hush"))
    captured = await coming(state, memory("secret recipe"))
    blind = cut(captured[0], BLIND)
    assert find(captured[1], side(captured), "secret")
    assert find(blind[1], side(blind), "secret") == ()
    assert find(blind[1], side(blind), "withheld") == ()
    assert find(blind[1], side(blind), "Your final text") != ()


@pytest.mark.parametrize("words", ["a" * 5000, "tea " * 800, "((((((((((", "‘’‘’“”“”"])
async def test_odd_words_cost_nothing_and_find_nothing(words):
    assert await places(talked(channel(), ("tea", "a" * 3000)), words) == []


async def test_whole_words_come_before_those_inside_longer_ones():
    state = turn(says("instead of a steam engine", 7), said("Ann likes tea; team or not."), says("Tea's ready", 9))
    hits = [hit for hit in await places(state, "tea") if hit.where.startswith("message")]
    assert [(hit.line[-30:], hit.whole) for hit in hits] == [
        ("Ann likes tea; team or not.", True),
        ("Tea's ready", True),
        ("instead of a steam engine", False),
    ]
    assert [hit.whole for hit in await places(turn(said("team tea")), "tea") if hit.where.startswith("message")] == [
        True
    ]
    quoted = turn(said('she said "tea"'))
    assert [hit.whole for hit in await places(quoted, '"tea"') if hit.where.startswith("message")] == [True]
