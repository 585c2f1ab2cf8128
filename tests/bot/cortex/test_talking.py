"""An admin goes on asking in the thread: a model reads and proposes; the rules speak where it cannot."""

from __future__ import annotations

import asyncio

import pytest

from bot.domain.channel import ProcessKind
from bot.domain.handles import HandleKind, handle
from bot.domain.ids import ChannelId
from bot.domain.messages import Role
from bot.errors import ProviderFault
from bot.sentences import say
from tests.bot.cortex.chat import ADMIN, GENERAL, OWNER, chat, config, dm_of
from tests.fakes.provider import calls, fails, says
from tests.fakes.values import KEY

NOTHING = says('{"findings":[],"summary":"All is well."}')


async def begun(bot, by=OWNER):
    """A thread: somebody asked, the rules and a branch have answered."""
    await bot.hears("are you there?")
    await bot.hears("!cortex why isn't this responding", by)


async def test_a_second_question_goes_on_with_the_talk(tmp_path):
    async with chat(tmp_path, says("yes"), NOTHING, says("Nobody asked anything."), says("As I said: nobody.")) as bot:
        await begun(bot)
        before = len(bot.provider.requests)
        await bot.dm("did anybody ask something today?")
        first = bot.provider.requests[before]
        assert [block.name for block in first.system] == ["cortex_contract"]
        assert "did anybody ask something today?" in first.messages[-1].text
        assert "What the rules say now" in first.messages[-1].text
        assert "All is well" in first.messages[-1].text, "what the branch reported is known"
        assert "Nobody asked anything." in bot.last
        await bot.dm("are you sure?")
        second = bot.provider.requests[-1]
        assert [message.role for message in second.messages] == [Role.USER, Role.ASSISTANT, Role.USER]
        assert second.messages[1].text == "Nobody asked anything."
        assert "All is well" not in second.messages[-1].text, "what was told is not told again"
        assert bot.public == ["yes"]


async def test_the_talk_goes_on_after_a_restart(tmp_path):
    async with chat(tmp_path, says("yes"), NOTHING, says("It is the pause.")) as bot:
        await begun(bot)
        await bot.dm("what is it?")
    async with chat(tmp_path, says("Since noon.")) as bot:
        await bot.dm("since when?")
        sent = bot.provider.requests[-1].messages
        assert [message.text for message in sent if message.role is Role.ASSISTANT] == ["It is the pause."]
        assert "Since noon." in bot.last


async def test_its_tools_read_and_propose_and_a_press_does_it(tmp_path):
    async with chat(tmp_path, says("yes"), NOTHING, NOTHING) as bot:
        row = await bot.remembers()
        name = handle(HandleKind.MEMORY, row)
        await begun(bot)
        bot.provider.script[:] = [
            calls(("memory_recall", {}), ("config_inspect", {"prefix": "model."}), ("doctor", {})),
            calls(
                ("memory_delete", {"memory": name, "reason": "it silences the bot"}),
                ("memory_save", {"content": "Ann may be answered again.", "type": "decision"}),
            ),
            says(f"{name} tells it to be silent."),
        ]
        await bot.dm("what keeps it silent, and what can I do?")
        results = [part.text for m in bot.provider.requests[-1].messages for part in m.results]
        assert name in results[0] and 'model.name = "scripted/scripted-1"' in results[1] and "All is well" in results[2]
        assert f"{name} tells it to be silent." in bot.private[-3].text
        assert (await bot.store.memories.get(row)).forgotten_at == 0, "nothing is done before it is confirmed"
        await bot.presses("Remember it")
        await bot.presses(f"Forget {name}")
        assert (await bot.store.memories.get(row)).forgotten_at > 0
        kept = await bot.store.memories.get(row + 1)
        assert kept is not None and kept.body.content == "Ann may be answered again."
        await bot.presses("Undo")
        assert (await bot.store.memories.get(row)).forgotten_at == 0


async def test_what_it_proposed_is_kept_with_its_answer_and_survives_whatever_breaks_then(tmp_path):
    proposes = calls(("memory_save", {"content": "Ann may be answered again.", "type": "decision"}))
    async with chat(tmp_path, says("yes"), NOTHING, proposes, says("I propose to remember it.")) as bot:
        await begun(bot)
        bot.platform.fails([asyncio.CancelledError()])  # the process is stopped while it sends the answer
        await bot.dm("what can I do?")
    async with chat(tmp_path, clock=bot.clock) as bot:
        await bot.settled()
        await bot.presses("Remember it")
        memories = await bot.store.memories.listed(KEY.agent, KEY.channel, "1")
        assert [memory.body.content for memory in memories] == ["Ann may be answered again."]


async def test_another_inspection_reports_into_the_same_thread(tmp_path):
    looks = calls(("context_inspect", {"focus": "silence"}))
    async with chat(tmp_path, says("yes"), NOTHING) as bot:
        await begun(bot)
        bot.provider.script[:] = [looks, says("I have sent a branch."), says('{"findings":[],"summary":"Still well."}')]
        await bot.dm("look again")
        assert len({(sent.to.channel, sent.to.thread) for sent in bot.private}) == 1
        said = "\n".join(sent.text for sent in bot.private)
        assert "I have sent a branch." in said and "Still well." in said


async def test_without_a_model_the_rules_answer(tmp_path):
    async with chat(tmp_path, says("yes"), NOTHING, fails(ProviderFault.SERVER, "503")) as bot:
        await begun(bot)
        told = len(bot.private)
        await bot.dm("and now?")
        answer, rules = bot.private[told:]
        assert "The model gave no answer" in answer.text
        assert "no model" in rules.text


async def test_a_record_that_does_not_exist_is_named(tmp_path):
    async with chat(tmp_path, says("yes"), NOTHING, says("See m0zz9, it says so.")) as bot:
        await begun(bot)
        await bot.dm("why?? tell me")
        assert "No record has this name: m0zz9." in bot.last


async def test_while_one_question_is_answered_the_next_one_waits(tmp_path):
    async with chat(tmp_path, says("yes"), NOTHING) as bot:
        await begun(bot)
        asked, go_on = asyncio.Event(), asyncio.Event()

        async def slow(request):
            asked.set()
            await go_on.wait()
            return says("First.")

        bot.provider.script[:] = [slow, says("Second.")]
        await bot.arrives("one?", OWNER, dm_of(OWNER))
        await asked.wait()
        await bot.arrives("two?", OWNER, dm_of(OWNER))
        await bot.until(lambda: bot.last == say("cortex.busy"))
        go_on.set()
        await bot.settled()
        said = [sent.text for sent in bot.private[-3:]]
        assert said[0] == say("cortex.busy") and "First." in said[1] and "Second." in said[2]


async def test_an_admin_who_lost_the_right_gets_no_answer(tmp_path):
    async with chat(tmp_path, says("yes"), NOTHING) as bot:
        await begun(bot, ADMIN)

        async def revoked(request):
            bot.platform.admins.discard((ADMIN, GENERAL))
            return says("The secret is out.")

        bot.provider.script[:] = [revoked]
        await bot.dm("what is it?", ADMIN)
        assert bot.last == say("cortex.withheld-answer")


LOOKS = calls(
    ("memory_recall", {}),
    ("channel_recall", {"query": "CANARY"}),
    ("worker_inspect", {}),
    ("retrieve_tool_call_log", {}),
)


def results(request):
    return "\n".join(part.text for message in request.messages for part in message.results)


async def test_an_admin_who_cannot_read_the_channel_gets_no_words_of_it_from_any_tool(tmp_path):
    async with chat(tmp_path, calls(("memory_recall", {"query": "CANARY-ASKED"})), says("yes"), NOTHING) as bot:
        await bot.remembers("CANARY-MEMORY")
        await bot.hears("CANARY-WORDS")
        bot.platform.readers.discard((ADMIN, GENERAL))
        await bot.hears("!cortex why isn't this responding", ADMIN)
        bot.provider.script[:] = [LOOKS, says("I cannot read what was said.")]
        await bot.dm("what was said?", ADMIN)
        first, last = bot.provider.requests[-2:]
        offered = {tool.name for tool in first.tools}
        assert "doctor" in offered and not offered & {"memory_recall", "channel_recall", "worker_inspect"}
        assert "may not read what is said in that channel" in first.messages[-1].text, "the model is told why"
        assert "CANARY" not in results(last)


async def test_an_inspection_for_an_admin_who_cannot_read_the_channel_has_no_tool_that_shows_its_words(tmp_path):
    async with chat(tmp_path, says("yes"), LOOKS, NOTHING) as bot:
        await bot.remembers("CANARY-MEMORY")
        await bot.hears("CANARY-WORDS")
        bot.platform.readers.discard((ADMIN, GENERAL))
        await bot.hears("!cortex what was said?", ADMIN)
        assert {tool.name for tool in bot.provider.requests[-1].tools} == {"read_channel_context"}
        assert "CANARY" not in results(bot.provider.requests[-1])


async def test_an_answer_is_withheld_from_an_admin_who_could_read_when_they_asked_and_cannot_now(tmp_path):
    async with chat(tmp_path, says("yes"), NOTHING) as bot:
        await begun(bot, ADMIN)

        async def hidden(request):
            bot.platform.readers.discard((ADMIN, GENERAL))
            return says("Ann said CANARY.")

        bot.provider.script[:] = [hidden]
        await bot.dm("what is it?", ADMIN)
        assert bot.last == say("cortex.withheld-answer")


async def test_an_admin_reads_what_is_configured_for_everybody_and_for_their_channel_alone(tmp_path):
    tables = {
        "channels": {GENERAL: {"persona": "MINE"}, "console:#second": {"persona": "THEIRS"}},
    }
    async with chat(tmp_path, says("yes"), NOTHING, settings=config(tmp_path / "data", **tables)) as bot:
        await begun(bot, ADMIN)
        asks = [("config_inspect", {"prefix": prefix}) for prefix in ("channels", "limits", "platforms", "agents")]
        bot.provider.script[:] = [calls(*asks), says("Read.")]
        await bot.dm("what is set?", ADMIN)
        read = results(bot.provider.requests[-1])
        assert "MINE" in read and "limits.user_per_minute" in read
        assert "THEIRS" not in read and "owner_ids" not in read
        await begun(bot, OWNER)
        bot.provider.script[:] = [calls(*asks), says("Read.")]
        await bot.dm("what is set?", OWNER)
        read = results(bot.provider.requests[-1])
        assert "THEIRS" in read and "owner_ids" in read


async def test_it_looks_at_no_foreign_channel(tmp_path):
    other = ChannelId("console:#second")
    async with chat(tmp_path, says("yes"), NOTHING) as bot:
        await begun(bot, ADMIN)
        bot.provider.script[:] = [calls(("context_inspect", {"channel_id": other})), says("I may not.")]
        await bot.dm("look there, too", ADMIN)
        (result,) = [part for m in bot.provider.requests[-1].messages for part in m.results]
        assert not result.ok


async def test_it_leaves_no_trace_in_the_channel(tmp_path):
    async with chat(tmp_path, says("yes"), NOTHING, says("Nothing.")) as bot:
        await begun(bot)
        digest = (await bot.app.inspector.inspect(KEY)).digest
        await bot.dm("anything?")
        assert (await bot.app.inspector.inspect(KEY)).digest == digest
        turns = await bot.store.journal.recent_turns(KEY, 9)
        assert {turn.kind for turn in turns} == {ProcessKind.CHANNEL}


@pytest.mark.parametrize("word", ["tools", "work"])
async def test_what_can_be_used_and_what_runs(tmp_path, word, snapshot):
    async with chat(tmp_path) as bot:
        await bot.hears("hello")
        await bot.hears(f"!cortex {word}", OWNER)
        assert bot.last == snapshot
