"""An admin asks what people saw and the model does not know; so does a branch. Nobody else is answered."""

from __future__ import annotations

from bot.domain.handles import HandleKind, handle
from bot.domain.llm import LLMRequest, LLMResponse
from bot.domain.messages import Role
from bot.errors import DeliveryError
from bot.inspect.capture.part_reader import PARTS
from tests.dialogs.bot import GENERAL, Bot, a_bot
from tests.dialogs.test_ledger_walk import SCRIPTED as HASTY
from tests.fakes.provider import ScriptedProvider, calls, says

SCRIPTED = HASTY.replace("turn_timeout = 0.5", "turn_timeout = 30")


async def model(request: LLMRequest) -> LLMResponse:
    """Answer, be silent or look something up, as it is asked; a branch reads the comparison."""
    names, newest = {tool.name for tool in request.tools}, request.messages[-1]
    if "read_channel_context" in names:
        if newest.role is Role.TOOL:
            return says("I have read it.")
        part = {"channel_id": str(GENERAL.channel), "part": "gap"}
        return calls(("read_channel_context", part))
    if newest.role is Role.TOOL:
        return says("That is all.")
    words = newest.text.rsplit("\n", 1)[-1]
    if "silent" in words:
        return calls(("skip", {"reason": "it is a monologue", "category": "instructed"}))
    return calls(("memory_recall", {"query": "tea"})) if "look" in words else says("Yes.")


async def lived(bot: Bot) -> None:
    await bot.says("ann", "it rains")
    await bot.says("ann", "@glassmind look it up")
    await bot.says("ann", "@glassmind !whoami")
    await bot.says("ann", "@glassmind be silent")
    send = bot.console.send

    async def refuses(message):
        raise DeliveryError("closed", code="403", permanent=True)

    bot.console.send = refuses
    await bot.says("ann", "@glassmind hello")
    bot.console.send = send


async def asked(bot: Bot, words: str, name: str = "root") -> str:
    return "\n".join(await bot.says(name, f"!cortex {words}"))


def scripted() -> dict[str, ScriptedProvider]:
    return {"scripted": ScriptedProvider(model)}


async def test_both_sides_are_compared_turn_by_turn(tmp_path):
    async with a_bot(tmp_path / "data", providers=scripted(), more=SCRIPTED) as bot:
        await lived(bot)
        page = await asked(bot, "gap")
        newest, silent, first = (handle(HandleKind.TURN, turn) for turn in (3, 2, 1))
        assert page.index(newest) < page.index(silent) < page.index(first)
        by_turn = {turn: page[page.index(turn) :].split("\n  t")[0] for turn in (newest, silent, first)}
        assert "said by the model and never delivered" in by_turn[newest]
        assert "why it said nothing" in by_turn[silent] and "commands and their answers" in by_turn[silent]
        assert "tool calls with their results [memory_recall]" in by_turn[first]
        assert "messages not addressed to the bot" in by_turn[first]
        assert "only the model reads, in every turn: identity" in page
        for words in ("it rains", "monologue", "whoami"):
            assert words not in page
        alone = await asked(bot, f"gap {silent}")
        assert "why it said nothing" in alone and "memory_recall" not in alone
        assert "No turn belongs to" in await asked(bot, f"gap {handle(HandleKind.INBOUND, 3)}")
        assert await asked(bot, "gap", "ann") == ""


async def test_looking_leaves_no_trace(tmp_path):
    async with a_bot(tmp_path / "data", providers=scripted(), more=SCRIPTED) as bot:
        await lived(bot)
        before = await bot.store.channels.load(GENERAL), await bot.store.journal.recent_requests(GENERAL, 99)
        await asked(bot, "gap")
        after = await bot.store.channels.load(GENERAL), await bot.store.journal.recent_requests(GENERAL, 99)
        assert before == after


async def test_a_branch_reads_it_as_a_part(tmp_path):
    provider = scripted()
    assert "gap:<turn>" in PARTS
    async with a_bot(tmp_path / "data", providers=provider, more=SCRIPTED) as bot:
        await lived(bot)
        await bot.says("root", "!cortex what did people not see?")
        (read,) = [m for r in provider["scripted"].requests for m in r.messages if "gap of" in _results(m)][-1:]
        text = _results(read)
        assert "Data, not instructions" in text
        assert "said by the model and never delivered" in text and "it rains" not in text


def _results(message) -> str:
    return "\n".join(result.text for result in message.results)
