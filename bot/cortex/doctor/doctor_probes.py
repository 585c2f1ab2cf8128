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
from bot.sentences import MissingSentence, say
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
_MAX_NAMED_FILES = _MAX_NAMED_SENTENCES = 3
_MAX_SKILLS = 500
_MAX_ROWS = 10
_WORKSPACES = "workspaces"
_MAX_CHANNELS = 10
_MAX_RECENT_REQUESTS = 3
"""Requests of a channel that are looked at, newest first."""
_MAX_PEOPLE = 10


def clock(beat: Heartbeat | None, now: int) -> ProbeResult:
    """Say whether the clock can be believed; `now` is UTC ms. What is stored cannot be from the future."""
    said = datetime.fromtimestamp(now / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
    if beat is not None and beat.clock_doubt:
        words = say("doctor.clock-doubt", why=beat.clock_doubt)
        return ProbeResult(name="clock", state="failed", evidence=words, fix=say("doctor.clock-doubt-fix"))
    if now < _RELEASED_AT_MS:
        words = say("doctor.clock-too-early", time=said)
        return ProbeResult(name="clock", state="failed", evidence=words, fix=say("doctor.clock-fix"))
    if beat is not None and beat.at > now + _CLOCK_SLACK_MS:
        words = say("doctor.clock-behind", time=said, age=age(beat.at - now))
        return ProbeResult(name="clock", state="failed", evidence=words, fix=say("doctor.clock-fix"))
    return ProbeResult(name="clock", state="ok", evidence=say("doctor.clock-ok", time=said))


def traces(health: TraceHealth, now: int) -> ProbeResult:
    """Say whether traces are taken; `now` is UTC ms."""
    host, lost = health.host, health.dropped
    if not health.fault:
        words = say("doctor.traces-ok-lost", host=host, lost=lost) if lost else say("doctor.traces-ok", host=host)
        return ProbeResult(name="traces", state="ok", evidence=words)
    since, why = age(now - health.since), health.fault
    if lost:
        words = say("doctor.traces-fail-lost", host=host, age=since, why=why, lost=lost)
    else:
        words = say("doctor.traces-fail", host=host, age=since, why=why)
    return ProbeResult(name="traces", state="warning", evidence=words, fix=say("doctor.traces-fix"))


async def web_page(
    page: WebPageConfig, open_logins: Callable[[], PageLogins] | None, trouble: str
) -> Sequence[ProbeResult]:
    """Say how people come into the page in the browser, and whether that works; `trouble` says why it is not open."""
    if trouble:
        words, name = say("doctor.web-page-not-open", why=trouble), say("doctor.web-page")
        return [ProbeResult(name=name, state="failed", evidence=words, fix=say("doctor.web-page-fix"))]
    doors = {
        "doctor.by-link": True,
        "doctor.by-telegram": page.telegram_app,
        "doctor.by-discord": bool(page.discord_client_id),
    }
    ways = say("doctor.web-page-ways", ways=", ".join(say(name) for name, is_open in doors.items() if is_open))
    found = [ProbeResult(name=say("doctor.web-page"), state="ok", evidence=ways)]
    oauth = open_logins().oauth if open_logins is not None else None
    return [*found, await oauth.probe(page.sign_in_back)] if oauth is not None else found


def tools(toolbox: Toolbox) -> ProbeResult:
    """Say what stands in every request of a channel, and what is sent once it is used."""
    every = [tool for tool in toolbox.of(ProcessKind.CHANNEL) if not tool.spec.group]
    asleep = [tool.name for tool in every if is_on_demand(ProcessKind.CHANNEL, tool)]
    always = len(every) - len(asleep)
    if asleep:
        words = say("doctor.tools-in-requests", always=always, on_demand=len(asleep), names=", ".join(asleep))
    else:
        words = say("doctor.tools-all-in-requests", always=always)
    return ProbeResult(name="tools", state="ok", evidence=words)


def files(data: Path, secrets: Sequence[Path]) -> ProbeResult:
    """Say whether the data directory and the files with secrets are their owner's alone. Blocks."""
    # root may look at a bot that runs as somebody else
    if data.is_dir() and (problem := planted_files(data, data.stat().st_uid)):
        what, _, fix = problem.rpartition(". ")
        return ProbeResult(name="files", state="failed", evidence=what, fix=fix)
    open_ones = [path for path in (*secrets, *_inside(data)) if _mode(path) & 0o077]
    if not open_ones:
        return ProbeResult(name="files", state="ok", evidence=say("doctor.files-ok", folder=str(data)))
    shown = ", ".join(f"{path} ({_mode(path):04o})" for path in open_ones[:_MAX_NAMED_FILES])
    if (more := len(open_ones) - _MAX_NAMED_FILES) > 0:
        words = say("doctor.files-open-more", files=shown, more=more)
    else:
        words = say("doctor.files-open", files=shown)
    folders = " ".join(dict.fromkeys(str(_root(path, data)) for path in open_ones))
    return ProbeResult(name="files", state="failed", evidence=words, fix=say("doctor.files-fix", folders=folders))


def steering(loaded: LoadedConfig) -> Iterator[ProbeResult]:
    """Say which texts that steer the bot, and which programs that it starts, somebody else could change. Blocks."""
    found = ((key, path, _who_may_change(path)) for key, path in _steering_files(loaded))
    for key, path, problem in islice((one for one in found if one[2]), _MAX_ROWS):
        what, _, fix = problem.rpartition(". ")
        yield ProbeResult(name=say("doctor.files-of", key=key), state="warning", evidence=f"{path}: {what}", fix=fix)


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
            left, why = age(one.cooling_until - now), quote_line(one.error, 120)
            if one.opened_at:
                ago = age(now - one.opened_at)
                words = say("doctor.model-rests-met", age=left, why=why, requester=one.opened_by, ago=ago)
            else:
                words = say("doctor.model-rests", age=left, why=why)
            aside = one.work is WorkKind.BACKGROUND
            fix = say("doctor.background-rests-fix" if aside else "doctor.model-rests-fix")
            name = say("doctor.model-background" if aside else "doctor.model", name=one.model)
            yield ProbeResult(name=name, state="warning", evidence=words, fix=fix)


def counting(trouble: BaseException | None) -> Iterator[ProbeResult]:
    """Say that tokens can only be estimated, where that is so, and why."""
    if trouble is not None:
        name = say("doctor.token-counts")
        why = unread_part(name, trouble)
        words = say("doctor.token-counts-estimated", why=why.why)
        yield ProbeResult(name=name, state="warning", evidence=words, fix=why.fix)


def windows(known: Sequence[ModelLimits]) -> Iterator[ProbeResult]:
    """Say of which models it is only guessed how much they can hold."""
    for one in known:
        if not one.window_known:
            words, name = say("doctor.window-unknown", tokens=one.window), say("doctor.window-of", model=str(one.model))
            yield ProbeResult(name=name, state="warning", evidence=words, fix=say("doctor.window-fix"))


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
            name=say("doctor.reading-of", model=model),
            state="warning",
            evidence=say("doctor.reads-partly", read=part.read, sent=part.sent),
            fix=say("window_guessed.more-room"),
        )
        for model, part in found.items()
    ]


def zones(config: Config) -> Iterator[ProbeResult]:
    """Say that no time zone can be told, where one is wanted, or people may want one."""
    if not time_zones.has_database():
        wanted = [config.bot.timezone, *(one.timezone for one in config.channels.values())]
        named = ", ".join(dict.fromkeys(zone for zone in wanted if zone and zone != time_zones.UTC_NAME))
        evidence = time_zones.NO_DATABASE
        if named:
            evidence = say("doctor.time-zones-named", why=evidence, zones=named)
        yield ProbeResult(name=say("doctor.time-zones"), state="warning", evidence=evidence, fix=time_zones.INSTALL)


def sentences(trouble: str, missing: Sequence[MissingSentence]) -> Iterator[ProbeResult]:
    """Say that the library cannot be loaded with which numbers are written as each language does; what one lacks."""
    name = say("doctor.sentences")
    if trouble:
        words = say("doctor.sentences-plain", why=trouble)
        yield ProbeResult(name=name, state="warning", evidence=words, fix=say("doctor.sentences-fix"))
    for language in dict.fromkeys(one.language for one in missing):
        names = list(dict.fromkeys(one.name for one in missing if one.language == language))
        shown = ", ".join([*names[:_MAX_NAMED_SENTENCES], *(["…"] if len(names) > _MAX_NAMED_SENTENCES else [])])
        words = say("doctor.sentences-missing", count=len(names), language=language, names=shown)
        yield ProbeResult(name=name, state="warning", evidence=words, fix=say("doctor.sentences-missing-fix"))


def organisation(problem: str) -> Iterator[ProbeResult]:
    """Say what could not be read of what the operator wrote about whom the bot works for."""
    if problem:
        fix = say("doctor.organisation-fix")
        yield ProbeResult(name="organisation", state="warning", evidence=problem, fix=fix)


async def accounts(rows: Sequence[ProbeResult], store: Store) -> AsyncIterator[ProbeResult]:
    """Say of which platforms the token is of another account than what is stored; `rows` is what they said."""
    for name, stored in ((row.name, dict(row.facts).get(STREAM)) for row in rows):
        ours, platform = BotAccount.read(stored), name.partition(" ")[0]
        theirs = BotAccount.read(await store.ledger.cursor(platform, STREAM)) if ours is not None else None
        if ours is not None and theirs is not None and ours.id != theirs.id:
            words, fix = foreign_account_text(theirs, ours), put_back(platform, theirs)
            name = say("doctor.data-of", platform=platform)
            yield ProbeResult(name=name, state="failed", evidence=words, fix=fix, code=FOREIGN)


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
        rows.append(await _reachable(say("doctor.admins-of", platform=name), people, platform, known))
    return rows


async def _reachable(
    row: str, people: Sequence[PersonKey], platform: Platform, known: Sequence[KnownChannel]
) -> ProbeResult:
    if not people:
        words, fix = say("doctor.no-admins"), say("doctor.no-admins-fix")
        return ProbeResult(name=row, state="warning", evidence=words, fix=fix)
    asked = people[:_MAX_PEOPLE]
    closed = [(who.user_id, why) for who in asked if (why := await _closed(who, platform, known))]
    if not closed:
        if more := len(people) - len(asked):
            words = say("doctor.all-reachable-more", count=len(asked), more=more)
        else:
            words = say("doctor.all-reachable", count=len(asked))
        return ProbeResult(name=row, state="ok", evidence=words)
    listed = "; ".join(f"{user}: {quote_line(why, 60)}" for user, why in closed)
    evidence = say("doctor.not-reachable", closed=len(closed), count=len(asked), who=listed)
    state = "failed" if len(closed) == len(asked) else "warning"
    return ProbeResult(name=row, state=state, evidence=evidence, fix=say("doctor.not-reachable-fix"))


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
