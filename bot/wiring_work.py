"""Wire branches and workers: the desk that hands work out, and who does it, made when there is first some."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from bot.agent.answering import Answering
from bot.agent.channel import Alerts
from bot.agent.ends import Ends, Propose
from bot.agent.following import Following
from bot.agent.orders import Orders
from bot.agent.processes import Crew, WorkDesk, WorkServices
from bot.agent.roster import Roster
from bot.agent.turn import Turns
from bot.config import Config
from bot.domain.channel import ProcessKind
from bot.domain.ids import ChannelKey
from bot.domain.ledger import StoredInbound
from bot.domain.process import StoredProcess
from bot.domain.redaction import Redactor
from bot.imports import lean_imports
from bot.messaging.registry import ChannelRegistry
from bot.ports.edges import Edges
from bot.tasks import Tasks

Workspace = Callable[[ChannelKey], Awaitable[Path]]


@dataclass(frozen=True)
class WorkParts:
    """What branches and workers are wired from.

    `returned` queues a result for its channel, `told` hands one to an admin's talk, `propose` asks admins.
    """

    edges: Edges
    config: Config
    redactor: Redactor
    registry: ChannelRegistry
    tasks: Tasks
    alerts: Alerts
    propose: Propose
    returned: Callable[[StoredInbound], None]
    turns: Turns
    told: Callable[[StoredProcess], None]

    def desk(self) -> WorkDesk:
        """Make the desk; tools ask for it, so it is there before those who work."""
        store, edges = self.edges.store, self.edges
        ends = Ends(
            processes=store.processes,
            channels=store.channels,
            directory=self.registry,
            clock=edges.clock,
            alerts=self.alerts,
            propose=self.propose,
            record=self.registry.record,
            bot_name=self.config.bot.name,
        )
        return WorkDesk(
            WorkServices(
                processes=store.processes,
                clock=edges.clock,
                roster=Roster(self.tasks),
                orders=Orders(store.processes, store.ledger, store.journal, self.turns.keeps),
                ends=ends,
                following=self._following(),
                returned=self.returned,
                told=self.told,
                limits=self._most,
                background=self.turns.calling.background,
            )
        )

    def employ(self, desk: WorkDesk, turns: Turns, answering: Answering, workspace: Workspace) -> None:
        """Name those who work for a desk."""
        desk.employ(partial(self._crew, turns, answering, workspace))

    def _following(self) -> Following:
        return Following(self.edges.store.processes, self.registry.record)

    def _most(self, kind: ProcessKind) -> int:
        return self.config.work.workers if kind is ProcessKind.WORKER else self.config.work.branches

    def _crew(self, turns: Turns, answering: Answering, workspace: Workspace) -> Crew:
        # imported here, because no start needs it: most messages are answered without any of it
        with lean_imports():
            from bot.agent.briefing import Briefing
            from bot.agent.keeping import Keeping
            from bot.agent.thinking import Thinking, ThinkingServices
            from bot.agent.worker import WorkerServices, Working

        store, work, name = self.edges.store, self.config.work, self.config.bot.name
        following = self._following()
        keeping = Keeping(store.checkpoints, self.edges.clock)
        thinking = Thinking(
            ThinkingServices(
                turns=turns,
                answering=answering,
                directory=self.registry,
                begun=following.begun,
                moved=following.moved,
                seconds=work.branch_seconds,
                bot_name=name,
            )
        )
        working = Working(
            WorkerServices(
                turns=turns,
                answering=answering,
                directory=self.registry,
                briefing=Briefing(turns.contexts, self.redactor, store.processes, workspace, name),
                keeping=keeping,
                begun=following.begun,
                moved=following.moved,
                seconds=work.worker_seconds,
            )
        )
        return Crew(thinking, working, keeping)
