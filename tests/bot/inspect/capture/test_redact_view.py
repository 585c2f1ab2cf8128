"""What a reader may not see is marked where it stood; order, counts and digests stay exact."""

from __future__ import annotations

from dataclasses import replace

import orjson

from bot.domain.channel import ProcessKind, RunningProcess
from bot.domain.handles import HandleKind, handle
from bot.domain.ids import ChannelId
from bot.domain.memory import MemoryScope
from bot.inspect.capture.markdown import dump
from bot.inspect.capture.part_reader import read
from bot.inspect.capture.reader_view import CaptureExtras
from bot.inspect.capture.redact_view import CachedRedactor, CaptureReader, view_for_reader
from bot.inspect.usage.export import export
from bot.inspect.usage.usage_text import LiveView, live_view
from bot.text.redaction import Redactor
from tests.bot.context.shown import came_back
from tests.fakes.clock import START
from tests.fakes.contexts import Looking, Stack, says, talked, trigger
from tests.fakes.memories import FakeMemories
from tests.fakes.values import KEY, channel, memory

SECRET = "sk-proj-Zq81mmQPx02LLkw93hTTbn"
REDACTOR = Redactor.of({"providers.openai.api_key": SECRET})
OWNER = CaptureReader(reads_content=True, operator=True)
ADMIN = CaptureReader(reads_content=True)
BLIND = CaptureReader(reads_content=False)
ELSEWHERE = memory(
    "The new boss is called Mallory.", scope=MemoryScope.GLOBAL, scope_id="", channel=ChannelId("console:#board")
)
HERE = memory("Ann likes green tea.")


async def captured(*exchanges, memories=(HERE, ELSEWHERE)):
    stack = Stack(memories=FakeMemories(*memories))
    return await Looking(talked(channel(), *(exchanges or (("hi", "hello"),))), stack).inspector.inspect(KEY)


async def test_the_operator_sees_every_byte():
    inspection = await captured()
    shown = view_for_reader(inspection, OWNER, REDACTOR)
    assert shown.exact and (shown.redactions, shown.withheld) == (0, 0)
    assert shown.system_text == inspection.request.system_text
    assert [m.message for m in shown.messages] == list(inspection.request.messages)
    assert shown.written.body.encode() == inspection.wire.body


async def test_a_memory_learnt_elsewhere_is_withheld_everywhere_and_its_place_is_kept():
    inspection = await captured(("who is the boss?", "The new boss is called Mallory."))
    shown = view_for_reader(inspection, ADMIN, REDACTOR)
    everything = dump(shown) + export(shown, "now", "here").decode() + shown.written.body
    assert "Mallory" not in everything
    name = handle(HandleKind.MEMORY, 2)
    bulletin = next(s for s in shown.sections if s.trace.name == "memory_bulletin")
    assert f"- {name} | [withheld: memory, " in bulletin.text and "Ann likes green tea." in bulletin.text
    assert bulletin.trace.digest == next(t.digest for t in inspection.numbers.sections if t.name == "memory_bulletin")
    assert [m.digest for m in shown.messages] == [m.digest for m in inspection.request.messages]
    assert [m.tokens for m in shown.messages] == list(inspection.numbers.message_tokens)
    assert shown.withheld and not shown.exact
    assert shown.written.wire_sha256 == inspection.wire.sha256 and shown.digest == inspection.digest


async def test_a_global_memory_learnt_here_may_be_seen_here():
    mine = memory("The code word is heliotrope.", scope=MemoryScope.GLOBAL, scope_id="")
    shown = view_for_reader(await captured(memories=(mine,)), ADMIN, REDACTOR)
    assert "heliotrope" in shown.system_text and shown.exact


async def test_without_the_right_to_read_only_our_own_words_and_numbers_are_left():
    inspection = await captured(("a heliotrope thing", "a heliotrope answer"))
    shown = view_for_reader(inspection, BLIND, REDACTOR)
    everything = dump(shown) + export(shown, "now", "here").decode()
    for word in ("heliotrope", "green tea", "Mallory", "friendly and brief"):
        assert word not in everything
    assert "How this conversation works" in shown.system_text
    assert len(shown.messages) == len(inspection.request.messages)
    assert all(m.message.author is None for m in shown.messages)
    assert shown.stats == inspection.numbers.stats
    assert orjson.loads(shown.written.body).startswith("[withheld: request, ")


async def test_the_operator_without_a_grant_sees_the_persona_but_not_the_talk():
    shown = view_for_reader(
        await captured(("heliotrope", "talk")), CaptureReader(reads_content=False, operator=True), REDACTOR
    )
    assert "friendly and brief" in shown.system_text and "heliotrope" not in dump(shown)


async def test_what_runs_is_told_in_the_words_of_people_and_so_it_is_withheld_with_them():
    process = RunningProcess(id="b1", kind=ProcessKind.BRANCH, task="look up heliotrope", started=START)
    inspection = await Looking(channel().replace(running=(process,))).inspector.inspect(KEY)
    assert "heliotrope" in dump(view_for_reader(inspection, OWNER, REDACTOR))
    blind = view_for_reader(inspection, BLIND, REDACTOR)
    assert "heliotrope" not in dump(blind) and "heliotrope" not in repr(blind)
    assert "branch b1" in dump(blind)


async def test_what_came_back_is_told_in_the_words_of_people_and_so_it_is_withheld_with_them():
    finished = came_back("look up heliotrope", "heliotrope is a plant")
    inspection = await Looking(channel().replace(finished=(finished,))).inspector.inspect(KEY)
    assert "heliotrope is a plant" in dump(view_for_reader(inspection, OWNER, REDACTOR))
    blind = view_for_reader(inspection, BLIND, REDACTOR)
    assert "heliotrope" not in dump(blind) and "heliotrope" not in repr(blind)
    assert "worker w2 done" in dump(blind)


async def test_secrets_are_taken_out_wherever_they_stand():
    stack = Stack(memories=FakeMemories(memory(f"the key is {SECRET}")))
    look = Looking(talked(channel(), (f"use {SECRET}", "no")), stack)
    shown = view_for_reader(
        await look.inspector.inspect(KEY), OWNER, REDACTOR, CaptureExtras((f"saw {SECRET}",), (SECRET,))
    )
    everything = dump(shown) + export(shown, "now", "here").decode() + read("ledger", shown, 5000)
    everything += read("journal", shown, 5000) + read("search:key is", shown, 5000)
    assert SECRET not in everything and "[redacted:" in everything
    document = orjson.loads(export(shown, "now", "here"))
    assert document["redactions"] == shown.redactions == 2 and document["exact"] is False


async def test_what_is_beside_the_request_does_not_make_it_inexact():
    shown = view_for_reader(await captured(), OWNER, REDACTOR, CaptureExtras(ledger=(f"saw {SECRET}",)))
    assert shown.exact and SECRET not in shown.extras.ledger[0]


async def test_every_text_is_searched_for_secrets_once():
    asked: list[str] = []

    class Counting:
        def redact(self, text):
            asked.append(text)
            return REDACTOR.redact(text)

    remembering, inspection = CachedRedactor(Counting()), await captured()
    first = view_for_reader(inspection, OWNER, remembering)
    written, searched = first.written, len(asked)
    again = view_for_reader(inspection, OWNER, remembering)
    assert (again, again.written) == (first, written) and len(asked) == searched


def test_what_was_searched_before_is_remembered_within_bounds():
    remembering = CachedRedactor(REDACTOR)
    for number in range(300):
        remembering.redact(f"{number} " + "x" * 10_000)
    assert sum(map(len, remembering._kept)) <= 500_000
    assert remembering.redact(f"{SECRET} " + "y" * 600_000).count == 1
    assert len(remembering._kept) == 1


async def test_a_newest_message_keeps_its_envelope_in_the_view():
    look = Looking(talked(channel(), ("hi", "hello")), Stack(memories=FakeMemories(ELSEWHERE)))
    await look.send(trigger(says(f"keep {SECRET}", 9)))
    shown = view_for_reader(await look.inspector.inspect(KEY, 1), ADMIN, REDACTOR)
    newest = shown.messages[-1].message
    assert newest.parts[0].text.startswith("## Who took part so far")
    assert "[redacted:" in newest.parts[-1].text


async def test_a_tool_s_own_words_are_cleaned_too():
    look = Looking(channel())
    inspection = await look.inspector.inspect(KEY)
    leaky = inspection.request.tools[0].replace(description=f"Call with {SECRET}")
    request = inspection.request.model_copy(update={"tools": (leaky,)})
    shown = view_for_reader(replace(inspection, request=request), OWNER, REDACTOR)
    assert SECRET not in dump(shown) and shown.redactions == 1


async def test_a_request_whose_bytes_cannot_be_made_has_no_body():
    look = Looking(channel())
    look.wires.broken = True
    assert view_for_reader(await look.inspector.inspect(KEY), OWNER, REDACTOR).written.body == "null"


async def test_nobody_writes_the_bytes_of_a_request_that_nobody_asks_for():
    look = Looking(talked(channel(), ("hi", "hello")))
    written: list[str] = []

    class Watched:
        def encode(self, request, dialect):
            written.append(request.digest)
            return look.wires.encode(request, dialect)

        def encoder(self, model):
            return look.wires.encoder(model)

    inspector = replace(look.inspector, wires=Watched())
    shown = view_for_reader(await inspector.inspect(KEY), OWNER, REDACTOR)
    assert live_view(LiveView(shown)) and written == []
    assert shown.note.startswith("next: ") and written == [shown.digest]
    assert shown.written.body and written == [shown.digest]
