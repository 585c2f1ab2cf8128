"""However terse its own words were, the bot knows what its tools did: after a restart, a kill, and in a full window."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from adapters.simulated import create as simulated
from bot.context.envelope import section_texts
from bot.domain.handles import HandleKind, handle
from bot.domain.ledger import Outcome
from bot.domain.llm import LLMRequest, LLMResponse
from bot.domain.messages import Role
from bot.domain.turn import StoredRequest, TurnStatus
from bot.errors import StoreError
from tests.dialogs.bot import GENERAL, Bot, NoTable, a_bot
from tests.dialogs.killed import Killed
from tests.dialogs.stores import ask_behind, change_behind
from tests.dialogs.test_ledger_walk import SCRIPTED as HASTY
from tests.fakes import values as v
from tests.fakes.clock import FakeClock, FakeEntropy
from tests.fakes.provider import ScriptedProvider, calls, says

SCRIPTED = HASTY.replace("turn_timeout = 0.5", "turn_timeout = 30")
PAID = "invoice 12: paid, task id t-4711"


async def clerk(request: LLMRequest) -> LLMResponse:
    """Settle what is asked, with hardly a word; answer questions from the conversation alone, not from memories."""
    if not request.tools:
        return says("They settled an invoice and talked about tea.")
    newest = [message for message in request.messages if message.role is Role.USER][-1].parts[-1].text
    told = "\n".join(text for message in request.messages for text in message.texts)
    known = re.search(r"t-\d{4}", told)
    if "settle" in newest:
        return says("Done.") if known else calls(("memory_recall", {"query": "invoice"}))
    if "task id" in newest:
        return says(known[0] if known else "I do not know.")
    if "paid" in newest:
        return says("It is." if "paid, task" in told else "I do not know.")
    return says(" ".join(["Yes.", *(f"leaf {number}" for number in range(40))]))


def clerks() -> dict[str, ScriptedProvider]:
    return {"scripted": ScriptedProvider(clerk)}


async def remembers(bot: Bot) -> None:
    await bot.store.memories.add([v.memory(PAID, scope_id=GENERAL.channel)])


async def sent(bot: Bot) -> StoredRequest:
    (request, *_) = await bot.store.journal.recent_requests(GENERAL, 1)
    return request


def recap_in(request: StoredRequest) -> str:
    return section_texts(request.record.request, request.record.sections).get("tool_recap", "")


async def test_calls_and_results_are_replayed_as_messages_after_a_restart(tmp_path):
    async with a_bot(tmp_path / "data", providers=clerks(), more=SCRIPTED) as bot:
        await remembers(bot)
        assert (await bot.says("james", "@glassmind settle invoice 12"))[-1].endswith("< Done.")
        await bot.restart()
        assert (await bot.says("james", "@glassmind which task id?"))[-1].endswith("< t-4711")
        assert (await bot.says("james", "@glassmind was it paid?"))[-1].endswith("< It is.")
        request = await sent(bot)
        asked = [call.name for message in request.record.request.messages for call in message.calls]
        assert asked == ["memory_recall"]
        trace = next(trace for trace in request.record.sections if trace.name == "tool_recap")
        assert (trace.fate, trace.reason) == ("absent", "earlier tool calls and results stand in the history")


def image_with(killed: Killed, sql: str) -> Path:
    for image, _ in killed.images:
        if ask_behind(image, f"SELECT 1 FROM turn WHERE status = 'running' AND {sql}"):
            return image
    raise AssertionError("no image was taken there")


@pytest.mark.parametrize(
    ("when", "state"),
    [
        ("EXISTS (SELECT 1 FROM tool_call WHERE turn = turn.id)", "ok"),
        ("EXISTS (SELECT 1 FROM attempt) AND NOT EXISTS (SELECT 1 FROM tool_call)", "unknown"),
    ],
)
async def test_what_a_killed_turn_did_is_known_to_the_next_and_to_those_after_it(tmp_path, when, state):
    async with a_bot(tmp_path / "data", providers=clerks(), more=SCRIPTED) as bot:
        await remembers(bot)
        killed = Killed(bot, tmp_path)
        await bot.says("james", "@glassmind settle invoice 12")
    providers = {"simulated": simulated("simulated", {}), **clerks()}
    bot = Bot(image_with(killed, when), FakeClock(), FakeEntropy(), providers, NoTable(), SCRIPTED)
    await bot.open()
    await bot.app.settled()
    (one,) = await bot.store.ledger.recent(GENERAL, 9)
    assert one.outcome is Outcome.REPLIED and bot.public()[-1].endswith("< Done.")
    first, died = one.turn, await bot.store.journal.turn(1)
    assert died is not None and died.status is TurnStatus.INTERRUPTED and first == 2
    for number, asked in enumerate(("which task id?", "which task id, again?")):
        answer = (await bot.says("james", f"@glassmind {asked}"))[-1]
        text = recap_in(await sent(bot))
        assert f"turn=1 #1 tool=memory_recall state={state}" in text, number
        assert answer.endswith("< t-4711")
    # what was called before the kill is on record, and opens
    if state == "ok":
        (call,) = await bot.store.journal.calls_of_turn(1)
        name = handle(HandleKind.CALL, call.record_id)
        assert f"id={name}" in text
        shown = "\n".join(await bot.says("root", f"!cortex open {name}"))
        assert "memory_recall" in shown and "t-4711" in shown
        assert not any("t-4711" in line for line in await bot.says("ann", f"!cortex open {name}"))
    await bot.says("root", "@glassmind !new")
    assert (await bot.says("james", "@glassmind which task id?"))[-1].endswith("< I do not know.")
    await bot.close()


NARROW = SCRIPTED.replace("context_window = 128000", "context_window = {}\nmax_output_tokens = 100")


@pytest.mark.parametrize("compacts", [False, True])
async def test_a_full_window_keeps_what_tools_did_and_what_is_foretold_is_sent(tmp_path, compacts):
    async with a_bot(tmp_path / "data", providers=clerks(), more=NARROW.format(128_000)) as bot:
        await bot.says("ann", "@glassmind hello")
        stats = (await bot.app.inspector.inspect(GENERAL)).numbers.stats
    narrow = NARROW.format(stats.total + 1100) + f"[compaction]\nenabled = {str(compacts).lower()}\n"
    async with a_bot(tmp_path / "more", providers=clerks(), more=narrow) as bot:
        await remembers(bot)
        await bot.says("james", "@glassmind settle invoice 12")
        reads = count_reads(bot)
        for number in range(14):
            await bot.says("ann", f"@glassmind {number} tea?")
        request = await sent(bot)
        assert compacts or 1 in request.record.dropped_turns
        assert any(message.summary for message in request.record.request.messages) is compacts
        assert "tool=memory_recall state=ok" in recap_in(request) and "t-4711" in recap_in(request)
        assert 0 < len(reads) < 14, "only a window that is full makes it read"
        await bot.says("james", "@glassmind which task id?")
        assert bot.public()[-1].endswith("< t-4711")
        foretold = await bot.app.inspector.inspect(GENERAL)
        await bot.says("james", "@glassmind was it paid?")
        assert bot.public()[-1].endswith("< It is.")
        again = recap_in(await sent(bot))
        assert again == section_texts(foretold.request, foretold.numbers.sections)["tool_recap"]
        await bot.app.settled()
        trail = await bot.store.ledger.trail((await bot.store.ledger.recent(GENERAL, 1))[0].id)
        assert not any(stage.reason.startswith("drift") for stage in trail.stages)


def count_reads(bot: Bot) -> list[tuple]:
    read, reads = bot.store.journal.parts, []

    async def parts(*asked):
        reads.append(asked)
        return await read(*asked)

    bot.store.journal.parts = parts
    return reads


async def test_a_recap_that_cannot_be_read_stops_no_turn(tmp_path):
    async with a_bot(tmp_path / "data", providers=clerks(), more=SCRIPTED) as bot:
        await remembers(bot)
        killed = Killed(bot, tmp_path)
        await bot.says("james", "@glassmind settle invoice 12")
    providers = {"simulated": simulated("simulated", {}), **clerks()}
    image = image_with(killed, "EXISTS (SELECT 1 FROM tool_call WHERE turn = turn.id)")
    bot = Bot(image, FakeClock(), FakeEntropy(), providers, NoTable(), SCRIPTED)

    async def look() -> None:
        async def broken(*_):
            raise StoreError("the table is gone")

        bot.store.journal.parts = broken

    await bot.open(look)
    await bot.app.settled()
    assert bot.public()[-1].endswith("< Done.")
    request = (await bot.store.journal.requests_of_turn(2))[0]
    assert recap_in(request) == "[tool recap unavailable]"
    trace = next(trace for trace in request.record.sections if trace.name == "tool_recap")
    assert trace.reason == "could not be read: the table is gone"
    assert bot.app.fatal.error is None
    await bot.close()


# what an older version left


async def test_calls_and_results_that_lost_each_other_never_break_a_request(tmp_path):
    async with a_bot(tmp_path / "data", providers=clerks(), more=SCRIPTED) as bot:
        await remembers(bot)
        await bot.says("james", "@glassmind settle invoice 12")
        await bot.says("james", "@glassmind settle invoice 12 and 13")
        at_rest = "SELECT history.id, blob.hash, blob.body FROM history JOIN blob ON blob.id = history.blob ORDER BY 1"
        # the result of the first turn is gone, as an older version may have left it
        (gone,) = [line for line, _, body in ask_behind(bot.data, at_rest) if b'"role":"tool"' in body]
        change_behind(bot.data, f"DELETE FROM history WHERE id = {gone}")
        before = ask_behind(bot.data, at_rest)
        await bot.restart()
        await bot.says("james", "@glassmind which task id?")
        (one, *_) = await bot.store.ledger.recent(GENERAL, 1)
        assert one.outcome is Outcome.REPLIED
        messages = (await sent(bot)).record.request.messages
        asked = [call.call_id for message in messages for call in message.calls]
        answered = [result.call_id for message in messages for result in message.results]
        assert asked == answered == ["c0"]
        assert "missing from the stored history" in "\n".join(r.text for m in messages for r in m.results)
        assert ask_behind(bot.data, at_rest)[: len(before)] == before


# one sanitizer


SECRET = "shop-key-of-the-service-4711"


async def test_what_a_tool_returned_is_shown_without_secrets_wherever_it_is_shown(tmp_path):
    keyed = SCRIPTED.replace('kind = "simulated"', f'kind = "simulated"\napi_key = "{SECRET}"')
    async with a_bot(tmp_path / "data", providers=clerks(), more=keyed) as bot:
        text = f"invoice 12: paid with {SECRET} by 123456789012345678, task id t-4711"
        await bot.store.memories.add([v.memory(text, scope_id=GENERAL.channel)])
        killed = Killed(bot, tmp_path)
        await bot.says("james", "@glassmind settle invoice 12")
    providers = {"simulated": simulated("simulated", {}), **clerks()}
    image = image_with(killed, "EXISTS (SELECT 1 FROM tool_call WHERE turn = turn.id)")
    bot = Bot(image, FakeClock(), FakeEntropy(), providers, NoTable(), keyed)
    await bot.open()
    await bot.app.settled()
    told = recap_in(await sent(bot))
    assert "[redacted:providers.scripted.api_key:28]" in told and "123456789012345678" in told
    (call,) = await bot.store.journal.calls_of_turn(1)
    assert SECRET in call.result_output, "what came is kept as it was"
    for words in (f"open {handle(HandleKind.CALL, call.record_id)}", "last", "gap", "export", 'find "invoice 12"'):
        await bot.says("root", f"!cortex {words}")
    shown = "\n".join(bot.lines) + told
    written = "".join(path.read_text("utf-8") for path in (image / "context").rglob("*.json"))
    assert written and "t-4711" in shown
    assert SECRET not in shown + written
    await bot.close()
