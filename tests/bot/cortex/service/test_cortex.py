"""An admin asks, in private the cortex answers; nobody else notices."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bot.domain.access import Authority
from bot.domain.handles import HandleKind, handle
from bot.domain.ids import MAIN, ChannelId, ChannelKey, PersonKey, UserId
from bot.domain.ledger import Outcome
from bot.errors import ProviderFault, ToolError
from bot.sentences import say
from bot.tools.context_inspect import InspectionWish
from tests.bot.cortex.chat import ADMIN, ADMIN_TOO, ANN, GENERAL, OWNER, SILENCING, STRANGER, chat, config, dm_of
from tests.fakes.provider import calls, fails, says

NOTHING = says('{"findings":[],"summary":"All is well."}')
SECOND = ChannelId("console:#second")


async def test_a_question_is_answered_in_a_private_thread_by_the_rules_and_then_by_one_report(tmp_path):
    async with chat(tmp_path, says("yes"), NOTHING) as bot:
        await bot.hears("are you there?")
        asked = await bot.hears("!cortex why isn't this responding", OWNER)
        assert bot.public == ["yes"]
        assert [sent.to.channel for sent in bot.private] == [dm_of(OWNER)] * 2
        assert "no model" in bot.private[0].text
        assert "Reading the prompt added nothing" in bot.private[1].text
        assert "All is well" in bot.private[1].text
        assert (GENERAL, asked.message_id, "👀") in bot.platform.reactions
        assert await bot.outcome(asked) is Outcome.COMMAND


async def test_a_stranger_gets_nothing_and_the_ledger_says_why(tmp_path):
    async with chat(tmp_path) as bot:
        asked = await bot.hears("!cortex why", STRANGER)
        assert bot.platform.sent == []
        assert bot.platform.reactions == []
        trail = await bot.store.ledger.trail((await bot.inbound(asked)).id)
        assert any(row.verdict.value == "stopped" for row in trail.stages)


async def test_an_admin_without_the_platforms_word_gets_nothing_either(tmp_path):
    async with chat(tmp_path) as bot:
        bot.platform.admins.discard((ADMIN, GENERAL))
        asked = await bot.hears("!cortex why", ADMIN)
        assert bot.platform.sent == []
        trail = await bot.store.ledger.trail((await bot.inbound(asked)).id)
        assert any("cortex: no right here" in row.reason for row in trail.stages)


async def test_why_asks_no_model(tmp_path):
    async with chat(tmp_path) as bot:
        await bot.hears("hello")
        before = len(bot.provider.requests)
        await bot.hears("!why", ADMIN)
        assert len(bot.provider.requests) == before
        assert len(bot.private) == 1


async def test_bare_cortex_shows_the_report_and_what_can_be_typed(tmp_path):
    async with chat(tmp_path) as bot:
        await bot.hears("hello")
        await bot.hears("!cortex", OWNER)
        assert len(bot.private) == 2
        assert "`ledger [#name]`" in bot.last
        assert len([line for line in bot.last.splitlines() if line.startswith("`")]) == 6


@pytest.mark.parametrize(
    ("step", "words"),
    [
        (fails(ProviderFault.SERVER, "503"), "The inspection failed"),
        (says("I am sorry, I cannot help with that."), "checked against nothing"),
        (says('{"findings": "all of them"}'), "checked against nothing"),
        (calls(("no_such_tool", {"x": 1})), "The inspection failed"),
    ],
    ids=["down", "refuses", "garbage", "never stops"],
)
async def test_whatever_the_model_does_the_rules_answer_and_there_is_exactly_one_report(tmp_path, step, words):
    async with chat(tmp_path, says("yes"), step) as bot:
        await bot.hears("hello")
        await bot.hears("!cortex what is wrong here?", OWNER)
        assert len(bot.private) == 2
        assert "no model" in bot.private[0].text
        assert words in bot.private[1].text
        assert bot.public == ["yes"]


async def test_a_model_that_hangs_ends_in_a_timeout_and_the_rules_came_first(tmp_path):
    async def hangs(request):
        await asyncio.sleep(60)

    settings = config(tmp_path / "data", cortex={"seconds": 0.3})
    async with chat(tmp_path, says("yes"), hangs, settings=settings) as bot:
        await bot.hears("hello")
        await bot.arrives("!cortex what is wrong here?", OWNER)
        await bot.until(lambda: len(bot.private) == 1)
        assert "no model" in bot.last
        await bot.settled()
        assert len(bot.private) == 2
        assert "ran out of time" in bot.last


async def test_an_inspection_that_is_cut_off_by_a_stop_says_so_once(tmp_path):
    async def hangs(request):
        await asyncio.sleep(60)

    async with chat(tmp_path, says("yes"), hangs) as bot:
        await bot.hears("hello")
        await bot.arrives("!cortex what is wrong here?", OWNER)
        await bot.until(lambda: len(bot.provider.requests) == 2)
        await bot.app.close("stopped by a signal")
        assert len(bot.private) == 2
        assert "stopped during" in bot.last


async def test_a_closed_dm_fails_closed(tmp_path):
    async with chat(tmp_path) as bot:
        await bot.remembers()
        await bot.hears("hello")
        bot.platform.closed_dms.add(OWNER)
        for line in ("why", "what is wrong?", "memory list", "export", "context"):
            await bot.hears(f"!cortex {line}", OWNER)
        assert bot.private == []
        start, _, end = say("sessions.dm-closed-link", link="{link}").partition("{link}")
        assert bot.public[0] == "yes" and len(bot.public) == 6
        assert all(line.startswith(start) and line.endswith(end) and "memor" not in line for line in bot.public[1:])


async def test_a_dm_that_closes_between_thread_and_message_fails_closed(tmp_path):
    async with chat(tmp_path) as bot:
        await bot.hears("hello")
        opened = bot.platform.open_thread

        async def open_then_close(person, title):
            address = await opened(person, title)
            bot.platform.closed_dms.add(OWNER)
            return address

        bot.platform.open_thread = open_then_close
        await bot.hears("!cortex why", OWNER)
        assert bot.private == []
        assert bot.public[-1].startswith(say("sessions.dm-closed-link", link="{link}").partition("{link}")[0])


async def test_nothing_private_is_ever_kept_for_a_public_place(tmp_path):
    lines = (
        "",
        "why",
        "what now?",
        "context",
        "last",
        "ledger",
        "export",
        "memory list",
        "memory search answer",
        "memory by ann",
        "doctor",
        "undo",
        'would ann "hello"',
        'find "CANARY"',
        "diff",
        "cache",
        "this",
        "audit",
        "help",
        "use #nowhere",
        "why #nowhere",
        "m0000",
    )
    async with chat(tmp_path, says("CANARY-ANSWER"), NOTHING) as bot:
        await bot.remembers("CANARY-MEMORY do not answer ann")
        await bot.hears("CANARY-WORDS are you there?")
        for line in lines:
            await bot.hears(f"!cortex {line}", OWNER)
        assert len(bot.private) >= len(lines)
        for sent in bot.platform.tried:
            if sent.to.private_to is None:
                assert sent.text == "CANARY-ANSWER"
            else:
                assert sent.to.private_to == OWNER
                assert sent.to.channel == dm_of(OWNER)


async def test_an_unknown_channel_lists_only_what_the_admin_may_inspect(tmp_path):
    async with chat(tmp_path) as bot:
        await bot.hears("hello")
        await bot.hears("hello", channel=SECOND)
        await bot.hears("!cortex why #secnd", ADMIN)
        assert "#general" in bot.last
        assert "#second" not in bot.last
        await bot.hears("!cortex why #second", ADMIN)
        assert "#second (" not in bot.last
        await bot.hears("!cortex why #second", OWNER)
        assert "no model" in bot.last


async def test_a_second_inspection_of_the_same_channel_says_so(tmp_path):
    gate = asyncio.Event()

    async def waits(request):
        await gate.wait()
        return NOTHING

    async with chat(tmp_path, says("yes"), waits) as bot:
        await bot.hears("hello")
        await bot.arrives("!cortex what is wrong?", OWNER)
        await bot.until(lambda: len(bot.private) == 1)
        await bot.arrives("!cortex and what else is wrong?", OWNER)
        await bot.until(lambda: len(bot.private) == 3)
        assert "still looking" in bot.last
        gate.set()
        await bot.settled()
        assert sum("added nothing" in sent.text for sent in bot.private) == 1


async def test_a_reply_goes_on_in_the_session_and_never_to_the_persona(tmp_path):
    async with chat(tmp_path, says("yes"), NOTHING) as bot:
        await bot.hears("hello")
        await bot.hears("!cortex why", OWNER)
        thread = bot.private[0].to.thread
        asked = await bot.dm("ledger", replies_to="p2")
        assert "newest" in bot.last
        assert bot.private[-1].to.thread == thread
        assert await bot.outcome(asked) is Outcome.COMMAND
        assert len(bot.provider.requests) == 1
        await bot.dm("and what does it remember of ann?")
        assert "All is well" in bot.last


async def test_after_half_an_hour_or_after_the_persona_spoke_it_is_the_personas_turn(tmp_path):
    async with chat(tmp_path, says("yes")) as bot:
        await bot.hears("hello")
        await bot.hears("!cortex why", OWNER)
        bot.clock.advance(31 * 60)
        await bot.dm("how are you?")
        assert bot.platform.sent[-1].text == "yes"
        await bot.dm("!cortex why #general")
        assert "no model" in bot.last
        bot.clock.advance(60)
        await bot.dm("!help")
        await bot.dm("and you?")
        assert bot.platform.sent[-1].text == "yes"


async def test_use_turns_the_thread_to_another_channel(tmp_path):
    async with chat(tmp_path) as bot:
        await bot.hears("hello")
        await bot.hears("hello", channel=SECOND)
        await bot.hears("!cortex why", OWNER)
        await bot.dm("use #second")
        assert "console:#second" in bot.last
        await bot.dm("ledger")
        assert "second" in bot.last
        assert len({sent.to.thread for sent in bot.private}) == 1


async def test_a_session_survives_a_restart(tmp_path):
    async with chat(tmp_path) as bot:
        await bot.hears("hello")
        await bot.hears("!cortex why", OWNER)
    async with chat(tmp_path) as again:
        await again.dm("ledger")
        assert "newest" in again.last


async def test_too_many_commands_a_minute_are_refused_without_content(tmp_path):
    settings = config(tmp_path / "data", cortex={"per_minute": 2})
    async with chat(tmp_path, settings=settings) as bot:
        await bot.hears("hello")
        for _ in range(4):
            await bot.hears("!cortex why", OWNER)
        assert [emoji for _, _, emoji in bot.platform.reactions] == ["👀", "👀", "⏳", "⏳"]
        # two answers, and once the word that the others were not taken
        assert len(bot.private) == 3 and "ask it again in a minute" in bot.last
        assert not any("more than I can take" in text for text in bot.public)
        await bot.dm("why")
        assert "more than I can take" in bot.platform.texts[-1]


async def test_looking_is_counted_apart_from_asking(tmp_path):
    settings = config(tmp_path / "data", cortex={"per_minute": 1})
    async with chat(tmp_path, settings=settings) as bot:
        await bot.hears("hello")
        for _ in range(4):
            await bot.hears("!cortex ledger", OWNER)
        assert len(bot.private) == 4


async def test_presses_are_counted_apart_and_more_are_allowed(tmp_path):
    settings = config(tmp_path / "data", cortex={"per_minute": 1})
    async with chat(tmp_path, settings=settings) as bot:
        await bot.hears("hello")
        await bot.hears("!cortex why", OWNER)
        answers = [await bot.presses("All checks") for _ in range(6)]
        assert answers[:5] == [""] * 5
        assert "more than I can take" in answers[5]


async def test_the_channel_is_told_that_it_is_looked_at_only_when_the_config_says_so(tmp_path):
    settings = config(tmp_path / "data", cortex={"notice_in_channel": True})
    async with chat(tmp_path, settings=settings) as bot:
        await bot.hears("hello")
        await bot.hears("!cortex why", OWNER)
        assert bot.public == ["yes", say("sessions.sent-in-private")]


async def test_commands_show_what_they_say(tmp_path):
    async with chat(tmp_path) as bot:
        await bot.remembers()
        said = await bot.hears("hello")
        await bot.hears("!cortex memory list", OWNER)
        assert SILENCING in bot.last
        assert "ann · decision · " in bot.last
        await bot.hears("!cortex context", OWNER)
        assert "System" in bot.last
        await bot.hears("!cortex last", OWNER)
        assert "sent" in bot.private[-2].text and "What came back for r" in bot.last and "yes" in bot.last
        await bot.hears("!cortex ledger", OWNER)
        assert "answered" in bot.last
        await bot.hears('!cortex would ann "hello there"', OWNER)
        assert "The message would reach the model." in bot.last
        row = handle(HandleKind.MEMORY, 1)
        await bot.hears(f'!cortex find "{SILENCING[:12].upper()}"', OWNER)
        assert f"the memory list, line 5 · memory {row}" in bot.last and SILENCING in bot.last
        await bot.hears('!cortex find "no such words"', OWNER)
        assert "Nothing that the model is told in #general has those words" in bot.last
        await bot.hears(f"!cortex memory show {row}", OWNER)
        assert "A memory: decision, importance 0.90." in bot.last and bot.last.endswith(row)
        await bot.hears(f"!cortex memory history {row}", OWNER)
        assert f"History · {row}" in bot.last and SILENCING in bot.last
        await bot.hears("!cortex doctor", OWNER)
        assert "checks" in bot.last or "All is well" in bot.last
        await bot.hears("!cortex audit", OWNER)
        assert "viewed records" in bot.last
        assert said.text not in "".join(bot.public)


async def test_an_export_is_a_file_in_the_dm_with_its_path(tmp_path):
    async with chat(tmp_path) as bot:
        await bot.hears("hello")
        await bot.hears("!cortex export", OWNER)
        sent = bot.private[-1]
        assert sent.file is not None
        assert sent.file.path in sent.text
        assert sent.file.name.endswith("-context.json")
        document = await asyncio.to_thread(Path(sent.file.path).read_bytes)
        assert b'"messages"' in document
        assert b'"exported_by": "root (console id 1), session s' in document


async def test_a_bare_word_that_is_no_record_is_a_question(tmp_path):
    async with chat(tmp_path, says("yes"), NOTHING) as bot:
        await bot.hears("hello")
        await bot.hears("!cortex again", OWNER)
        assert "All is well" in bot.last


async def test_the_tool_starts_an_inspection_and_refuses_foreign_channels(tmp_path):
    async with chat(tmp_path, says("yes"), NOTHING) as bot:
        await bot.hears("hello")
        await bot.hears("hello", channel=SECOND)
        caller = bot.access.caller(PersonKey("console", UserId(ADMIN)), "root")
        assert caller.authority is Authority.ADMIN
        here = ChannelKey(MAIN, GENERAL)
        started = await bot.cortex.begin(InspectionWish(caller, here, "", "silence", 0, "Warum schweigt er?"))
        assert started.channel == GENERAL
        await bot.settled()
        asked = bot.provider.requests[-1].messages[0].text
        assert "```\nWarum schweigt er?\n```" in asked and "in the language of the question" in asked
        assert "All is well" in bot.last
        with pytest.raises(ToolError, match="channel_id"):
            await bot.cortex.begin(InspectionWish(caller, here, SECOND, "", 0))
        stranger = bot.access.caller(PersonKey("console", UserId(ANN)), "ann")
        with pytest.raises(ToolError):
            await bot.cortex.begin(InspectionWish(stranger, here, "", "", 0))


async def test_other_peoples_private_chats_stay_closed(tmp_path):
    async with chat(tmp_path) as bot:
        await bot.hears("my secret", channel=dm_of(ANN))
        for by in (OWNER, ADMIN):
            await bot.dm(f"!cortex context {dm_of(ANN)}", by)
            assert "secret" not in "".join(sent.text for sent in bot.private if sent.to.private_to == by)
        await bot.dm(f"!cortex why {dm_of(ANN)}", ADMIN_TOO)
        assert "no such channel" in bot.last or "The bot knows no channel" in bot.last
