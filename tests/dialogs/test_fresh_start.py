"""A fresh start: who may, that it can be taken back, and that `why` names it; and who may stop an answer."""

from __future__ import annotations

from pathlib import Path

from bot.domain.base import digest
from bot.domain.ids import MAIN, ChannelId, ChannelKey
from bot.domain.ledger import Outcome
from tests.dialogs.bot import GENERAL, Bot, a_bot
from tests.dialogs.minds import SCRIPTED, Minds, until

ANNS = ChannelKey(MAIN, ChannelId("console:dm:101"))


async def state_of(bot: Bot, key: ChannelKey = GENERAL):
    return bot.app.registry.get(key) or await bot.store.channels.load(key)


def told(minds: Minds) -> str:
    """What the model was told in its newest request of the channel."""
    return "\n".join(message.text for message in minds.of("channel")[-1].messages)


async def test_in_a_group_a_member_starts_nothing_afresh(tmp_path: Path) -> None:
    async with a_bot(tmp_path / "data") as bot:
        await bot.says("ann", "@glassmind my cat is called Pear")
        before = digest(await state_of(bot))
        said = "\n".join(await bot.says("james", "/new"))
        assert "/new here is for moderators and above. You may use: /help" in said
        assert "/new undo" not in "\n".join(await bot.says("james", "/help"))
        assert "/new here is for moderators" in "\n".join(await bot.says("james", "/new undo"))
        assert "/new here is for moderators" in "\n".join(await bot.says("james", "@glassmind reset"))
        assert digest(await state_of(bot)) == before
        newest = (await bot.store.ledger.recent(GENERAL, 1))[0]
        assert (newest.outcome, newest.outcome_reason) == (Outcome.COMMAND, "new denied")
        assert not await bot.store.audit.newest(None, 9)


async def test_a_fresh_start_is_on_record_and_comes_back_with_what_was_said_since(tmp_path: Path) -> None:
    minds = Minds()
    async with a_bot(tmp_path / "data", providers=minds.providers, more=SCRIPTED) as bot:
        await bot.says("ann", "@glassmind my cat is called Pear")
        await bot.says("ann", "what a lovely day")
        assert "A fresh start" in "\n".join(await bot.says("mod", "/new"))
        (row,) = await bot.store.audit.newest(None, 9)
        assert (row.body.action, row.body.actor_name, row.body.target) == ("fresh start", "mod", "console:#general")
        await bot.says("ann", "@glassmind what is my cat called?")
        assert "Pear" not in told(minds)
        await bot.restart()
        said = "\n".join(await bot.says("mod", "/new undo"))
        assert "The chat from before" in said and "is back. What was said since then follows it." in said
        await bot.says("ann", "@glassmind and now?")
        text = told(minds)
        order = [text.index(words) for words in ("called Pear", "lovely day", "my cat called?", "and now?")]
        assert order == sorted(order)
        undone, begun = await bot.store.audit.newest(None, 9)
        assert (undone.body.action, begun.undone_by) == ("undo fresh start", undone.id)
        assert "Nobody started a fresh chat here" in "\n".join(await bot.says("mod", "/new undo"))
        live = await state_of(bot)
        assert digest(live.replace(settings=live.settings)) == digest(await bot.store.channels.load(GENERAL))


async def test_without_a_word_since_it_is_as_it_was(tmp_path: Path) -> None:
    async with a_bot(tmp_path / "data") as bot:
        for words in ("@glassmind my cat is called Pear", "lovely day", "@glassmind yes?", "quite so"):
            await bot.says("ann", words)
        before = await state_of(bot)
        await bot.types("[#general] mod> /new", "[#general] mod> /new", "[#general] mod> /new undo")
        assert not (await state_of(bot)).history, "the newest one is taken back first"
        await bot.says("mod", "/new undo")
        assert digest(await state_of(bot)) == digest(before)


async def test_after_a_day_it_stays_gone(tmp_path: Path) -> None:
    async with a_bot(tmp_path / "data") as bot:
        await bot.says("ann", "@glassmind my cat is called Pear")
        await bot.says("mod", "/new")
        bot.clock.advance(24 * 3600)
        assert "Nobody started a fresh chat here in the last 24 hours" in "\n".join(await bot.says("mod", "/new undo"))
        assert not (await state_of(bot)).history


async def test_in_their_own_chat_people_may_do_both_and_nobody_else_reads_of_it(tmp_path: Path) -> None:
    async with a_bot(tmp_path / "data") as bot:
        await bot.says("ann", "my cat is called Pear", "dm")
        before = digest(await state_of(bot, ANNS))
        assert "A fresh start" in "\n".join(await bot.says("ann", "!new", "dm"))
        assert "is back" in "\n".join(await bot.says("ann", "!new undo", "dm"))
        assert digest(await state_of(bot, ANNS)) == before
        assert not await bot.store.audit.newest(None, 9), "the list of everybody's deeds leaves private chats out"


async def test_why_names_who_started_a_fresh_chat(tmp_path: Path) -> None:
    async with a_bot(tmp_path / "data") as bot:
        await bot.says("ann", "@glassmind my cat is called Pear")
        await bot.says("mod", "/new")
        await bot.says("ann", "@glassmind what is my cat called?")
        said = "\n".join(await bot.says("root", "!cortex why"))
        assert "a fresh chat was started" in said and "mod started a fresh chat at " in said and "/new undo" in said
        await bot.says("mod", "/new undo")
        assert "fresh chat" not in "\n".join(await bot.says("root", "!cortex why"))


async def test_an_answer_is_stopped_by_who_asked_and_by_moderators(tmp_path: Path) -> None:
    minds = Minds(holds={"channel"})
    async with a_bot(tmp_path / "data", providers=minds.providers, more=SCRIPTED) as bot:
        for who, line in (("james", "I am answering somebody else."), ("ann", "Stopped."), ("mod", "Stopped.")):
            bot.console.world.here, bot.console.world.speaker = GENERAL.channel, "ann"
            minds.waiting.clear()
            await bot.console.type("[#general] ann> @glassmind a long story", bot.app.manager)
            await minds.waiting.wait()
            asked = (await bot.store.ledger.recent(GENERAL, 1))[0]
            before = len(bot.lines)
            await bot.console.type(f"[#general] {who}> /stop", bot.app.manager)

            async def is_told(line: str = line, before: int = before) -> bool:
                return any(line in one for one in bot.lines[before:])

            await until(is_told)
            if who == "james":
                minds.goes_on.set()
                await bot.app.settled()
                minds.goes_on.clear()
            else:
                await bot.app.settled()
            ended = await bot.store.ledger.inbound(asked.id)
            assert ended.outcome is (Outcome.REPLIED if who == "james" else Outcome.CANCELLED)
        actions = [row.body.action for row in await bot.store.audit.newest(None, 9)]
        assert actions == ["stop", "stop"]
