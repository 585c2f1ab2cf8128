"""The doctor's rows about plugins: what runs, what only lies there, and what was wrong."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from bot.domain.health import ProbeResult
from bot.plugins.installed import installed_plugins
from bot.plugins.plugins import PluginRecord, Plugins, PluginState
from bot.sentences import say


async def plugin_rows(plugins: Plugins) -> Sequence[ProbeResult]:
    """Say how each plugin does, and which ones only lie there: with nothing named nobody looked for them before."""
    records = plugins.records or await asyncio.to_thread(unnamed_plugins)
    return [plugin_row(record) for record in records]


def plugin_row(record: PluginRecord) -> ProbeResult:
    """Write a plugin's row."""
    name = say("plugins.row", plugin=record.name)
    version, why = record.version, "; ".join(record.why)
    match record.state:
        case PluginState.RUNS:
            return _running(name, record)
        case PluginState.DISABLED:
            return ProbeResult(name=name, state="ok", evidence=say("plugins.disabled", version=version))
        case PluginState.UNNAMED:
            words = say("plugins.unnamed", version=version, plugin=record.name)
            return ProbeResult(name=name, state="ok", evidence=words)
        case PluginState.MISSING:
            fix = say("plugins.missing-fix", plugin=record.name)
            return ProbeResult(name=name, state="failed", evidence=say("plugins.missing"), fix=fix)
        case PluginState.REFUSED:
            fix = say("plugins.refused-fix", distribution=record.distribution)
            words = say("plugins.refused", version=version, why=why)
            return ProbeResult(name=name, state="failed", evidence=words, fix=fix)


def _running(name: str, record: PluginRecord) -> ProbeResult:
    parts = ", ".join(guard.part for guard in record.guards if not guard.is_off) or say("plugins.nothing")
    off = [guard for guard in record.guards if guard.is_off]
    faulty = [guard for guard in record.guards if guard.faults and not guard.is_off]
    told = [say("plugins.runs", version=record.version, parts=parts), *record.why]
    for guard in (*off, *faulty):
        last = guard.last.words if guard.last else ""
        sentence = "plugins.part-off" if guard.is_off else "plugins.part-faults"
        told.append(say(sentence, part=guard.part, faults=guard.faults, last=last))
    state = "failed" if off else "warning" if faulty or record.why else "ok"
    fix = say("plugins.refused-fix", distribution=record.distribution) if state != "ok" else ""
    return ProbeResult(name=name, state=state, evidence=". ".join(told), fix=fix)


def unnamed_plugins() -> tuple[PluginRecord, ...]:
    """Return every plugin that is installed, as one that nobody named. Blocks."""
    return tuple(
        PluginRecord(one.name, one.version, one.distribution, PluginState.UNNAMED) for one in installed_plugins()
    )
