"""Incidents whose cause lies in what the model was told: what an admin asks, reads first, and can press, everywhere."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from bot.cortex.words.report import MAX_CHARACTERS, MAX_LINES
from bot.text.times import plain_times
from tests.dialogs.bot import a_bot
from tests.dialogs.discord import a_discord_bot
from tests.dialogs.telegram import AT, a_telegram_bot, labels_of
from tests.dialogs.test_this import SCRIPTED
from tests.fakes.provider import ScriptedProvider, calls, fails, says
from tests.fakes.skills import write_skill

INSTRUCTED = {"reason": "questions of Ann belong to the help desk", "category": "instructed"}
SKIPS = calls(("skip", INSTRUCTED))
SUSPECTED = "What may have silenced it, likely:"
_BUTTONS = re.compile(r"\[\d+ ([^\]]+)\]")


class Told(NamedTuple):
    """A message that an admin reads in private, and what can be pressed below it."""

    text: str
    labels: tuple[str, ...]

    @property
    def is_for_a_phone(self) -> bool:
        return len(plain_times(self.text)) <= MAX_CHARACTERS and self.text.count("\n") < MAX_LINES


@dataclass
class Stage:
    """A bot somewhere, with root who asks, and ann, james and mod, who talk. `public` is what the bot said to all."""

    bot: Any
    model: ScriptedProvider
    says: Callable[..., Awaitable[Any]]
    private: Callable[[], list[Told]]
    press: Callable[[str], Awaitable[Any]]
    public: Callable[[], list[str]]

    async def asks(self, words: str) -> list[Told]:
        """Let root ask in the channel; return what they read then, in private."""
        before = len(self.private())
        await self.says("root", f"/cortex {words}")
        return self.private()[before:]

    async def presses(self, label: str) -> list[Told]:
        before = len(self.private())
        await self.press(label)
        return self.private()[before:]


Play = Callable[..., AbstractAsyncContextManager[Stage]]


@asynccontextmanager
async def in_a_terminal(path: Path, model: ScriptedProvider, *, persona: str = "", asks: int = 1000) -> Any:
    more = f"{SCRIPTED}\n[cortex]\nper_minute = {asks}\n"
    more += f'[channels."console:#general"]\npersona = "{persona}"\n' if persona else ""
    async with a_bot(path, providers={"scripted": model}, more=more) as bot:

        def private() -> list[Told]:
            told: list[Told] = []
            for block in bot.lines:
                if block.startswith("[dm root"):
                    lines = block.splitlines()[1:] or [block.partition("< ")[2]]
                    told.append(Told("\n".join(line[2:] for line in lines), ()))
                elif told and block.startswith("  [") and (labels := _BUTTONS.findall(block)):
                    told[-1] = told[-1]._replace(labels=(*told[-1].labels, *labels))
            return told

        async def says_it(who: str, text: str, place: str = "#general") -> None:
            await bot.says(who, text.replace("@bot", "@glassmind"), place)

        async def press(label: str) -> None:
            await bot.types(f"/press {label}")

        yield Stage(bot, model, says_it, private, press, bot.public)


@asynccontextmanager
async def on_telegram(path: Path, model: ScriptedProvider, *, persona: str = "", asks: int = 1000) -> Any:
    bot_keys = f'persona = "{persona}"\n' if persona else ""
    async with a_telegram_bot(path, model=model, bot_keys=bot_keys, asks=asks) as bot:
        yield in_a_chat(bot, model, AT)


@asynccontextmanager
async def on_discord(path: Path, model: ScriptedProvider, *, persona: str = "", asks: int = 1000) -> Any:
    bot_keys = f'persona = "{persona}"\n' if persona else ""
    async with a_discord_bot(path, model=model, bot_keys=bot_keys, asks=asks) as bot:
        yield in_a_chat(bot, model, bot.at)


def in_a_chat(bot: Any, model: ScriptedProvider, at: str) -> Stage:
    async def says_it(who: str, text: str, place: Any = None) -> None:
        words = text.replace("@bot", at)
        words = words.replace("/cortex", f"{at} cortex", 1) if bot.name == "discord" else words
        await bot.hears(getattr(bot, who), words, place)

    def private() -> list[Told]:
        return [Told(message.text, tuple(labels_of(message, ""))) for message in bot.written(bot.dm(bot.root))]

    async def press(label: str) -> None:
        await bot.presses(bot.root, label)

    return Stage(bot, model, says_it, private, press, bot.texts)


PLATFORMS: dict[str, Any] = {"console": in_a_terminal, "telegram": on_telegram, "discord": on_discord}


@pytest.fixture(params=PLATFORMS)
def play(request: pytest.FixtureRequest, tmp_path: Path) -> Play:
    def begin(*script: Any, **changes: Any) -> AbstractAsyncContextManager[Stage]:
        stage: AbstractAsyncContextManager[Stage] = PLATFORMS[request.param](
            tmp_path / "data", ScriptedProvider(*script), **changes
        )
        return stage

    return begin


def report_of(told: list[Told], words: str) -> Told:
    """The first message of an answer: what has more than a line."""
    found = next(one for one in told if one.text.count("\n") > 1)
    assert words in found.text, found.text
    assert found.is_for_a_phone and 0 < len(found.labels) <= 5, found
    return found


def saves(content: str) -> Any:
    return calls(("memory_save", {"content": content, "type": "decision"}))


async def test_a_memory_in_other_words_than_any_list_is_the_first_suspect(play):
    async with play(saves("Ann's questions belong to the help desk"), says("Noted."), SKIPS) as stage:
        await stage.says("james", "@bot note that Ann's questions belong to the help desk")
        await stage.says("ann", "@bot when do we raid?")
        first = report_of(await stage.asks("why"), "the bot chose not to answer")
        assert SUSPECTED in first.text and "A memory by " in first.text, first.text
        assert "by a non-admin" in first.text and "silence_rules" not in first.text
        (forget,) = [label for label in first.labels if label.startswith("Forget m")]
        preview = (await stage.presses(forget.removesuffix("…")))[-1]
        assert "help desk" in preview.text and any(label.startswith("Forget") for label in preview.labels)


async def test_a_persona_that_asks_for_silence_is_the_first_suspect(play):
    skips = calls(("skip", {"reason": "outside of help I keep quiet", "category": "instructed"}))
    async with play(skips, persona="You keep quiet outside of the help channel.") as stage:
        await stage.says("ann", "@bot when do we raid?")
        first = report_of(await stage.asks("why"), "the bot chose not to answer")
        assert SUSPECTED in first.text and "1 The configuration" in first.text, first.text
        assert "keep quiet outside" in first.text and "fits its reason" in first.text


async def test_a_skill_that_asks_for_silence_is_the_first_suspect(play, tmp_path):
    write_skill(tmp_path / "data/skills", "loot", "Let questions about loot pass unanswered.", "Loot: who gets it")
    skips = calls(("skip", {"reason": "questions about loot pass unanswered", "category": "instructed"}))
    async with play(calls(("activate_skill", {"name": "loot"})), skips) as stage:
        await stage.says("ann", "@bot who gets the loot?")
        first = report_of(await stage.asks("why"), "the bot chose not to answer")
        assert SUSPECTED in first.text and "A skill" in first.text, first.text


async def test_its_own_earlier_silence_that_it_repeats_is_named(play):
    skips = calls(("skip", {"reason": "Ann was told to be patient", "category": "instructed"}))
    async with play(skips, skips) as stage:
        await stage.says("ann", "@bot when do we raid?")
        await stage.says("ann", "@bot hello, when?")
        first = report_of(await stage.asks("why"), "it repeats its own silence")
        assert "kept silent in t" in first.text and "for the same reason" in first.text, first.text


async def test_a_silence_that_was_refused_and_then_empty_is_named(play):
    refused = calls(("skip", {"reason": "", "category": "not_for_me"}))
    async with play(refused, says(""), says(""), says("")) as stage:
        await stage.says("ann", "@bot hm")
        first = report_of(await stage.asks("why"), "skip")
        assert "skip" in first.text, first.text


async def test_an_answer_that_claims_what_was_not_done_is_told_to_whoever_asks(play):
    async with play(says("Got it, I've saved that.")) as stage:
        await stage.says("ann", "@bot please remember that I like pears")
        told = await stage.asks("why did it say saved but knows nothing")
        first = report_of(told, "it claims what it did not do")
        assert "The answer says something was saved" in first.text and "pears" not in first.text, first.text


async def test_what_is_over_is_told_as_over(play):
    async with play(fails(), says("Hello!"), says("Hello again!")) as stage:
        await stage.says("ann", "@bot hello")
        stage.bot.clock.advance(420)
        await stage.says("james", "@bot hello")
        await stage.says("mod", "@bot hello")
        first = report_of(await stage.asks("why"), "over now")
        assert "since then 2 messages were answered" in first.text, first.text


@pytest.mark.parametrize(
    ("words", "page"),
    [("what model are you using", "scripted-1"), ("show me the system prompt", "identity"), ("doctr", "Did you mean")],
)
async def test_a_question_for_a_page_costs_nothing_and_leads_there(play, words, page):
    async with play(says("Hello!")) as stage:
        await stage.says("ann", "@bot hello")
        told = await stage.asks(words)
        assert any(page in one.text for one in told), told
        assert not any("rules only" in one.text or "Reading the prompt" in one.text for one in told)
        if words == "doctr":
            assert "doctor" in told[-1].labels
            assert any("✓ store " in one.text for one in await stage.presses("doctor"))
        if words.endswith("prompt"):
            (label,) = [label for label in told[-1].labels if "identity" in label]
            assert "helpful, friendly member" in (await stage.presses(label))[-1].text


async def test_where_a_model_could_look_it_is_offered_with_its_price_and_asked_by_a_press(play):
    async with play(fails(), says('{"findings":[],"summary":"All is well."}')) as stage:
        await stage.says("ann", "@bot hello")
        first = report_of(await stage.asks("why does it not answer ann?"), "the service is failing")
        (offer,) = [label for label in first.labels if label.startswith("Ask the model: ")]
        assert "up to 60K tokens" in offer
        before = len(stage.model.requests)
        await stage.presses("Ask the model")
        assert len(stage.model.requests) > before
        assert "why does it not answer ann?" in stage.model.requests[-1].messages[0].text


async def test_one_question_too_many_in_a_minute_is_told_that_it_was_not_taken(play):
    async with play(fails(), asks=2) as stage:
        await stage.says("ann", "@bot hello")
        for _ in range(2):
            assert await stage.asks("why")
        (*_, last) = await stage.asks("why")
        assert "ask it again in a minute" in last.text, last.text
        assert await stage.asks("why") == [], "and that is said once"
        assert not any("ask it again in a minute" in text for text in stage.public())


async def raid_of(stage: Stage) -> tuple[Any, str]:
    """Open the raid thread where a platform has such; return where to speak, and what it is called there."""
    bot = stage.bot
    match getattr(bot, "name", "console"):
        case "telegram":
            forum = bot.world.supergroup("guild", bot.root, bot.ann, bot.me, forum=True)
            bot.world.promote(forum, bot.me)
            topic = bot.world.topic(forum, "raid", bot.root)
            bot.say(bot.ann, f"{AT} anybody?", forum, topic=topic)
            await bot.settled()
            return forum, "raid"
        case "discord":
            thread = await bot.root.starts_thread(bot.kitchen, "raid")
            await bot.hears(bot.ann, f"{bot.at} anybody?", thread)
            return thread, "raid"
        case _:
            await bot.says("ann", "@glassmind anybody?", "#raid")
            return "#raid", "raid"


async def test_a_thread_is_found_by_its_name_from_elsewhere(play):
    async with play(fails()) as stage:
        await stage.says("ann", "@bot hello")
        await raid_of(stage)
        first = report_of(await stage.asks("why no answer in the raid thread"), "the service is failing")
        assert "raid" in first.text.splitlines()[0], first.text


async def test_a_stranger_who_began_afresh_is_named_to_whoever_asks(play):
    async with play(says("Noted."), says("I do not know.")) as stage:
        await stage.says("ann", "@bot my cat is called Pear")
        await stage.says("mod", "/new")
        await stage.says("ann", "@bot what is my cat called?")
        told = await stage.asks("did it forget everything")
        assert any("fresh" in one.text for one in told), told
