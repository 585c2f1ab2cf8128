"""Wire branches and workers: what hands work out, and who does it, made when there is first some."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from bot.agent.processes.dispatcher import ProcessRunners, ProcessSupervisor
from bot.agent.processes.process_end import ProcessFinisher
from bot.agent.processes.process_store import ProcessRecords
from bot.agent.processes.progress import ProcessProgress
from bot.agent.processes.roster import RunningProcesses
from bot.agent.turn.answering import AnswerSettings
from bot.agent.turn.turn import TurnRunner
from bot.app.core import BotCore
from bot.app.named_plugins import added_pieces
from bot.context.origin_tracer import WordOriginTracer
from bot.domain.channel import ChannelState, ProcessKind
from bot.domain.ids import ChannelKey
from bot.runtime.lean_imports import lean_imports
from bot.tools.runtime.effects import ProposedForgetting


@dataclass(frozen=True, eq=False, kw_only=True)
class ProcessWiring:
    """Each part is made by the first who asks for it. `workspace` says where a conversation's files are."""

    bot: BotCore
    turns: TurnRunner
    answering: Callable[[], AnswerSettings]
    workspace: Callable[[ChannelKey], Awaitable[Path]]

    @cached_property
    def supervisor(self) -> ProcessSupervisor:
        bot, store = self.bot, self.bot.edges.store
        return ProcessSupervisor(
            processes=store.processes,
            clock=bot.edges.clock,
            roster=RunningProcesses(bot.task_groups.messaging),
            orders=ProcessRecords(
                store.processes, store.ledger, store.journal, self.turns.keeps, WordOriginTracer(bot.access.tier)
            ),
            ends=self.ends,
            following=self.following,
            make_crew=lambda: self.crew,
            returned=bot.manager.receive_result,
            told=lambda process: bot.cortex.private_work.ended(process),
            limits=self._most,
            background=self.turns.calling.background,
        )

    @cached_property
    def ends(self) -> ProcessFinisher:
        bot, store = self.bot, self.bot.edges.store
        return ProcessFinisher(
            processes=store.processes,
            channels=store.channels,
            directory=bot.registry,
            clock=bot.edges.clock,
            alerts=bot.alerts,
            propose=self._propose,
            record=bot.registry.record,
            bot_name=bot.config.bot.name,
            calls=store.journal.calls_of_turn,
        )

    @cached_property
    def following(self) -> ProcessProgress:
        return ProcessProgress(self.bot.edges.store.processes, self.bot.registry.record)

    @cached_property
    def crew(self) -> ProcessRunners:
        # imported here, because no start needs it: most messages are answered without any of it
        with lean_imports():
            from bot.agent.processes.branch_runner import BranchRunner
            from bot.agent.processes.briefing import WorkerBriefing
            from bot.agent.processes.checkpoints import WorkerCheckpoints
            from bot.agent.processes.worker import WorkerRunner

        bot, store, turns = self.bot, self.bot.edges.store, self.turns
        config, name = bot.config.work, bot.config.bot.name
        keeping = WorkerCheckpoints(store.checkpoints, bot.edges.clock)
        thinking = BranchRunner(
            turns=turns,
            answering=self.answering(),
            directory=bot.registry,
            begun=self.following.begun,
            moved=self.following.moved,
            seconds=config.branch_seconds,
            bot_name=name,
        )
        working = WorkerRunner(
            turns=turns,
            answering=self.answering(),
            directory=bot.registry,
            briefing=WorkerBriefing(
                turns.contexts,
                bot.redactor,
                store.processes,
                store.ledger,
                self.workspace,
                name,
                added_pieces(bot.plugins),
            ),
            keeping=keeping,
            begun=self.following.begun,
            moved=self.following.moved,
            seconds=config.worker_seconds,
        )
        return ProcessRunners(thinking, working, keeping)

    def _most(self, kind: ProcessKind) -> int:
        config = self.bot.config.work
        return config.workers if kind is ProcessKind.WORKER else config.branches

    def _propose(self, where: ChannelState, turn: int, proposed: Sequence[ProposedForgetting]) -> None:
        """Let the cortex ask admins whether memories are to be forgotten."""
        asking = self.bot.cortex.proposing.ask(where, turn, proposed)
        self.bot.task_groups.cortex.spawn("propose to forget", asking)
