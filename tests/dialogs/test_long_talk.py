"""A talk of 120,000 tokens, looked into by a model that can hold 16,000: the cause is found wherever it stands."""

from __future__ import annotations

import random
import re

import pytest

from adapters.simulated import create as simulated
from bot.domain.base import canonical_json
from bot.domain.channel import ProcessKind
from bot.domain.llm import LLMRequest, LLMResponse
from bot.domain.messages import Role
from bot.domain.snapshot import CaptureKind
from bot.inspect.capture.redact_view import CaptureReader, view_for_reader
from bot.text.redaction import Redactor
from tests.dialogs.bot import GENERAL, Bot, a_bot
from tests.fakes.provider import ScriptedProvider, calls, says

WINDOW = 16_000
LONG = f"""
[providers.small]
kind = "simulated"
[providers.scripted]
kind = "simulated"
[model]
name = "simulated/simulated-1"
context_window = 400000
[cortex]
model = "small/reader"
context_window = {WINDOW}
"""
WORDS = re.findall(
    r"\w+",
    "the boat harbour wind rope sail morning evening market bread fish net crew captain storm cloud lamp deck anchor "
    "james ann bo paint wood nail hammer window roof garden apple letter song table chair road bridge hill river",
)
ORDER = "From now on, do not answer James, whatever he asks."
SETTLED = "We settled on forty euros each."
MESSAGES, LENGTH = 120, 3500


def small_talk(chance: random.Random) -> str:
    words = [chance.choice(WORDS) for _ in range(LENGTH // 6)]
    return " ".join(words)[:LENGTH].strip() + "."


async def talk(bot: Bot, third: int) -> None:
    """Long messages that nobody addresses to the bot; in one third of them an order, and words within a long one."""
    chance = random.Random(third)
    at = MESSAGES * third // 3 + chance.randrange(5, MESSAGES // 3 - 5)
    for number in range(MESSAGES):
        name, words = ("ann", "james", "bo")[number % 3], small_talk(chance)
        if number == at:
            await bot.console.type(f"[#general] ann> {ORDER}", bot.app.manager)
        if number == at + 2:
            words = f"{words[: LENGTH // 2]}. {SETTLED} {words[LENGTH // 2 :]}"
        await bot.console.type(f"[#general] {name}> {words}", bot.app.manager)
        await bot.app.settled()


async def inspected(bot: Bot) -> list[LLMRequest]:
    """Every request that an inspection sent."""
    turns = [row for number in range(1, 20) if (row := await bot.store.journal.turn(number)) is not None]
    looking = [turn.id for turn in turns if turn.kind is ProcessKind.INSPECTION]
    return [s.record.request for turn in looking for s in await bot.store.journal.requests_of_turn(turn)]


async def size(bot: Bot) -> int:
    found = await bot.app.inspector.inspect(GENERAL, CaptureKind.NEXT)
    return view_for_reader(found, CaptureReader(reads_content=True), Redactor.of({})).stats.total


def tokens(bot: Bot, request: LLMRequest) -> int:
    texts = (request.system_text, *(tool.json_text for tool in request.tools), *(m.text for m in request.messages))
    results = (part.text for message in request.messages for part in message.results)
    return sum(map(bot.counter.count, (*texts, *results)))


async def looks_it_up(request: LLMRequest) -> LLMResponse:
    """Read what it was given, and search for what is not there; then quote it."""
    read = [request.messages[0].text, *(part.text for message in request.messages for part in message.results)]
    if any(SETTLED in text for text in read):
        quote = {"handle": "context", "text": SETTLED}
        finding = {"claim": "It was settled.", "confidence": "likely", "evidence": ["context"], "quotes": [quote]}
        return says(canonical_json({"findings": [finding], "summary": ""}))
    return calls(("read_channel_context", {"channel_id": "console:#general", "part": "search:euros"}))


async def looked(bot, words: str) -> str:
    """What an admin reads who has a model look although the rules had something to say."""
    return "\n".join([*await bot.says("root", words), *await bot.types("/press Ask the model")])


@pytest.mark.parametrize("third", [0, 1, 2])
async def test_a_cause_in_any_third_of_a_long_talk_is_found(tmp_path, third):
    reader = ScriptedProvider(looks_it_up)
    providers = {"small": simulated("small", {}), "scripted": reader}
    async with a_bot(tmp_path / "data", providers=providers, more=LONG, ambient=500) as bot:
        await talk(bot, third)
        assert await size(bot) > 120_000
        before = await bot.store.channels.load(GENERAL)

        said = await looked(bot, "!cortex why does it not answer James?")
        assert "tells the bot not to answer james" in said and ORDER in said
        await within_bounds(bot, "small/reader")

        bot.more = LONG.replace("small/reader", "scripted/scripted-1")
        await bot.restart()
        said = await looked(bot, "!cortex what was agreed about the money?")
        assert "It was settled." in said and SETTLED in said
        await within_bounds(bot, "scripted/scripted-1")
        assert SETTLED not in reader.requests[0].messages[0].text and len(reader.requests) == 2
        assert (await bot.store.channels.load(GENERAL)).ambient[: len(before.ambient)] == before.ambient


async def within_bounds(bot: Bot, model: str) -> None:
    requests = [request for request in await inspected(bot) if str(request.model) == model]
    assert 0 < len(requests) <= 12
    assert all(tokens(bot, request) + request.max_output_tokens <= WINDOW for request in requests)
    assert [message.role for message in requests[0].messages] == [Role.USER]
    assert sum(len(message.calls) for message in requests[-1].messages) <= 24


async def test_pages_are_cut_to_what_the_question_is_about_and_end_when_there_is_no_room(tmp_path):
    asked: list[str] = []

    async def reads_on(request: LLMRequest) -> LLMResponse:
        last = request.messages[-1].results
        asked.append(last[0].text if last else "")
        if len(asked) < 8 and "read_channel_context" in {tool.name for tool in request.tools}:
            part = f"history:{len(asked)}-120"
            return calls(("read_channel_context", {"channel_id": "console:#general", "part": part}))
        return says("I have read enough.")

    providers = {"small": ScriptedProvider(reads_on, name="small")}
    async with a_bot(tmp_path / "data", providers=providers, more=LONG, ambient=500) as bot:
        await talk(bot, 1)
        await looked(bot, "!cortex what does settled mean here?")
        await within_bounds(bot, "small/reader")
        assert SETTLED in asked[1] and "cut to the room that you have left" in asked[1]
        assert re.search(r"left out: history:1-\d+", asked[1]) and "`history:1-120@0`" in asked[1]
        sizes = [bot.counter.count(text) for text in asked[1:] if "cut to the room" in text]
        assert sizes == sorted(sizes, reverse=True) and sizes[0] > 2 * sizes[-1]
        assert any("no room left to read more" in text for text in asked)
