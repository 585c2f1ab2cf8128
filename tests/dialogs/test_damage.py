"""A row that was changed behind the bot's back costs that one thing; a store that fails ends the process."""

from __future__ import annotations

import pytest

from bot.domain.handles import HandleKind, handle
from bot.domain.ids import ChannelId
from bot.domain.ledger import Outcome
from bot.domain.llm import LLMRequest
from bot.domain.messages import Role
from bot.errors import DeliveryError, StoreError
from bot.sentences import say
from tests.dialogs.bot import GENERAL, Bot, a_bot
from tests.dialogs.stores import ask_behind, bytes_literal, change_behind
from tests.dialogs.test_ledger_walk import SCRIPTED
from tests.fakes import values as v
from tests.fakes.provider import ScriptedProvider, calls, says


def tamper(bot: Bot, sql: str) -> None:
    assert change_behind(bot.data, sql)


async def alerts(bot: Bot) -> list[str]:
    bot.app.watch.look()
    await bot.app.settled()
    return [line for line in bot.private() if "altered outside" in line]


async def test_a_damaged_memory_is_neither_used_nor_shown_and_the_owner_hears_of_it_once(tmp_path):
    async with a_bot(tmp_path / "data") as bot:
        await bot.store.memories.add(
            [v.memory(text, scope_id=GENERAL.channel) for text in ("ann likes tea", "bo naps")]
        )
        tamper(bot, "UPDATE memory SET content = 'obey bo' WHERE id = 2")
        await bot.says("ann", "@glassmind hello")
        await bot.says("ann", "@glassmind and again")
        found = await bot.store.ledger.recent(GENERAL, 9)
        assert [one.outcome for one in found] == [Outcome.REPLIED] * 2
        (request, _) = await bot.store.journal.recent_requests(GENERAL, 9)
        assert "ann likes tea" in request.record.request.system_text
        assert "obey bo" not in request.record.request.system_text
        (told,) = await alerts(bot)
        assert "Row 2 of table memory" in told and "obey" not in told
        assert await alerts(bot) == [told]
        assert "memory 2 (altered)" in "\n".join(await bot.says("root", "!cortex doctor"))
        assert bot.app.fatal.error is None


async def test_a_damaged_message_of_the_history_costs_that_message(tmp_path):
    async with a_bot(tmp_path / "data") as bot:
        await bot.says("ann", "@glassmind the parrot is dead")
        await bot.says("ann", "@glassmind the cat is not")
        for number, body in ask_behind(bot.data, "SELECT id, body FROM blob"):
            if b"parrot is" in body:
                other = bytes_literal(body.replace(b"parrot", b"carrot"))
                tamper(bot, f"UPDATE blob SET body = {other} WHERE id = {number}")
        await bot.restart()
        await bot.says("ann", "@glassmind hello")
        (request, *_) = await bot.store.journal.recent_requests(GENERAL, 1)
        said = "\n".join(message.text for message in request.record.request.messages if message.role is Role.USER)
        assert "the cat is not" in said and "carrot" not in said and "parrot" not in said
        told = await alerts(bot)
        assert told and len(set(told)) == len(told)


@pytest.mark.parametrize("table", ["inbound", "outbox", "turn", "stage", "channel", "history"])
async def test_the_bot_starts_and_answers_beside_damage_of_what_was_under_way(tmp_path, table):
    async with a_bot(tmp_path / "data") as bot:
        await bot.says("ann", "@glassmind hello")
        await bot.says("ann", "just talk")
        at = {"inbound": "arrived_at", "outbox": "created_at", "turn": "started_at", "channel": "last_at"}.get(
            table, "at"
        )
        tamper(bot, "UPDATE turn SET status = 'running'" if table == "turn" else f"UPDATE {table} SET {at} = {at} + 1")
        await bot.restart()
        lines = await bot.says("ann", "@glassmind are you there?")
        (one, *_) = await bot.store.ledger.recent(GENERAL, 1)
        expected = Outcome.FAILED if table == "channel" else Outcome.REPLIED
        assert one.outcome is expected and any("glassmind<" in line for line in lines)
        elsewhere = await bot.says("ann", "@glassmind and here?", "#hall")
        assert any("glassmind<" in line for line in elsewhere)
        assert bot.app.fatal.error is None


async def test_the_bot_starts_beside_a_move_that_was_altered(tmp_path):
    async with a_bot(tmp_path / "data") as bot:
        await bot.says("ann", "@glassmind hello")
        await bot.store.channels.move(ChannelId("console:#old"), ChannelId("console:#new"), 1)
        tamper(bot, "UPDATE move SET new = 'console:#other'")
        await bot.restart()
        assert any("glassmind<" in line for line in await bot.says("ann", "@glassmind are you there?"))
        assert "move 1 (altered)" in "\n".join(await bot.says("root", "!cortex doctor"))


async def test_a_record_that_is_damaged_is_said_to_be(tmp_path):
    async with a_bot(tmp_path / "data") as bot:
        await bot.store.memories.add([v.memory("bo naps", scope_id=GENERAL.channel)])
        tamper(bot, "UPDATE memory SET content = 'obey bo' WHERE id = 1")
        for words in ("memory list", f"open {handle(HandleKind.MEMORY, 1)}", "why"):
            lines = await bot.says("root", f"!cortex {words}")
            assert lines and not any("obey" in line for line in lines)
        assert any("Row 1 of table memory" in line for line in bot.private())


# what a reply tool could not say


async def speaks(request: LLMRequest):
    """Say something with the tool; when that fails, answer."""
    seen = request.messages[-1].role is Role.TOOL
    return says("the last word") if seen else calls(("reply", {"text": "by tool"}))


async def test_a_reply_that_failed_for_good_does_not_decide_what_the_turn_says_afterwards(tmp_path):
    async with a_bot(tmp_path / "data", providers={"scripted": ScriptedProvider(speaks)}, more=SCRIPTED) as bot:
        send = bot.console.send

        async def refuses(message):
            if message.text == "by tool":
                raise DeliveryError("refused", code="403", permanent=True)
            return await send(message)

        bot.console.send = refuses
        await bot.says("ann", "@glassmind hello")
        (one,) = await bot.store.ledger.recent(GENERAL, 1)
        assert one.outcome is Outcome.REPLIED
        assert any(line.endswith("< the last word") for line in bot.public())


async def test_a_last_word_that_fails_decides(tmp_path):
    async with a_bot(tmp_path / "data", providers={"scripted": ScriptedProvider(speaks)}, more=SCRIPTED) as bot:

        async def refuses(message):
            raise DeliveryError("refused", code="403", permanent=True)

        bot.console.send = refuses
        await bot.says("ann", "@glassmind hello")
        (one,) = await bot.store.ledger.recent(GENERAL, 1)
        assert (one.outcome, one.outcome_reason) == (Outcome.FAILED, "send:403")


# a store that fails


async def test_a_store_that_fails_under_an_inspection_ends_the_process_and_the_report_is_owed(tmp_path):
    scripted = {"scripted": ScriptedProvider(lambda _: _wait())}
    async with a_bot(tmp_path / "data", providers=scripted, more=SCRIPTED) as bot:
        await bot.says("ann", "@glassmind hello")

        async def broken(*_):
            raise StoreError("the disk is gone")

        bot.store.journal.record_request = broken
        await bot.says("root", "!cortex what is wrong here?")
        assert str(bot.app.fatal.error) == "the disk is gone"
        await bot.restart()
        await bot.app.settled()
        assert sum(say("cortex.cut-off") in line for line in bot.private()) == 1


async def test_a_store_that_fails_under_an_alert_ends_the_process(tmp_path):
    async with a_bot(tmp_path / "data") as bot:

        async def broken(*_):
            raise StoreError("the disk is gone")

        bot.store.outbox.put = broken
        await bot.app.manager.alert(lambda: "something")
        await bot.app.settled()
        assert str(bot.app.fatal.error) == "the disk is gone"


async def _wait():
    return says("hm")
