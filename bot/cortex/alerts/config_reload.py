"""The configuration that runs: take over what can change without a restart, and say what waits for one."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial

import structlog

from bot.config import LoadedConfig
from bot.config.config_values import ConfigChange, changes, merge_live, take_over
from bot.config.load import cross_problems, digest_on_disk
from bot.config.stale_keys import stale_values
from bot.cortex.alerts.admin_alerts import AdminAlerts
from bot.domain.health import ProbeResult
from bot.domain.stale_config import StaleConfig
from bot.errors import ConfigError
from bot.ports.bookkeeping import CheckStore, StartLog
from bot.ports.clock import Clock
from bot.prompts import render
from bot.sentences import Words, say
from bot.text.links import defang
from bot.text.text import excerpt, quote_line
from bot.text.times import clock_time

log = structlog.get_logger(__name__)

ROW = "configuration"
"""What the doctor's row is called."""
Read = Callable[[], LoadedConfig]
"""Reads the files again; raises ConfigError."""
Follow = Callable[[], Awaitable[None]]
"""Lets those who hold something made of the configuration make it anew."""
_MAX_NAMED_PROBLEMS = 8
_DECIDES = re.compile(r"model\.|bot\.(name|persona)|(agents|channels)\.|skills\.|tools\.")
"""Keys by which a model may decide otherwise."""


@dataclass(frozen=True)
class _Known:
    """What was made of the files when they were last read, and when (empty: at the start). `refused` is why not."""

    digest: str
    said: Words | None = None
    waiting: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()


class RunningConfig:
    """Holds what runs. A file that cannot be used changes nothing, and those who run the bot hear of it."""

    def __init__(
        self,
        loaded: LoadedConfig,
        clock: Clock,
        alerts: AdminAlerts,
        follow: Follow,
        starts: StartLog,
        checks: CheckStore,
    ) -> None:
        self._starts = starts
        self._checks = checks
        self._loaded = loaded
        self._clock = clock
        self._alerts = alerts
        self._follow = follow
        self._known = _Known(loaded.digest)
        self._reading = asyncio.Lock()
        self._compared: tuple[str, _Known] | None = None
        self._found: StaleConfig | None = None
        self._is_started = False

    async def reload(self, read: Read) -> tuple[str, ...]:
        """Read the files, take the live keys over, and return them; never raises for what stands in the files."""
        async with self._reading:
            at = clock_time(self._clock.now())
            try:
                wanted = await asyncio.to_thread(read)
            except ConfigError as error:
                await self._refuse(error.problems, await asyncio.to_thread(self._digest), at)
                return ()
            return await self._take(wanted, at)

    async def probe(self) -> Sequence[ProbeResult]:
        """Say whether what runs is what stands in the files."""
        known, path = self._known, self._loaded.path
        if path is None:
            return ()
        when = known.said() if known.said else say("alerts.as-at-start")
        if known.digest and await asyncio.to_thread(self._digest) != known.digest:
            words, fix = say("alerts.file-changed", file=path.name), say("alerts.file-changed-fix")
            return (ProbeResult(name=ROW, state="warning", evidence=words, fix=fix),)
        if known.refused:
            why = quote_line(known.refused[0], 120)
            words = say("alerts.file-refused", file=path.name, when=when, why=why)
            return (ProbeResult(name=ROW, state="failed", evidence=words, fix=say("alerts.file-refused-fix")),)
        if known.waiting:
            words = say("alerts.file-waits", file=path.name, when=when, keys=_some(known.waiting))
            return (ProbeResult(name=ROW, state="warning", evidence=words, fix=say("alerts.file-waits-fix")),)
        words = say("alerts.file-is", file=path.name, when=when)
        return (ProbeResult(name=ROW, state="ok", evidence=words),)

    async def stale(self) -> StaleConfig | None:
        """Say which keys run with other values than the files have now; None where all is as it stands there."""
        return await asyncio.to_thread(stale_values, self._loaded)

    async def stale_lately(self) -> StaleConfig | None:
        """Return what `stale` says; compared anew only where files or what runs have changed, and not by the start."""
        if self._loaded.path is None or not self._is_started:
            self._is_started = True
            return None
        now = (await asyncio.to_thread(self._digest), self._known)
        if now != self._compared:
            self._found, self._compared = await self.stale(), now
        return self._found

    async def _take(self, wanted: LoadedConfig, at: str) -> tuple[str, ...]:
        running = self._loaded.config
        found = changes(running, wanted.config)
        mixed = merge_live(running, wanted.config)
        if misfits := cross_problems(mixed):
            # a live key that only fits together with one that is not, such as a model of a new provider
            found = tuple(ConfigChange(change.key, False) for change in found)
            log.warning("config_waits_as_a_whole", problems=misfits)
        else:
            take_over(running, mixed)
            await self._follow()
        live = tuple(change.key for change in found if change.live)
        waiting = tuple(change.key for change in found if not change.live)
        self._known = _Known(wanted.digest, lambda: say("alerts.as-read-at", time=at), waiting)
        if live:
            await self._starts.reloaded(self._clock.now(), live)
        log.info("config_reloaded", taken=live, needs_a_restart=waiting)
        # what was kept as a check may be decided otherwise from now on
        decides = any(_DECIDES.match(change.key) for change in found)
        kept = len(await self._checks.kept()) if decides else 0
        if waiting or kept:

            def words() -> str:
                return render("cortex/alert_config", taken=live, waiting=_some(waiting), problems=(), checks=kept)

            await self._alerts.tell(words, kind="config waits" if waiting else "config checks")
        return live

    async def _refuse(self, problems: Sequence[str], digest: str, at: str) -> None:
        self._known = _Known(digest, lambda: say("alerts.at", time=at), self._known.waiting, tuple(problems))
        log.error("config_refused", problems=problems)
        listed = [defang(excerpt(problem, 200)) for problem in problems[:_MAX_NAMED_PROBLEMS]]
        more = len(problems) - len(listed)
        await self._alerts.reach(
            partial(render, "cortex/alert_config", taken=(), waiting="", problems=listed, more=more),
            tuple(name for name, table in self._loaded.config.platforms.items() if table.enabled),
            "config refused",
        )

    def _digest(self) -> str:
        try:
            return digest_on_disk(self._loaded.path) if self._loaded.path else ""
        except ConfigError:
            return "unreadable"


def _some(keys: Sequence[str]) -> str:
    shown, more = ", ".join(keys[:_MAX_NAMED_PROBLEMS]), len(keys) - _MAX_NAMED_PROBLEMS
    return say("alerts.keys-and-more", keys=shown, more=more) if more > 0 else shown
