"""Measure the whole bot on Telegram, next to a bare loop in the same run: `python -m tests.bench.telegram`.

Real adapters, a store on disk, everything recorded, the defaults of the configuration but for the rates (off).
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess  # noqa: TID251 - the bot gets a process of its own, so that its CPU and memory can be told
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.bench._bare import SYSTEM_WORDS, WAYS
from tests.bench._chats import FIRST_PERSON, Json, prose
from tests.bench._loopback import TOKEN, Remote, a_loopback
from tests.bench.floor import ALONE, HERE, PEOPLE, a_crowd, bare, come_to_rest, environment, rss_mib, sync_ms

CONFIG = """
[bot]
data_dir = "{data}"
log_level = "warning"
{persona}
[model]
name = "bench/bench"
context_window = 400000
max_output_tokens = 4096
[providers.bench]
kind = "openai"
base_url = "{model}"
api_key = "sk-0123456789abcdef0123"
[platforms.telegram]
token = "{token}"
base_url = "{bot_api}"
owner_ids = [{owner}]
[conversation]
streaming = {streaming}
[limits]
user_per_minute = 0
channel_per_minute = 0
[cortex]
per_minute = 10000
"""
OWNER = PEOPLE + 50
ALONE_PERSON, LONG_PERSON, FIRST_OF_MANY = PEOPLE + 1, PEOPLE + 2, 1000
LONG_CHAT, WINDOW, MANY, EXPORTS = 400, 25, 2000, 40


@dataclass(frozen=True)
class Bot:
    """A running bot: its process, and how late its loop was."""

    process: subprocess.Popen[str]
    start: Json

    @property
    def pid(self) -> int:
        return self.process.pid

    def lag(self) -> tuple[float, float, float]:
        """Return how late the loop was, in ms, since it was asked before: at worst, at p99, by its own work at p99."""
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        worst, p99, own = map(float, self.process.stdout.readline().split())
        return worst, p99, own


@contextmanager
def a_bot(
    loopback: Remote,
    *,
    full: bool = False,
    streaming: bool = True,
    profile: str = "",
    home: Path | None = None,
    tree: Path = HERE,
    more: str = "",
) -> Iterator[Bot]:
    """Run the bot of a tree, from an empty directory if not from a `home`; `full` makes a system prompt of 12k tokens.

    `profile` names a file for a profile of its loop's thread; `more` is further configuration.
    """
    with tempfile.TemporaryDirectory() as empty:
        directory = home or Path(empty)
        path = Path(directory, "config.toml")
        text = CONFIG.format(
            data=Path(directory, "data"),
            persona=f'persona = "{prose(SYSTEM_WORDS, 1)}"' if full else "",
            model=loopback.model,
            bot_api=loopback.bot_api,
            token=TOKEN,
            owner=FIRST_PERSON + OWNER,
            streaming="true" if streaming else "false",
        )
        path.write_text(text + more, encoding="utf-8")
        path.chmod(0o600)
        what = [str(HERE / "tests/bench/_profiled.py"), profile] if profile else ["-m", "tests.bench._telegram_bot"]
        command, pipe = [sys.executable, *what, str(path)], subprocess.PIPE
        with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, cwd=tree, env=environment()) as process:
            try:
                yield Bot(process, loopback.order("begin", pid=process.pid))
            finally:
                process.communicate("stop\n")


@contextmanager
def lag(bot: Bot, name: str, figures: dict[str, float]) -> Iterator[None]:
    """Take down how late the bot's loop was at worst, and meanwhile that of an idle process."""
    command = [sys.executable, "-m", "tests.bench._stalls"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as idle:
        assert idle.stdout is not None
        idle.stdout.readline()
        bot.lag()
        yield
        figures |= zip((f"{name}_lag_max_ms", f"{name}_lag_p99_ms", f"{name}_lag_own_p99_ms"), bot.lag(), strict=True)
        said, _ = idle.communicate("")
        figures[f"{name}_lag_floor_ms"] = float(said)


def picked(name: str, figures: Json, *keys: str) -> dict[str, float]:
    return {f"{name}_{key}": figures[key] for key in keys}


CROWD = ("cpu_ms", "per_second", "p50_ms", "p99_ms", "lost", "twice", "previews", "request_kib")


def crowds(loopback: Remote) -> dict[str, float]:
    """Measure 200 chats at once, the bare loop before and after ours."""
    floors = [_floors(loopback)]
    figures: dict[str, float] = {}
    for name, streaming in (("crowd", True), ("crowd_unstreamed", False)):
        with a_bot(loopback, full=True, streaming=streaming) as bot:
            figures |= picked(name, a_crowd(loopback, bot.pid), *CROWD)
            figures[f"{name}_rss_mib"] = rss_mib(bot.pid)
    floors.append(_floors(loopback))
    figures["floor_alone_p50_ms"] = floors[0]["plain"]["alone_p50_ms"]
    for way in floors[0]:
        floor = statistics.mean(found[way]["cpu_ms"] for found in floors)
        figures[f"floor_{way}_cpu_ms"] = floor
        for name in ("crowd", "crowd_unstreamed"):
            figures[f"{name}_to_{way}_floor_ratio"] = figures[f"{name}_cpu_ms"] / floor
    return figures


def _floors(loopback: Remote) -> dict[str, Json]:
    return {way: bare(loopback, "full", way) for way in WAYS}


def one_chat(loopback: Remote) -> dict[str, float]:
    """Measure how soon one person is answered, and what a chat costs as it grows."""
    with a_bot(loopback) as bot:
        loopback.order("alone", pid=bot.pid, person=ALONE_PERSON, messages=20)
        come_to_rest(bot.pid)  # the table of tokens is read behind one of the first answers
        soon = loopback.order("alone", pid=bot.pid, person=ALONE_PERSON, messages=ALONE)
        figures = picked("alone", soon, "p50_ms", "p99_ms", "max_ms", "lost")
        long = loopback.order("alone", pid=bot.pid, person=LONG_PERSON, messages=LONG_CHAT + WINDOW)
        early, late = (_around(long["costs"], turn) for turn in (WINDOW, LONG_CHAT))
        with lag(bot, "alone", figures):
            loopback.order("alone", pid=bot.pid, person=ALONE_PERSON, messages=ALONE)
    return {
        **figures,
        "sync_ms": sync_ms(),
        "turn_25_cpu_ms": early,
        "turn_400_cpu_ms": late,
        "turn_400_to_25_cpu_ratio": late / early,
    }


def _around(costs: Sequence[float], turn: int) -> float:
    # the mean: what garbage collection and commits cost now and then is owed by every turn
    return statistics.mean(costs[turn - WINDOW // 2 - 1 : turn + WINDOW // 2])


def many_chats(loopback: Remote) -> dict[str, float]:
    """Measure the start, the memory of a bot that rests, and what chats add to it."""
    with a_bot(loopback):
        pass  # so that every module is compiled
    with a_bot(loopback) as bot:
        start = bot.start["cpu_ms"]
        loopback.order("crowd", pid=bot.pid, people=[*range(PEOPLE)], messages=2, delay=0.0)
        come_to_rest(bot.pid)
        warm = rss_mib(bot.pid)
        people = range(FIRST_OF_MANY, FIRST_OF_MANY + MANY)
        for begin in range(0, MANY, PEOPLE):
            loopback.order("crowd", pid=bot.pid, people=[*people[begin : begin + PEOPLE]], messages=1, delay=0.0)
        grown = rss_mib(bot.pid)
    return {
        "start_to_poll_cpu_ms": start,
        "rss_with_table_mib": warm,
        "kib_a_chat": (grown - warm) * 1024 / MANY,
        "rss_2200_chats_mib": grown,
    }


def exporting(loopback: Remote) -> dict[str, float]:
    """Measure `!cortex export` until the file is there, in a chat with a history."""
    figures: dict[str, float] = {}
    with a_bot(loopback) as bot:
        loopback.order("alone", pid=bot.pid, person=OWNER, messages=30)
        found = loopback.order("exports", person=OWNER, count=EXPORTS)
        with lag(bot, "export", figures):
            more = loopback.order("exports", person=OWNER, count=EXPORTS)
    return {
        "export_first_ms": found["first_ms"],
        **picked("export", found, "p50_ms", "p99_ms", "max_ms"),
        "export_lost": found["lost"] + more["lost"],
        **figures,
    }


PARTS = {"crowds": crowds, "one_chat": one_chat, "many_chats": many_chats, "exporting": exporting}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.telegram")
    parser.add_argument("parts", nargs="*", default=[*PARTS], help=", ".join(PARTS))
    figures: dict[str, float] = {}
    with a_loopback() as loopback:
        for name in parser.parse_args().parts:
            figures |= PARTS[name](loopback)
    print(json.dumps({name: round(value, 3) for name, value in figures.items()}))


if __name__ == "__main__":
    main()
