"""Measure how soon people see the first words of an answer: `python -m tests.bench.first_word [--before DIR]`

One private chat on Telegram. The model writes its first words at once and then stops for a while, so that what is
measured is the way there and back and not the writing: from the message's being there to the first call that shows
words of the answer. DIR is a checkout of an older tree, such as `git worktree add DIR COMMIT` makes; both trees take
turns in one run.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from tests.bench.aging import CONFIG, a_bot
from tests.bench.floor import HERE
from tests.servers.model import Says, SlowBy, model_server
from tests.servers.telegram import Person, TelegramServer, World, telegram_server

RUNS, MESSAGES, WARM = 4, 12, 2
STOPS = 1.5
"""Seconds for which the model writes nothing after its first words: longer than a preview waits for more words."""
SHOWS = ("sendMessageDraft", "sendMessage", "editMessageText")
FIRST, REST = "These are the first words ", "and this is the rest of it."


async def first_words(tree: Path) -> list[float]:
    """Return how many ms the first words of each answer took."""
    world = World(clock=time.time)  # noqa: TID251 - the bot beside it lives by this clock
    bot, person = world.bot("bench_bot"), world.person("Ann", "ann")
    world.dm(person).is_started = True
    with tempfile.TemporaryDirectory() as home:
        async with model_server() as model, telegram_server(world) as telegram:
            model.answer = lambda asked: _stops(_mark(asked))
            config = CONFIG.format(
                data=Path(home, "data"),
                model=model.base_url,
                token=bot.token,
                bot_api=telegram.base_url,
                files=telegram.base_file_url,
                owner=world.person("Root", "root").id,
            )
            async with a_bot(Path(home), config, tree):
                await telegram.until(lambda: bot.inlet.is_polled)
                took = [await _first_word(world, person, telegram, number) for number in range(WARM + MESSAGES)]
    return took[WARM:]


def _stops(mark: str) -> SlowBy:
    """Return an answer whose rest comes later than its first words."""
    begins = f"{mark} {FIRST}"
    return SlowBy(STOPS, Says(begins + REST, (begins, REST)), before="between_tokens")


async def _first_word(world: World, person: Person, telegram: TelegramServer, number: int) -> float:
    mark = f"mark-{number}"
    telegram.forget_calls()
    began = time.perf_counter()
    world.say(world.dm(person), person, f"{mark} what do you think?")
    await telegram.until(lambda: _shown(telegram, mark))
    took = (time.perf_counter() - began) * 1000
    await telegram.until(lambda: _said(telegram, REST[:-1]))
    await asyncio.sleep(0.1)  # what follows an answer belongs to it
    return took


def _shown(telegram: TelegramServer, mark: str) -> bool:
    return any(mark in str(call.params.get("text")) for call in telegram.calls() if call.method in SHOWS)


def _said(telegram: TelegramServer, words: str) -> bool:
    return any(words in str(call.params.get("text")) for call in telegram.calls("sendMessage"))


def _mark(asked: dict[str, object]) -> str:
    text = json.dumps(asked["messages"])
    at = text.rfind("mark-")
    return text[at:].split()[0]


def measured(trees: Sequence[Path]) -> dict[str, float]:
    """Measure one tree, or an older one and this one in turns."""
    taken: dict[Path, list[list[float]]] = {tree: [] for tree in trees}
    for _ in range(RUNS):
        for tree in trees:
            taken[tree].append(asyncio.run(first_words(tree)))
    figures: dict[str, float] = {}
    for tree in trees:
        which = "now" if tree == HERE else "before"
        figures[f"{which}_p50_ms"] = statistics.median(statistics.median(run) for run in taken[tree])
        figures[f"{which}_best_ms"] = min(min(run) for run in taken[tree])
    if len(trees) > 1:
        pairs = zip(*(taken[tree] for tree in trees), strict=True)
        figures["now_to_before_ratio"] = statistics.median(
            statistics.median(now) / statistics.median(before) for before, now in pairs
        )
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.first_word")
    parser.add_argument("--before", type=Path, help="a checkout of an older tree")
    before = parser.parse_args().before
    figures = measured([*([before.resolve()] if before else []), HERE])
    print(json.dumps({name: round(value, 3) for name, value in figures.items()}))


if __name__ == "__main__":
    main()
