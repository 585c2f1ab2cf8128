"""Twenty moments at which a bot asks a model for something: how it comes to each, and what people must then read."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from textwrap import dedent

from tests.dialogs.bot import Bot
from tests.dialogs.chat_bot import ChatBot
from tests.dialogs.online import types_on
from tests.faults.provider.kinds import ANSWER
from tests.faults.provider.request import Request, Who
from tests.faults.provider.stage import LET_ME_SEE, Stage

NOTICE = "I could not answer: "
FAILED = ("The inspection failed: ", "The model gave no answer: ")
LABEL = "glassmind<"
WORDS = " ".join(f"word{n}" for n in range(110))
ASKED = "[#general] ann> @glassmind "
WHY = "[#general] root> !cortex why isn't this responding"
AnyBot = Bot | ChatBot


@dataclass(frozen=True)
class Heard:
    """What came of the question that met the fault, as the person read it. `also` are texts owed beside the one."""

    messages: list[str]
    also: tuple[str, ...] = ()

    @property
    def answers(self) -> list[str]:
        """The messages that are not owed for another reason."""
        left = list(self.messages)
        for text in self.also:
            assert text in left, f"{text!r} was not said: {self.messages}"
            left.remove(text)
        return left


Play = Callable[[Stage, Bot], Awaitable[Heard]]


@dataclass(frozen=True)
class Position:
    """One moment. `play` brings the bot there and returns what was heard; `at` are the requests that are meant.

    `mends`: the trouble passes, or another model is there; `tools`: the model may call some.
    """

    at: Callable[[Request], bool]
    play: Play
    most: int = 10**6
    mends: bool = False
    tools: bool = True
    rounds: int = 4
    window: int = 0
    is_admins: bool = False


def said(lines: list[str], place: str = "[#") -> list[str]:
    """The bot's messages among the lines of the terminal."""
    own = [line.partition(LABEL)[2] for line in lines if line.startswith(place) and LABEL in line]
    return [dedent(words.removeprefix("\n")).strip() for words in own]


def _channel(rounds: int) -> Callable[[Request], bool]:
    def at(request: Request) -> bool:
        is_later = "and now?" in request.asked or '"is":"result"' in request.asked
        return request.who is Who.CHANNEL and request.done >= rounds and not is_later

    return at


def _of(who: Who, rounds: int = 0) -> Callable[[Request], bool]:
    return lambda request: request.who is who and request.done >= rounds


def _says(words: str, before: str = "", place: str = "#general") -> Play:
    async def play(stage: Stage, bot: Bot) -> Heard:
        if before:
            at, stage.at = stage.at, lambda _: False
            await bot.says("ann", f"@glassmind {before}", place)
            stage.at = at
        lines = await bot.says("ann", f"@glassmind {words}", place)
        return Heard(said(lines, "[dm" if place == "dm" else "[#"))

    return play


async def _hands_out(bot: Bot, words: str) -> Heard:
    lines = await bot.says("ann", f"@glassmind {words}")
    return Heard(said(lines), also=(LET_ME_SEE,))


async def _thinks(_: Stage, bot: Bot) -> Heard:
    return await _hands_out(bot, "think")


async def _works(_: Stage, bot: Bot) -> Heard:
    return await _hands_out(bot, "work")


async def _outgrows(stage: Stage, bot: Bot) -> Heard:
    """Talk until summaries were to be written several times; everybody gets their answer all the while."""
    most = 24
    for number in range(most):
        lines = await bot.says("ann", f"@glassmind secret-{number} {WORDS}")
        assert said(lines) == [ANSWER], (number, lines)
        if stage.struck and number > 18:
            break
    assert stage.struck, "no summary was ever to be written"
    return Heard([ANSWER])


async def _inspects(_: Stage, bot: Bot) -> Heard:
    await bot.says("ann", "@glassmind hello")
    before = len(bot.private())
    await bot.types(WHY)
    rules, *reports = bot.private()[before:]
    assert "no model used" in rules, rules
    return Heard(reports)


async def _talks(stage: Stage, bot: Bot) -> Heard:
    at, stage.at = stage.at, lambda _: False
    await bot.says("ann", "@glassmind hello")
    await bot.types(WHY)
    stage.at = at
    before = len(bot.private())
    await bot.says("root", "what did ann ask, and why did you answer so?", "dm")
    told = [line for line in bot.private()[before:] if LABEL in line]
    # where no model answers the rules do, in a message of their own
    if told and FAILED[1] in told[0]:
        assert len(told) > 1 and "no model" in told[-1], told
        told = told[:-1]
    return Heard(told)


async def _resumes(stage: Stage, bot: Bot) -> Heard:
    """The process ends while the model is asked; the next one asks again, and meets the fault then."""
    before = len(bot.lines)
    stage.hangs = True
    await types_on(bot, f"{ASKED}hello")
    await stage.servers[stage.language].hung()
    stage.hangs = False
    await bot.restart()
    await bot.app.settled()
    return Heard(said(bot.lines[before:]))


POSITIONS: Mapping[str, Position] = {
    "first_call": Position(_channel(0), _says("hello")),
    "second_turn": Position(_channel(0), _says("hello", before="look it up")),
    "after_a_tool": Position(_channel(1), _says("look it up")),
    "after_words_and_a_tool": Position(_channel(1), _says("look it up with words")),
    "last_round": Position(
        lambda r: _channel(1)(r) and (not r.may_call or "tea 2" in str(r.body["messages"])),
        _says("look for long"),
        tools=False,
    ),
    "after_delivery": Position(_channel(1), _says("reply first")),
    "private": Position(_channel(0), _says("hello", place="dm")),
    "once": Position(_channel(0), _says("hello"), most=1, mends=True),
    "with_a_second_model": Position(lambda r: _channel(0)(r) and r.model == "test-model", _says("hello"), mends=True),
    "both_models": Position(_channel(0), _says("hello")),
    "while_it_is_seen": Position(_channel(0), _says("hello")),
    "after_it_was_seen": Position(_channel(1), _says("look it up with words")),
    "branch": Position(_of(Who.BRANCH), _thinks, rounds=50),
    "branch_after_a_tool": Position(_of(Who.BRANCH, 1), _thinks, rounds=50),
    "worker": Position(_of(Who.WORKER), _works, rounds=150),
    "result": Position(lambda r: r.who is Who.CHANNEL and '"is":"result"' in r.asked, _thinks, rounds=3),
    "compaction": Position(_of(Who.COMPACTOR), _outgrows, tools=False, rounds=8, window=8600),
    "inspection": Position(_of(Who.INSPECTION), _inspects, rounds=12, is_admins=True),
    "talk": Position(_of(Who.TALK), _talks, rounds=12, is_admins=True),
    "resumed": Position(_channel(0), _resumes),
}
FALLBACK = frozenset({"with_a_second_model", "both_models"})
SEEN = frozenset({"while_it_is_seen", "after_it_was_seen"})
