"""What the doctor looks at besides the services themselves: the clock, files, models, and who can be reached."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from bot.config import Config, LoadedConfig
from bot.config.dotenv import DOTENV_NAME as DOTENV
from bot.config.file_privacy import exposure, planted_files
from bot.config.schema import WebPageConfig
from bot.diagnostics.collect.lookup import every_channel
from bot.diagnostics.failure_words import unread_part
from bot.domain.bot_accounts import FOREIGN, STREAM, BotAccount, foreign_account_text, put_back
from bot.domain.channel import ProcessKind
from bot.domain.health import Heartbeat, ModelHealth, ProbeResult, WorkKind
from bot.domain.ids import MAIN, AgentId, ChannelId, PersonKey, UserId, channel_id
from bot.domain.partly_read import PartlyRead, partly_read
from bot.domain.snapshot import ModelLimits
from bot.messaging.policy.access import is_home
from bot.ports.channels import KnownChannel
from bot.ports.platform import Platform
from bot.ports.store import Store
from bot.ports.traces import TraceHealth
from bot.runtime import time_zones
from bot.sentences import say
from bot.skills import FOLDER as SKILLS
from bot.skills import folders_of
from bot.text.text import quote_line
from bot.text.times import age
from bot.tools.runtime.toolbox import Toolbox, is_on_demand

if TYPE_CHECKING:
    # of the web page, which hardly any bot has
    from bot.ports.page_logins import PageLogins

_RELEASED_AT_MS = 1_756_684_800_000
"""September 2025: this program is no older, so a clock that says less is wrong."""
_CLOCK_SLACK_MS = 60_000
_MAX_FILES = 20_000
_MAX_SKILLS = 500
_MAX_ROWS = 10
_WORKSPACES = "workspaces"
_MAX_CHANNELS = 10
_MAX_RECENT_REQUESTS = 3
"""Requests of a channel that are looked at, newest first."""
_MAX_PEOPLE = 10
_BACKGROUND_ADVICE = "It is asked again by itself. Answers to people go on; `tasks` lists what runs in the background."
_REQUESTER_WORDS = {
    "channel": "an answer to people",
    "branch": "a branch",
    "worker": "a worker",
    "compactor": "a compaction",
    "cortex": "a talk with an admin",
    "inspection": "an inspection",
    "replay": "a proof",
    "embedding": "a search in memories",
}
"""What met the fault, in people's words."""
_CLOCK_FIX = "Set the clock, for example with `timedatectl set-ntp true`."
_CLOCK_IS_RIGHT_FIX = "If it is right, start once with `glassmind run --clock-is-right`."
_DM_FIX = "Let them open the bot's private chat and say something there (Telegram: press Start); `whoami` shows an id."


def clock(beat: Heartbeat | None, now: int) -> ProbeResult:
    """Say whether the clock can be believed; `now` is UTC ms. What is stored cannot be from the future."""
    said = datetime.fromtimestamp(now / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
    if beat is not None and beat.clock_doubt:
        words = f"{beat.clock_doubt}; nothing is wiped until that is settled"
        return ProbeResult(name="clock", state="failed", evidence=words, fix=f"{_CLOCK_FIX} {_CLOCK_IS_RIGHT_FIX}")
    if now < _RELEASED_AT_MS:
        return ProbeResult(
            name="clock", state="failed", evidence=f"{said} is before this program was made", fix=_CLOCK_FIX
        )
    if beat is not None and beat.at > now + _CLOCK_SLACK_MS:
        words = f"{said}, but the bot left a sign of life {age(beat.at - now)} later than that"
        return ProbeResult(name="clock", state="failed", evidence=words, fix=_CLOCK_FIX)
    return ProbeResult(name="clock", state="ok", evidence=f"{said}; nothing stored lies ahead of it")


def traces(health: TraceHealth, now: int) -> ProbeResult:
    """Say whether traces are taken; `now` is UTC ms."""
    lost = f"; {health.dropped:,} spans were left out" if health.dropped else ""
    if not health.fault:
        return ProbeResult(name="traces", state="ok", evidence=f"{health.host} takes them{lost}")
    since = age(now - health.since)
    return ProbeResult(
        name="traces",
        state="warning",
        evidence=f"{health.host} has taken none for {since} ({health.fault}){lost}",
        fix="Start the collector, or correct `endpoint` and `headers` in [traces]. People are answered all the same.",
    )


async def web_page(
    page: WebPageConfig, open_logins: Callable[[], PageLogins] | None, trouble: str
) -> Sequence[ProbeResult]:
    """Say how people come into the page in the browser, and whether that works; `trouble` says why it is not open."""
    if trouble:
        words = f"not open: {trouble}"
        return [ProbeResult(name="web page", state="failed", evidence=words, fix="Then restart the bot.")]
    doors = {"a link": True, "the app of Telegram": page.telegram_app, "Discord": bool(page.discord_client_id)}
    ways = ", ".join(name for name, is_open in doors.items() if is_open)
    found = [ProbeResult(name="web page", state="ok", evidence=f"people come in by {ways}")]
    oauth = open_logins().oauth if open_logins is not None else None
    return [*found, await oauth.probe(page.sign_in_back)] if oauth is not None else found


def tools(toolbox: Toolbox) -> ProbeResult:
    """Say what stands in every request of a channel, and what is sent once it is used."""
    every = [tool for tool in toolbox.of(ProcessKind.CHANNEL) if not tool.spec.group]
    asleep = [tool.name for tool in every if is_on_demand(ProcessKind.CHANNEL, tool)]
    evidence = f"{len(every) - len(asleep)} stand in every request, {len(asleep)} are on demand: {', '.join(asleep)}"
    return ProbeResult(name="tools", state="ok", evidence=evidence.rstrip(": "))


def files(data: Path, secrets: Sequence[Path]) -> ProbeResult:
    """Say whether the data directory and the files with secrets are their owner's alone. Blocks."""
    # root may look at a bot that runs as somebody else
    if data.is_dir() and (problem := planted_files(data, data.stat().st_uid)):
        what, _, fix = problem.rpartition(". ")
        return ProbeResult(name="files", state="failed", evidence=what, fix=fix)
    open_ones = [path for path in (*secrets, *_inside(data)) if _mode(path) & 0o077]
    if not open_ones:
        return ProbeResult(
            name="files", state="ok", evidence=f"{data} and every file with secrets are their owner's alone"
        )
    shown = ", ".join(f"{path} ({_mode(path):04o})" for path in open_ones[:3])
    more = f" and {len(open_ones) - 3} more" if len(open_ones) > 3 else ""
    fix = f"Run: chmod -R go= {' '.join(dict.fromkeys(str(_root(path, data)) for path in open_ones))}"
    return ProbeResult(name="files", state="failed", evidence=f"others may use {shown}{more}", fix=fix)


def steering(loaded: LoadedConfig) -> Iterator[ProbeResult]:
    """Say which texts that steer the bot, and which programs that it starts, somebody else could change. Blocks."""
    found = ((key, path, _who_may_change(path)) for key, path in _steering_files(loaded))
    for key, path, problem in islice((one for one in found if one[2]), _MAX_ROWS):
        what, _, fix = problem.rpartition(". ")
        yield ProbeResult(name=f"files of {key}", state="warning", evidence=f"{path}: {what}", fix=fix)


def _who_may_change(path: Path) -> str:
    try:
        return exposure(path, is_secret=False)
    except OSError:
        return ""  # whatever needs it says that it is not there


def _steering_files(loaded: LoadedConfig) -> Iterator[tuple[str, Path]]:
    config, beside = loaded.config, loaded.path.parent if loaded.path else Path()
    if config.bot.organisation_file:
        yield "bot.organisation_file", beside / config.bot.organisation_file
    for folder in folders_of(config.skills, Path(config.bot.data_dir), beside):
        yield "skills", folder.path
        for instructions in islice(folder.path.glob("*/SKILL.md"), _MAX_SKILLS):
            yield "skills", instructions
    for name, server in config.tools.mcp.items():
        if not server.enabled or not server.command:
            continue
        key = f"tools.mcp.{name}"
        cwd = Path(server.cwd or ".")
        yield f"{key}.cwd", cwd
        for word in (server.command, *server.args):
            # an argument may be the program itself: python server.py
            place = shutil.which(word, path=server.env.get("PATH")) if word == server.command else None
            if (path := Path(place or cwd / word)).is_file():
                yield f"{key}.{'command' if word == server.command else 'args'}", path
    browser = config.tools.browser
    if browser.enabled and browser.program and (program := shutil.which(browser.program)):
        yield "tools.browser.program", Path(program)


def secret_files(loaded: LoadedConfig) -> list[Path]:
    """Return the files that hold secrets: the configuration only if it does itself. Blocks."""
    if loaded.path is None:
        return []
    bare = any(loaded.origins.get(key) == "file" for key in loaded.secrets)
    named = [origin[5:] for origin in loaded.origins.values() if origin.startswith("file:")]
    beside = loaded.path.parent
    found = [*([loaded.path] if bare else []), beside / DOTENV, *(beside / name for name in named)]
    return [path for path in found if path.is_file()]


def models(health: Sequence[ModelHealth], now: int) -> Iterator[ProbeResult]:
    """Say which models are left alone for a while, and why; `now` is UTC ms."""
    for one in health:
        if one.cooling_until > now:
            words = f"left alone for {age(one.cooling_until - now)} more after: {quote_line(one.error, 120)}"
            if one.opened_at:
                words += (
                    f" ({_REQUESTER_WORDS.get(one.opened_by, 'something')} met that {age(now - one.opened_at)} ago)"
                )
            aside = one.work is WorkKind.BACKGROUND
            fix = "It is asked again by itself; `why` says what it did to answers, `model` chooses another."
            name = f"model {one.model}, background work" if aside else f"model {one.model}"
            yield ProbeResult(name=name, state="warning", evidence=words, fix=_BACKGROUND_ADVICE if aside else fix)


def counting(trouble: BaseException | None) -> Iterator[ProbeResult]:
    """Say that tokens can only be estimated, where that is so, and why."""
    if trouble is not None:
        why = unread_part("token counts", trouble)
        words = f"estimated from bytes, because the token table cannot be loaded: {why.why}"
        yield ProbeResult(name="token counts", state="warning", evidence=words, fix=why.fix)


def windows(known: Sequence[ModelLimits]) -> Iterator[ProbeResult]:
    """Say of which models it is only guessed how much they can hold."""
    for one in known:
        if not one.window_known:
            words = f"it is not known how much it can hold; {one.window} tokens are assumed, and history is cut to that"
            fix = "Set model.context_window, or use a model that the built-in table knows."
            yield ProbeResult(name=f"window of {one.model}", state="warning", evidence=words, fix=fix)


async def readings(store: Store, agents: Sequence[AgentId]) -> Sequence[ProbeResult]:
    """Say which models read less of late than they were sent, by their own count."""
    known = sorted(await every_channel(store, agents, 0), key=lambda one: -one.last_at)
    found: dict[str, PartlyRead] = {}
    seen: set[str] = set()
    for channel in known[:_MAX_CHANNELS]:
        for request in await store.journal.recent_requests(channel.key, _MAX_RECENT_REQUESTS):
            record, response = request.record, request.response
            model = str(record.request.model)
            if response is None or model in found:
                continue
            part = partly_read(record.request, record.stats, response.usage.input)
            # what happened before an answer that was read whole is over
            if part is not None and model not in seen:
                found[model] = part
            seen.add(model)
    return [
        ProbeResult(
            name=f"reading of {model}",
            state="warning",
            evidence=f"the server reads only {part.read:,} tokens of about {part.sent:,} that it is sent",
            fix=say("window_guessed.more-room"),
        )
        for model, part in found.items()
    ]


def zones(config: Config) -> Iterator[ProbeResult]:
    """Say that no time zone can be told, where one is wanted, or people may want one."""
    if not time_zones.has_database():
        wanted = [config.bot.timezone, *(one.timezone for one in config.channels.values())]
        named = ", ".join(dict.fromkeys(zone for zone in wanted if zone and zone != time_zones.UTC_NAME))
        evidence = time_zones.NO_DATABASE + (f"; the configuration names {named}" if named else "")
        yield ProbeResult(name="time zones", state="warning", evidence=evidence, fix=time_zones.INSTALL)


def organisation(problem: str) -> Iterator[ProbeResult]:
    """Say what could not be read of what the operator wrote about whom the bot works for."""
    if problem:
        fix = "Correct the file or its name, and start the bot anew."
        yield ProbeResult(name="organisation", state="warning", evidence=problem, fix=fix)


async def accounts(rows: Sequence[ProbeResult], store: Store) -> AsyncIterator[ProbeResult]:
    """Say of which platforms the token is of another account than what is stored; `rows` is what they said."""
    for name, stored in ((row.name, dict(row.facts).get(STREAM)) for row in rows):
        ours, platform = BotAccount.read(stored), name.partition(" ")[0]
        theirs = BotAccount.read(await store.ledger.cursor(platform, STREAM)) if ours is not None else None
        if ours is not None and theirs is not None and ours.id != theirs.id:
            words, fix = foreign_account_text(theirs, ours), put_back(platform, theirs)
            yield ProbeResult(name=f"{platform} data", state="failed", evidence=words, fix=fix, code=FOREIGN)


async def places(store: Store, agents: Sequence[AgentId]) -> tuple[ChannelId, ...]:
    """Return the channels to look at when none is named: those that were used last, and no direct messages."""
    known = [channel for channel in await every_channel(store, agents, 0) if not channel.place.is_dm]
    ordered = dict.fromkeys(channel.id for channel in sorted(known, key=lambda one: -one.last_at))
    return tuple(ordered)[:_MAX_CHANNELS]


async def admins(config: Config, platforms: Mapping[str, Platform], store: Store | None) -> list[ProbeResult]:
    """Say for each platform which owners and admins the bot could write to, by asking the platform now."""
    agents = (MAIN, *map(AgentId, config.agents))
    known = await every_channel(store, agents, 0) if store is not None else []
    rows = []
    for name, platform in platforms.items():
        table = config.platforms[name]
        people = [PersonKey(name, user) for user in dict.fromkeys((*table.owner_ids, *table.admin_ids))]
        rows.append(await _reachable(f"{name} admins", people, platform, known))
    return rows


async def _reachable(
    row: str, people: Sequence[PersonKey], platform: Platform, known: Sequence[KnownChannel]
) -> ProbeResult:
    if not people:
        fix = "Put your numeric id into owner_ids; `whoami` prints it."
        return ProbeResult(name=row, state="warning", evidence="there is none: nobody may ask why", fix=fix)
    asked = people[:_MAX_PEOPLE]
    closed = [(who.user_id, why) for who in asked if (why := await _closed(who, platform, known))]
    if not closed:
        more = f"; {len(people) - len(asked)} more were not asked about" if len(people) > len(asked) else ""
        return ProbeResult(
            name=row, state="ok", evidence=f"{len(asked)} of {len(asked)} can be reached in private{more}"
        )
    listed = "; ".join(f"{user}: {quote_line(why, 60)}" for user, why in closed)
    evidence = f"{len(closed)} of {len(asked)} cannot be reached in private ({listed})"
    return ProbeResult(
        name=row, state="failed" if len(closed) == len(asked) else "warning", evidence=evidence, fix=_DM_FIX
    )


async def _closed(person: PersonKey, platform: Platform, known: Sequence[KnownChannel]) -> str:
    """Say why somebody cannot be reached; empty when they can, or when the platform cannot tell."""
    homes = [channel.id for channel in known if channel.place.is_dm and is_home(channel.id, person)]
    why = ""
    # who never wrote has no channel yet; platforms name it in one of these ways
    for home in homes[:1] or _ways(person.platform, person.user_id):
        found = [probe for probe in await platform.probe(home) if probe.name.endswith(home)]
        if not found or any(probe.state in ("ok", "unknown") for probe in found):
            return ""
        why = found[0].evidence
    return why


def _ways(platform: str, user: UserId) -> tuple[ChannelId, ...]:
    return channel_id(platform, user), channel_id(platform, "dm", user)


def _inside(data: Path) -> list[Path]:
    return [data, *islice(_below(data), _MAX_FILES)] if data.is_dir() else []


def _below(data: Path) -> Iterator[Path]:
    for path in data.iterdir():
        if path.name == SKILLS:
            # texts that the operator puts there, and no secrets
            continue
        yield path
        # programs choose the modes of their own files there; nobody else gets as far as to them
        if path.name != _WORKSPACES and not path.is_symlink():
            yield from path.rglob("*")


def _mode(path: Path) -> int:
    try:
        found = os.lstat(path).st_mode
    except OSError:
        return 0
    # a link has every bit and grants nothing
    return 0 if stat.S_ISLNK(found) else stat.S_IMODE(found)


def _root(path: Path, data: Path) -> Path:
    return data if path.is_relative_to(data) else path
