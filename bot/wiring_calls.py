"""Wire what tool calls share: who may call what, tasks in the background, files on their way, and who watches."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

from bot.agent.turn import Turns
from bot.config import LoadedConfig
from bot.config.view import ConfigView
from bot.domain.health import LoopLag, Vitals
from bot.domain.ids import ChannelId, ChannelKey, Person
from bot.domain.redaction import Redactor
from bot.messaging.filed import KeptFiles
from bot.messaging.outbox import OutboxSender
from bot.ports.edges import Edges
from bot.ports.journal import CallLog
from bot.ports.store import Store
from bot.stalls import Stalls, joined
from bot.tasks import Tasks
from bot.tools.background import Background
from bot.tools.calling import Calling
from bot.tools.grants import Grants
from bot.tools.lag import LagSampler
from bot.tools.llm import LLM
from bot.tools.send_file import OutgoingFiles

StopWork = Callable[[ChannelKey, str, Person | None], Awaitable[int]]
"""Stops what goes on for a conversation, for a reason, or what one person wants of it; returns how many that was."""


def calling_of(edges: Edges, loaded: LoadedConfig, redactor: Redactor, tasks: Tasks, stalls: Stalls) -> Calling:
    """Make what every turn's calls go through; `tasks` owns what runs."""
    config, channels = loaded.config, edges.store.channels
    return Calling(
        lag=LagSampler(edges.clock.now),
        stalls=stalls,
        background=Background(tasks, config.calls),
        grants=Grants(config.tools, lambda channel: channels.moves.before(channel), config.agents),
        config=ConfigView(loaded, redactor),
    )


def vitals_of(sender: OutboxSender, turns: Turns, channel: ChannelId) -> Vitals:
    """Return what the running process knows of itself and of one of its channels."""
    lags = (LoopLag(at=lag.at, ms=lag.ms, what=lag.tools, certain=lag.certain) for lag in turns.calling.lag.samples)
    return Vitals(
        lags=joined(tuple(lags), tuple(turns.calling.stalls.found)),
        typing_since=sender.streams.typing_since(channel),
        turns=turns.times(channel),
    )


def stopping(work: StopWork, background: Background) -> StopWork:
    """Return what stops all that goes on for a conversation: branches and workers, and calls in the background.

    Of one person it stops the branches and workers: whose wish a call in the background was, nobody can say.
    """

    async def stop(key: ChannelKey, why: str, whose: Person | None) -> int:
        tasks = background.running(key) if whose is None else ()
        await background.cancel(tasks)
        return len(tasks) + await work(key, why, whose)

    return stop


def services_of(edges: Edges, data_dir: str, turns: Turns, redactor: Redactor) -> dict[type, object]:
    """Return what tools of this part ask for by type."""
    return {
        Background: turns.calling.background,
        CallLog: edges.store.journal,
        OutgoingFiles: KeptFiles(Path(data_dir)),
        Redactor: redactor,
        LagSampler: turns.calling.lag,
        LLM: turns.models,
        Store: edges.store,
    }
