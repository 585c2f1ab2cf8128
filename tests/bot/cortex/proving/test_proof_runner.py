"""A proof from the chat: the silence, the suspect, the price, the runs, the verdict, and the button that mends."""

from __future__ import annotations

import asyncio
import re
import shutil

from bot.domain.channel import ProcessKind
from bot.domain.handles import HandleKind, handle
from bot.domain.ids import MAIN, ChannelId, ChannelKey, PersonKey, UserId
from bot.domain.ledger import Outcome
from bot.domain.messages import ButtonPress
from bot.errors import ProviderFault
from bot.sentences import say
from tests.bot.cortex.chat import ADMIN, GENERAL, OWNER, SILENCING, chat, config, dm_of
from tests.fakes.provider import calls, fails, says

KEY = ChannelKey(MAIN, GENERAL)
SKIP = calls(("skip", {"reason": "I was told not to answer ann.", "category": "instructed"}))


def obeys(request):
    """Keep silent as long as the prompt says so, like a model that reads its memories."""
    silent = SILENCING in request.system_text and "skip" in {tool.name for tool in request.tools}
    return SKIP if silent else says("yes, I am here")


def told(bot, words: str) -> str:
    """The newest private message with some words."""
    return next(sent.text for sent in reversed(bot.private) if words in sent.text)


async def test_from_the_silence_to_the_proof_and_the_button_that_mends(tmp_path):
    async with chat(tmp_path, obeys) as bot:
        row = await bot.remembers()
        name = handle(HandleKind.MEMORY, row)
        silent = await bot.hears("are you there?")
        assert await bot.outcome(silent) is Outcome.SKIPPED
        asked = len(bot.provider.requests)
        await bot.hears("!cortex why", OWNER)
        assert f"memory {name}: it tells the bot not to answer" in bot.last
        assert await bot.presses("Prove it…") == ""
        assert len(bot.provider.requests) == asked
        assert f"First suspect: memory {name}" in bot.last and "Up to 40 runs" in bot.last
        assert "Model scripted/scripted-1" in bot.last
        public = list(bot.public)
        assert await bot.presses("Prove it") == "Asking now; the result comes here."
        await bot.settled()
        verdict = told(bot, "proven why it stays silent")
        assert f"The cause: memory {name}" in verdict
        assert re.search(r"How often it stays silent\nas sent: (\d+) of \1\n", verdict)
        assert re.search(rf"^without memory {name}: 0 of \d+$", verdict, re.MULTILINE)
        assert "Needed for this, and enough alone." in verdict
        assert bot.public == public
        await bot.presses(f"Forget {name}…")
        assert await bot.presses(f"Forget {name}") == "Done."
        assert (await bot.store.memories.get(row)).forgotten_at


async def silenced(bot) -> str:
    """Let it be silent once; return the memory's name."""
    row = await bot.remembers()
    await bot.hears("are you there?")
    return handle(HandleKind.MEMORY, row)


async def offered(bot, line="!cortex prove", by=OWNER) -> str:
    """Ask for a proof; return what its button carries."""
    await bot.hears(line, by)
    return bot.button("Prove it").data


async def begins(bot, data, by=OWNER) -> str:
    """Press without waiting for what comes of it."""
    person = PersonKey("console", UserId(by))
    return await bot.manager.pressed(ButtonPress(person=person, name="somebody", channel=dm_of(by), data=data))


async def replays(bot):
    rows = await bot.store.meter.usage(KEY, 0)
    return sum(row.requests for row in rows if row.kind is ProcessKind.REPLAY)


async def test_a_proof_can_be_asked_for_by_message_memory_part_and_words(tmp_path):
    async with chat(tmp_path, obeys) as bot:
        name = await silenced(bot)
        for line in ("prove", f"prove {handle(HandleKind.REQUEST, 1)}", f"prove {name}", f"prove i2krxn {name}"):
            await bot.hears(f"!cortex {line}", OWNER)
            assert f"First suspect: memory {name}" in bot.last, line
        await bot.hears("!cortex prove section:identity", OWNER)
        assert "First suspect: the section identity" in bot.last
        await bot.hears("!cortex prove section:nothing", OWNER)
        assert bot.last == "That request has no such part. `read` lists what it is made of."
        await bot.hears("!cortex prove m00zz", OWNER)
        assert bot.last == "That memory was not in the request."
        assert len(bot.provider.requests) == 1


def repeats(request):
    """Say what a memory says, while it stands there."""
    return says("We raid on Friday." if "raid is on friday" in request.system_text else "I do not know.")


async def test_why_this_answer_asks_for_the_words_in_question(tmp_path):
    async with chat(tmp_path, repeats) as bot:
        row = await bot.remembers("The raid is on friday.")
        name = handle(HandleKind.MEMORY, row)
        await bot.hears("when do we raid?")
        await bot.hears(f'!cortex prove {name} "Friday"', OWNER)
        assert 'why it says "Friday"' in bot.last
        await bot.presses("Prove it")
        verdict = told(bot, "proven why")
        assert f"The cause: memory {name}" in verdict and 'How often it says "Friday"' in verdict
        await bot.hears('!cortex prove "monday"', OWNER)
        assert bot.last == "Those words are not in that answer."


async def test_runs_are_recorded_requests_of_their_own_kind_and_nothing_else_comes_of_them(tmp_path):
    async with chat(tmp_path, obeys) as bot:
        await silenced(bot)
        await offered(bot)
        history = await bot.store.channels.load(KEY)
        asked = len(bot.provider.requests)
        await bot.presses("Prove it")
        runs = len(bot.provider.requests) - asked
        assert await replays(bot) == runs > 0
        assert await bot.store.channels.load(KEY) == history
        assert [one.id for one in await bot.store.journal.recent_requests(KEY, 9)] == [1]
        turn = next(t for t in [await bot.store.journal.turn(n) for n in range(2, 9)] if t.kind is ProcessKind.REPLAY)
        first = (await bot.store.journal.requests_of_turn(turn.id))[0].record
        sent = (await bot.store.journal.request(1)).record
        assert (first.digest, first.wire_sha256) == (sent.digest, sent.wire_sha256)
        assert not await bot.store.journal.calls_of_turn(turn.id)
        await bot.hears("!cortex usage", OWNER)
        assert "replay" in bot.last
        # a replay belongs to whoever asked for it
        await bot.hears(f"!cortex open {handle(HandleKind.TURN, turn.id)}", ADMIN)
        assert bot.last == "There is no such record that you may open."


async def test_a_press_counts_once_and_for_its_admin_alone(tmp_path):
    async with chat(tmp_path, obeys) as bot:
        await silenced(bot)
        data = await offered(bot)
        asked = len(bot.provider.requests)
        assert await bot.press_data(data, ADMIN) == say("cortex.not-yours")
        assert await bot.press_data(data, OWNER, GENERAL) == say("cortex.not-yours")
        assert len(bot.provider.requests) == asked
        assert (await bot.press_data(data)).startswith("Asking now;")
        await bot.settled()
        asked = len(bot.provider.requests)
        assert (await bot.press_data(data)).startswith("Done at ")
        assert await bot.presses("Stop") == "That proof is over already."
        await bot.settled()
        assert len(bot.provider.requests) == asked
        data = await offered(bot)
        bot.clock.advance(601)
        assert "expired" in await bot.press_data(data)
        bot.platform.admins.discard((ADMIN, GENERAL))
        before = len(bot.private)
        await bot.hears("!cortex prove", ADMIN)
        assert not any("Prove it?" in sent.text for sent in bot.private[before:])


async def test_one_proof_at_a_time_and_stop_keeps_what_is_known(tmp_path):
    gate = asyncio.Event()

    async def slow(request):
        if len(bot.provider.requests) > 6:
            await gate.wait()
        return obeys(request)

    async with chat(tmp_path, slow) as bot:
        name = await silenced(bot)
        data, other = await offered(bot), await offered(bot, by=ADMIN)
        assert (await begins(bot, data)).startswith("Asking now;")
        await bot.until(lambda: len(bot.provider.requests) > 6)
        assert "A proof is already running in that channel." in await begins(bot, other, ADMIN)
        stop = bot.button("Stop").data
        assert await begins(bot, stop, ADMIN) == say("cortex.not-yours")
        assert await bot.press_data(stop) == "Stopping. What is known so far comes here."
        await bot.settled()
        assert "not decided" in bot.last or "not decided" in told(bot, "You stopped it")
        assert "How often it stays silent" in told(bot, "You stopped it") and name in told(bot, "You stopped it")
        # what had to wait was not used up
        gate.set()
        assert (await bot.press_data(other, ADMIN)).startswith("Asking now;")
        await bot.settled()
        assert "proven why" in told(bot, "proven why")


async def test_a_proof_that_is_killed_goes_on_where_it_stopped(tmp_path):
    image = tmp_path / "killed"

    def dies(request):
        if len(bot.provider.requests) == 7:
            shutil.copytree(tmp_path / "data", image / "data")
        return obeys(request)

    async with chat(tmp_path, dies) as bot:
        name = await silenced(bot)
        await offered(bot)
        await bot.presses("Prove it")
        await bot.settled()
        whole = len(bot.provider.requests) - 1
        verdict, clock = told(bot, "proven why"), bot.clock
    async with chat(image, obeys, clock=clock) as again:
        await again.settled()
        assert again.last.startswith("The proof was cut off: the bot was stopped.")
        assert "✓ As sent: 2 of 2" in again.last and "It can continue; its 5 runs are kept." in again.last
        data = again.button("Go on").data
        assert await again.press_data(data, ADMIN) == say("cortex.not-yours")
        assert await again.press_data(data) == "Picking up where it stopped."
        await again.settled()
        assert len(again.provider.requests) == whole - 5
        assert re.sub(r"\bt(?=\w*\d)[0-9a-z]{4,5}", "", told(again, "proven why")) == re.sub(
            r"\bt(?=\w*\d)[0-9a-z]{4,5}", "", verdict
        )
        assert name in verdict
        assert await again.press_data(data) == "That proof is over, or was started again. Ask for a new one."


async def test_a_proof_that_is_stopped_with_the_bot_says_so(tmp_path):
    gate = asyncio.Event()

    async def slow(request):
        if len(bot.provider.requests) > 4:
            await gate.wait()
        return obeys(request)

    async with chat(tmp_path, slow) as bot:
        await silenced(bot)
        data = await offered(bot)
        await begins(bot, data)
        await bot.until(lambda: len(bot.provider.requests) > 4)
        platform, clock = bot.platform, bot.clock
    assert any(sent.text.startswith("The proof was cut off") for sent in platform.sent)
    async with chat(tmp_path, obeys, clock=clock, platform=platform) as again:
        assert await again.presses("Go on") == "Picking up where it stopped."
        await again.settled()
        assert "proven why it stays silent" in told(again, "proven why")


async def test_a_service_that_fails_stops_the_proof_and_it_can_go_on(tmp_path):
    def fails_once(request):
        if len(bot.provider.requests) == 5:
            raise fails(ProviderFault.AUTH, "no such key")
        return obeys(request)

    async with chat(tmp_path, fails_once) as bot:
        await silenced(bot)
        await offered(bot)
        await bot.presses("Prove it")
        await bot.settled()
        assert "The proof stopped:\nno such key" in told(bot, "The proof stopped")
        bot.clock.advance(1000)
        assert await bot.presses("Go on") == "Picking up where it stopped."
        await bot.settled()
        assert "proven why" in told(bot, "proven why")


async def test_a_day_whose_money_is_spent_pays_for_no_proof(tmp_path):
    settings = config(tmp_path / "data")
    model = settings.model.model_copy(update={"price_input": 1000.0, "price_output": 1000.0})
    limits = settings.limits.model_copy(update={"daily_cost_usd": 0.9})
    settings = settings.model_copy(update={"model": model, "limits": limits})
    async with chat(tmp_path, obeys, settings=settings) as bot:
        await silenced(bot)
        await bot.hears("!cortex prove", OWNER)
        assert "Up to 40 runs, about $" in bot.last
        await bot.presses("Prove it")
        await bot.settled()
        stopped = told(bot, "The proof stopped")
        assert "Today's money is spent" in stopped
        asked = len(bot.provider.requests)
        assert "Today's money is spent" in await bot.presses("Go on")
        assert len(bot.provider.requests) == asked <= 10


async def test_whoever_may_not_read_proves_by_names_alone(tmp_path):
    async with chat(tmp_path, obeys) as bot:
        await silenced(bot)
        bot.platform.readers.clear()
        before = len(bot.private)
        await offered(bot, by=ADMIN)
        await bot.presses("Prove it", ADMIN)
        await bot.settled()
        said = [sent.text for sent in bot.private[before:]]
        assert any("proven why" in text for text in said)
        assert not any("do not answer ann" in text for text in said)


async def test_a_channel_that_is_not_recorded_now_has_no_proofs(tmp_path):
    async with chat(tmp_path, obeys) as bot:
        await silenced(bot)
        await bot.hears("!cortex record off", OWNER)
        await bot.presses("Stop recording")
        await bot.hears(f"!cortex prove {handle(HandleKind.REQUEST, 1)}", OWNER)
        assert bot.last == "That channel is not recorded now. A proof is made of recorded requests."


async def test_a_request_is_asked_once_more_and_both_decisions_stand_side_by_side(tmp_path):
    async with chat(tmp_path, obeys) as bot:
        name = await silenced(bot)
        for line, change, now in (
            ("replay", "as it was", "Now: it stays silent as well."),
            (f"replay {handle(HandleKind.REQUEST, 1)} without {name}", f"without memory {name}", "Now: it answers."),
            (f'replay with {name} "Ann likes tea."', f"with other words for memory {name}", "Now: it answers."),
            ("replay on scripted/scripted-2", "on scripted/scripted-2", "Now: it stays silent as well."),
        ):
            asked, public = len(bot.provider.requests), list(bot.public)
            await bot.hears(f"!cortex {line}", OWNER)
            assert change in bot.last and "One run" in bot.last and len(bot.provider.requests) == asked, line
            await bot.presses("Ask it again")
            await bot.settled()
            assert f"asked again, {change}" in bot.last and now in bot.last, bot.last
            assert len(bot.provider.requests) == asked + 1 and bot.public == public
        assert "yes, I am here" in next(s.text for s in bot.private if "Now: it answers" in s.text)
        await bot.hears("!cortex replay on nowhere/old", OWNER)
        assert bot.last == "nowhere/old is not configured any more, and no other model can stand in for it here."
        await bot.hears("!cortex replay without section:none", OWNER)
        assert bot.last == "That request has no such part. `read` lists what it is made of."


def recalls(request):
    """Look something up first; then say what came back, while it stands there."""
    results = [result.text for message in request.messages for result in message.results]
    if any("friday" in text for text in results):
        return says("We raid on Friday.")
    if not results and len(request.messages) == 1 and "memory_recall" in {tool.name for tool in request.tools}:
        return calls(("memory_recall", {"query": "raid"})) if not recalls.looked else says("I do not know.")
    return says("I do not know.")


async def test_what_a_tool_returned_can_be_the_cause_and_goes_with_its_call(tmp_path):
    recalls.looked = False
    settings = config(tmp_path / "data", memory={"bulletin_words": 0})
    async with chat(tmp_path, recalls, settings=settings) as bot:
        await bot.remembers("The raid is on friday.")
        await bot.hears("when do we raid?")
        assert bot.public == ["We raid on Friday."]
        recalls.looked = True
        await bot.hears('!cortex prove "friday"', OWNER)
        await bot.presses("Prove it")
        await bot.settled()
        verdict = told(bot, "proven why")
        assert "The cause: message 2 and message 3" in verdict
        assert len(await bot.store.journal.calls_of_turn(1)) == 1


async def test_others_are_answered_while_a_proof_runs(tmp_path):
    gate = asyncio.Event()
    elsewhere = ChannelId("console:#elsewhere")

    async def slow(request):
        if "here too" in request.messages[-1].text:
            return says("and here")
        if len(bot.provider.requests) > 3:
            await gate.wait()
        return obeys(request)

    async with chat(tmp_path, slow) as bot:
        await silenced(bot)
        data = await offered(bot)
        await begins(bot, data)
        await bot.until(lambda: len(bot.provider.requests) > 3)
        for channel in (elsewhere, GENERAL):
            await bot.arrives("here too?", channel=channel)
        await bot.until(lambda: bot.public == ["and here", "and here"])
        gate.set()
        await bot.settled()
        assert "proven why" in told(bot, "proven why")


async def test_a_run_of_a_proof_opens_for_its_admin_and_is_no_request_of_the_channel(tmp_path):
    async with chat(tmp_path, obeys) as bot:
        await silenced(bot)
        await offered(bot)
        await bot.presses("Prove it")
        await bot.settled()
        name = handle(HandleKind.REQUEST, 3)
        await bot.hears(f"!cortex open {name}", OWNER)
        assert name in bot.last.splitlines()[0]
        for line in (f"prove {name}", f"replay {name}", f"context sent {name}"):
            await bot.hears(f"!cortex {line}", OWNER)
            assert "Only the channel's own requests are shown." in bot.last, (line, bot.last)


async def test_a_source_of_an_answer_is_proven_by_the_word_that_both_share(tmp_path):
    async with chat(tmp_path, repeats) as bot:
        name = handle(HandleKind.MEMORY, await bot.remembers("The raid is on friday."))
        await bot.hears("when do we raid?")
        await bot.hears("!cortex sources", OWNER)
        await bot.presses("Prove it…")
        assert 'why it says "friday"' in bot.last and f"First suspect: memory {name}" in bot.last
        await bot.presses("Prove it")
        await bot.settled()
        assert f"The cause: memory {name}" in told(bot, 'proven why it says "friday"')
