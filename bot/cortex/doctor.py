"""Look at everything that can be looked at without asking a model: what was tried, what was seen, what to do."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import NamedTuple

from bot.domain.health import Probe
from bot.domain.ids import ChannelId, platform_of
from bot.domain.text import excerpt
from bot.ports.model import LLMProvider
from bot.ports.platform import Platform
from bot.ports.store import Store

_SECONDS = 10.0
_SLOW = "Look whether it runs, and at the network and the proxy in between; then ask again."
_MARKS = {"ok": "✓", "warning": "!", "failed": "✗", "unknown": "○"}


class Patients(NamedTuple):
    """What the doctor looks at. `alerts` says who would hear of trouble."""

    store: Store
    providers: Mapping[str, LLMProvider]
    platforms: Mapping[str, Platform]
    alerts: Callable[[], Probe] | None = None


async def examine(patients: Patients, channel: ChannelId | None = None) -> tuple[Probe, ...]:
    """Probe the store, every provider and every platform, side by side; a probe that hangs is itself a finding."""
    asked: list[tuple[str, Awaitable[Sequence[Probe]]]] = [("database", patients.store.probe())]
    asked += [(f"provider {name}", provider.probe()) for name, provider in patients.providers.items()]
    for name, platform in patients.platforms.items():
        its = channel if channel is not None and platform_of(channel) == name else None
        asked.append((name, platform.probe(its)))
    found = await asyncio.gather(*(_probed(name, probing) for name, probing in asked))
    rows = [probe for probes in found for probe in probes]
    return (*rows, patients.alerts()) if patients.alerts is not None else tuple(rows)


def as_text(probes: Sequence[Probe]) -> str:
    """Write one line per probe, and the fix below what needs one."""
    lines = []
    for probe in probes:
        lines.append(f"{_MARKS[probe.state]} {excerpt(probe.name, 60)}: {excerpt(probe.evidence, 200)}")
        if probe.fix and probe.state != "ok":
            lines.append(f"  → {excerpt(probe.fix, 200)}")
    bad = sum(probe.state == "failed" for probe in probes)
    warned = sum(probe.state == "warning" for probe in probes)
    silent = sum(probe.state == "unknown" for probe in probes)
    unsaid = f", {silent} without an answer" if silent else ""
    ill = bad or warned or silent
    lines.append(f"{len(probes)} checks: {bad} failed, {warned} to look at{unsaid}." if ill else "All is well.")
    return "\n".join(lines)


def as_json(probes: Sequence[Probe]) -> list[dict[str, str]]:
    """Return the rows as plain values."""
    return [
        {"problem": probe.name, "state": probe.state, "evidence": probe.evidence, "fix": probe.fix} for probe in probes
    ]


def exit_status(probes: Sequence[Probe]) -> int:
    """Return 0 when all is well, 1 when something wants a look, 2 when something is broken."""
    states = {probe.state for probe in probes}
    return 2 if "failed" in states else int(bool(states & {"warning", "unknown"}))


async def _probed(name: str, probing: Awaitable[Sequence[Probe]]) -> Sequence[Probe]:
    try:
        return await asyncio.wait_for(probing, _SECONDS)
    except TimeoutError:
        return (Probe(name=name, state="unknown", evidence=f"did not answer within {_SECONDS:.0f} s", fix=_SLOW),)
    except Exception as error:  # noqa: BLE001 - a probe that fails is a row that the reader sees
        return (Probe(name=name, state="failed", evidence=f"the probe failed: {type(error).__name__}"),)
