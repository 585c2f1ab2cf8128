"""One file to attach to a report of trouble: what runs here and how it fares, with nobody's secrets, names or words.

What may stand in it is named here; everything else is counted, not blacked out: of a text that somebody wrote into the
configuration its length, of a list how many there are, of a message when it came and where it ended.
"""

from __future__ import annotations

import asyncio
import os
import platform
import re
import sys
from argparse import Namespace
from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack
from datetime import UTC, datetime
from enum import Enum
from importlib.metadata import PackageNotFoundError, distributions, version
from pathlib import Path
from typing import Any, NamedTuple

from bot import __version__
from bot.app.adapters import ClockAndEntropy, looking_store, machine
from bot.cli.doctor import examine_target
from bot.cli.host_queries import HostQueries
from bot.cli.run_bot import load_for_reading, with_data
from bot.config import LoadedConfig, parse_config
from bot.config.config_values import flatten
from bot.cortex.doctor.examination import MARKS
from bot.domain.health import ProbeResult
from bot.domain.ledger import FailReason, InboundTrail, LedgerStage, Outcome, StageRow
from bot.errors import BotError, ConfigError, StoreError, UserError
from bot.messaging.policy.gates import GATES
from bot.ports.store import Store
from bot.runtime.files import FileName, write_new
from bot.runtime.logs import configure_logs
from bot.runtime.terminal import print_text
from bot.sentences import say
from bot.text.redaction import Redactor
from bot.text.text import one_line_name, visible

EXIT_OK = 0
_MESSAGES = 20
_DEVELOPERS = re.compile(r"extra == ['\"](dev|audit|faults|peers|release|postgres-tests)")
_GATES = frozenset(gate.__module__.rpartition(".")[2] for gate in GATES)
"""Ours, by name; one that somebody else has added may be called as they like."""
_SHOWN_TEXTS = re.compile(
    r"(bot\.log_level|model\.name|(platforms|providers)\.[^.]+\.kind|[\w.]+\.(mode|default_mode|live_links|strategy))"
)
"""Keys of texts that are a choice among ours, or name a model."""
_ENTRY = re.compile(r"^(channels|agents|tools\.mcp)\.(.+)\.([a-z_]+)$")
_FREE_NAMES = re.compile(r"^(platforms|providers)\.([^.]+)\.")
_SECRET = "(secret)"
_KEY = re.compile(r"[a-z_]+(\.[a-z_]+)*(?=: )")
_HOST = re.compile(r"://(?:[^/@\s'\"]*@)?([^/:\s'\"]+)")
_QUOTED = re.compile(r"[“\"'`«][^“”\"'`»\n]*[”\"'`»]")
_ID = re.compile(r"\d{5,}")
_ADDRESS = re.compile(r"\b[a-z][a-z+]*://\S+|@\w+|(?<![\w.])(?:/[\w.@ -]+){2,}")
"""An address, an account's name, or a path."""
_MIN_NAME_CHARS = 3


class Names(NamedTuple):
    """What channels and people are called here; none of it is shown."""

    known: tuple[str, ...]

    def without(self, text: str) -> str:
        """Return a line of ours without names, ids, addresses, paths and quotations."""
        for name in sorted(self.known, key=len, reverse=True):
            text = text.replace(name, "(name)")
        for pattern, word in ((_ADDRESS, "(address)"), (_QUOTED, "(words)"), (_ID, "(id)")):
            text = pattern.sub(word, text)
        return text


def support(args: Namespace, path: Path) -> int:
    """Write the file, and say where it is and what stands in it."""
    loaded, problems = _load(args, path)
    redactor = Redactor.of(loaded.secrets)
    configure_logs("error", redactor)
    on = machine()
    text = redactor.redact("\n".join(asyncio.run(_lines(loaded, problems, on, args.target or None)))).text
    stem = f"glassmind-support-{re.sub('[ :]', '-', _time(on.clock.now()))}"
    try:
        written = write_new(Path(args.out or "."), (), FileName(stem, ".md"), f"{text}\n".encode())
    except OSError as error:
        file, why = str(error.filename or args.out), error.strerror or type(error).__name__
        raise UserError(say("cli.cannot-write", file=file, why=why)) from None
    print_text(say("support.written", file=str(written)))
    return EXIT_OK


def _load(args: Namespace, path: Path) -> tuple[LoadedConfig, Sequence[str]]:
    """Return the configuration, and what is wrong with it: the key of each problem."""
    try:
        return with_data(load_for_reading(path, args.config), args.data), ()
    except ConfigError as error:
        keys = (_KEY.match(problem) for problem in error.problems)
        return with_data(parse_config("", None), args.data), [found[0] if found else "(unnamed)" for found in keys]


async def _lines(loaded: LoadedConfig, problems: Sequence[str], on: ClockAndEntropy, target: str | None) -> list[str]:
    async with AsyncExitStack() as stack:
        try:
            store: Store | None = await stack.enter_async_context(looking_store(loaded, on))
        except StoreError:
            store = None
        names = await _names(loaded, store, on)
        trails = await _trails(store, loaded, on, target)
        return [
            f"# {say('support.title')}",
            "",
            say("support.about"),
            *_section("support.versions", _versions()),
            *_section("support.configuration", _configuration(loaded)),
            *(_section("support.problems", problems) if problems else ()),
            *_section("support.doctor", await _doctor(loaded, names)),
            *_section("support.messages", map(_trail, trails)),
        ]


def _section(name: str, lines: Iterator[str] | Sequence[str]) -> list[str]:
    return ["", f"## {say(name)}", "", "```text", *lines, "```"]


def _versions() -> Iterator[str]:
    yield f"glassmind {__version__}"
    yield f"Python {platform.python_version()}"
    yield f"{platform.system()} {platform.release()} {platform.machine()} · {platform.libc_ver()[1]}"
    yield f"venv {sys.prefix != sys.base_prefix} · root {os.getuid() == 0}"
    try:
        needed = {_distribution(line) for line in (next(_of_ours()).requires or ()) if not _DEVELOPERS.search(line)}
    except StopIteration:
        needed = set()
    for name in sorted(needed):
        try:
            yield f"{name} {version(name)}"
        except PackageNotFoundError:
            continue


def _of_ours() -> Iterator[Any]:
    yield from distributions(name="glassmind")


def _distribution(requirement: str) -> str:
    found = re.match(r"[\w.-]+", requirement)
    return found[0].lower() if found else ""


def _configuration(loaded: LoadedConfig) -> Iterator[str]:
    numbers: dict[str, int] = {}
    for value in flatten(loaded.config):
        key = _key(value.key, numbers)
        if value.key in loaded.secrets:
            yield f"{key} · {_SECRET}"
        elif any(
            origin == value.key or origin.startswith((f"{value.key}[", f"{value.key}.")) for origin in loaded.origins
        ):
            yield f"{key} = {_value(value.key, value.value)}"


def _key(key: str, numbers: dict[str, int]) -> str:
    """Return a key with a number in place of what somebody calls a channel, an agent or a server."""
    if entry := _ENTRY.match(key):
        group, name, last = entry.groups()
        return f"{group}.{numbers.setdefault(f'{group}.{name}', len(numbers) + 1)}.{last}"
    if (own := _FREE_NAMES.match(key)) and own[2] not in _PLAIN_NAMES:
        number = numbers.setdefault(own[0], len(numbers) + 1)
        return f"{own[1]}.{number}.{key[own.end() :]}"
    return key


_PLAIN_NAMES = frozenset({"console", "telegram", "discord", "openai", "anthropic", "simulated"})


def _value(key: str, value: Any) -> str:
    if value is None or (isinstance(value, bool | int | float) and not key.endswith(("_id", "ids"))):
        return str(value)
    if isinstance(value, Enum):
        return str(value.value)
    if isinstance(value, str):
        return value if _SHOWN_TEXTS.fullmatch(key) else say("support.characters", count=len(value))
    return say("support.entries", count=len(value)) if hasattr(value, "__len__") else "(set)"


async def _names(loaded: LoadedConfig, store: Store | None, on: ClockAndEntropy) -> Names:
    """Gather what doctor's lines may name."""
    found = {name for table in loaded.config.platforms.values() for name in table.names}
    found |= {loaded.config.bot.name, str(Path.home()), *loaded.config.agents}
    found |= {host for value in flatten(loaded.config) for host in _HOST.findall(str(value.value))}
    if store is not None:
        for channel in await HostQueries(store, loaded.config, on.clock).known():
            found |= {channel.id, channel.name, *channel.id.split(":")[1:]}
            for stored in await store.ledger.recent(channel.key, _MESSAGES):
                found |= {stored.inbound.author.name, stored.inbound.author.user_id}
    return Names(tuple(name for name in found if len(name) >= _MIN_NAME_CHARS and name not in _PLAIN_NAMES))


async def _doctor(loaded: LoadedConfig, names: Names) -> list[str]:
    try:
        rows = await examine_target(loaded, "", free=True)
    except BotError as error:
        return [say("support.no-doctor", why=type(error).__name__)]
    return [_row(row, names) for row in rows]


def _row(row: ProbeResult, names: Names) -> str:
    code = f" ({row.code})" if row.code else ""
    seen = visible(" ".join(row.evidence.split()))
    return f"{MARKS[row.state]} {names.without(one_line_name(row.name))}{code}: {names.without(seen)}"


async def _trails(
    store: Store | None, loaded: LoadedConfig, on: ClockAndEntropy, target: str | None
) -> list[InboundTrail]:
    if store is None:
        return []
    try:
        channel, _ = await HostQueries(store, loaded.config, on.clock).meant(target)
    except UserError:
        if target:
            raise
        return []
    found = [await store.ledger.trail(one.id) for one in await store.ledger.recent(channel.key, _MESSAGES)]
    return [trail for trail in found if trail is not None]


def _trail(trail: InboundTrail) -> str:
    stored = trail.inbound
    ended = f"{stored.outcome.value}{_reason(stored.outcome, stored.outcome_reason)}" if stored.outcome else "(open)"
    steps = " → ".join(_step(stage, stored.arrived_at) for stage in trail.stages)
    return f"{_time(stored.arrived_at)} {ended}: {steps}"


def _reason(outcome: Outcome, reason: str) -> str:
    """Return the gate that stopped it or the kind of its failure; what else stands there may be somebody's words."""
    word = reason.partition(":")[0].partition(" ")[0]
    if outcome is Outcome.FAILED:
        known = frozenset[str](FailReason)
    else:
        known = _GATES if outcome in {Outcome.GATED, Outcome.STORED_ONLY} else frozenset()
    return f" ({word})" if word in known else ""


def _step(stage: StageRow, since: int) -> str:
    gate = stage.reason if stage.stage is LedgerStage.GATES and stage.reason in _GATES else ""
    return f"{stage.stage.value} {stage.verdict.value}{f' {gate}' if gate else ''} +{stage.at - since} ms"


def _time(at: int) -> str:
    return f"{datetime.fromtimestamp(at / 1000, UTC):%Y-%m-%d %H:%M:%S}"
