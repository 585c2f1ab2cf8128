"""Look at everything that can be looked at: what was tried, what was seen, what to do."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import NamedTuple

import structlog

from bot.diagnostics.failure_words import unread_part
from bot.domain.health import KIND, ProbeResult
from bot.domain.ids import ChannelId, platform_of
from bot.ports.model import LLMProvider
from bot.ports.platform import Platform
from bot.ports.store import Store
from bot.sentences import say
from bot.text.links import defang
from bot.text.text import excerpt
from bot.text.times import plain_times

log = structlog.get_logger(__name__)

_PROBE_SECONDS = 10.0
MARKS = {"ok": "✓", "warning": "!", "failed": "✗", "unknown": "○"}


Check = Callable[[], Awaitable[Sequence[ProbeResult]]]


class DoctorSubjects(NamedTuple):
    """What the doctor looks at: the store (None: there is none to look at), services, platforms, and whatever else.

    `alerts` says who would hear of trouble; `checks` are further looks, by the name of what hangs if one does. `ask`
    looks at a service by asking its models, for which it has `patience` (0: what everything has).
    """

    store: Store | None
    providers: Mapping[str, LLMProvider]
    platforms: Mapping[str, Platform]
    alerts: Callable[[], ProbeResult] | None = None
    checks: Mapping[str, Check] = {}
    ask: Callable[[str], Awaitable[Sequence[ProbeResult]]] | None = None
    patience: float = 0


async def examine(patients: DoctorSubjects, *channels: ChannelId) -> tuple[ProbeResult, ...]:
    """Probe everything side by side, and these channels; a probe that hangs is itself a finding."""
    asked: list[tuple[str, Awaitable[Sequence[ProbeResult]]]] = []
    services = [
        (f"provider {name}", provider.probe() if patients.ask is None else patients.ask(name))
        for name, provider in patients.providers.items()
    ]
    if patients.store is not None:
        asked.append(("database", patients.store.probe()))
    for name, platform in patients.platforms.items():
        its: list[ChannelId | None] = [channel for channel in channels if platform_of(channel) == name]
        asked += [(name, platform.probe(channel)) for channel in its or [None]]
    asked += [(name, check()) for name, check in patients.checks.items()]
    found = await asyncio.gather(
        *(_probed(name, probing, patients.patience or _PROBE_SECONDS) for name, probing in services),
        *(_probed(name, probing, _PROBE_SECONDS) for name, probing in asked),
    )
    rows: list[ProbeResult] = []
    for probes in found:
        # asking about two channels asks twice about what they have in common
        named = {row.name for row in rows}
        rows += [probe for probe in probes if probe.name not in named]
    return (*rows, _said("alerts", patients.alerts)) if patients.alerts is not None else tuple(rows)


def as_text(probes: Sequence[ProbeResult]) -> str:
    """Write one line per probe, and the fix below what needs one."""
    lines = []
    for probe in probes:
        lines.append(f"{MARKS[probe.state]} {_dead(row_name(probe), 60)}: {_dead(probe.evidence, 200)}")
        if probe.fix and probe.state != "ok":
            lines.append(f"  → {_dead(probe.fix, 200)}")
    return "\n".join([*lines, summary(probes)])


def row_name(row: ProbeResult) -> str:
    """Say a row's name to people; where a platform has a name of its own, which chat service it is."""
    name = row.name
    platform, _, rest = name.partition(" ")
    if platform == "provider" and rest:
        return say("doctor.service-row", name=rest)
    if rest in _OF_PLATFORMS:
        kind = dict(row.facts).get(KIND, "same")
        return say("doctor.platform-row", platform=platform, row=rest.replace(" ", "-"), name=rest, kind=kind)
    return say("doctor.row", row=name.replace(" ", "-"), name=name)


_OF_PLATFORMS = frozenset(
    {"account", "webhook", "polling", "business", "message content", "sessions", "gateway", "slash commands"}
    | {"requests", "second program", "install", "installs", "webhook events", "sign-in"}
)
"""What rows of a platform are called behind its name."""
_MACHINE_NAMES = re.compile(r"(?<![\w./-])(?:127(?:\.\d{1,3}){3}(?::\d{1,5})?|(?:[\w-]+/)+SKILL\.md)(?![\w/?#-]|\.\w)")
"""What only leads into this machine: its own addresses and the operator's files."""


def _dead(text: str, limit: int) -> str:
    """Show a line of ours, in which words of a service, a platform or a tool server may stand."""
    line, at, pieces = excerpt(text, limit), 0, list[str]()
    for own in _MACHINE_NAMES.finditer(line):
        pieces += [defang(line[at : own.start()]), own[0]]
        at = own.end()
    return "".join((*pieces, defang(line[at:])))


def summary(probes: Sequence[ProbeResult]) -> str:
    """Count what was found, in one line."""
    bad = sum(probe.state == "failed" for probe in probes)
    warned = sum(probe.state == "warning" for probe in probes)
    silent = sum(probe.state == "unknown" for probe in probes)
    if silent:
        return say("doctor.checked-silent", checks=len(probes), failed=bad, warned=warned, silent=silent)
    if bad or warned:
        return say("doctor.checked", checks=len(probes), failed=bad, warned=warned)
    return say("doctor.all-is-well")


def as_json(probes: Sequence[ProbeResult]) -> list[dict[str, str]]:
    """Return the rows as plain values."""
    return [
        {
            "problem": probe.name,
            "state": probe.state,
            "evidence": plain_times(probe.evidence),
            "fix": plain_times(probe.fix),
        }
        for probe in probes
    ]


def exit_status(probes: Sequence[ProbeResult]) -> int:
    """Return 0 when all is well, 1 when something is wrong or wants a look, 2 when that could not be told."""
    states = {probe.state for probe in probes}
    return 1 if states & {"failed", "warning"} else 2 * ("unknown" in states)


async def _probed(name: str, probing: Awaitable[Sequence[ProbeResult]], seconds: float) -> Sequence[ProbeResult]:
    try:
        return await asyncio.wait_for(probing, seconds)
    except TimeoutError:
        words = say("doctor.no-answer-within", seconds=f"{seconds:.0f}")
        return (ProbeResult(name=name, state="unknown", evidence=words, fix=say("doctor.no-answer-fix")),)
    except Exception as error:  # noqa: BLE001 - a probe that fails is a row that the reader sees
        return (_broken(name, error),)


def _said(name: str, saying: Callable[[], ProbeResult]) -> ProbeResult:
    try:
        return saying()
    except Exception as error:  # noqa: BLE001 - as above
        return _broken(name, error)


def _broken(name: str, error: Exception) -> ProbeResult:
    log.error("probe_failed", probe=name, error_type=type(error).__name__, exc_info=error)
    why = unread_part(name, error)
    return ProbeResult(name=name, state="failed", evidence=say("doctor.could-not-look", why=why.why), fix=why.fix)
