"""A channel with everything behind it on fakes, and a model that follows a script."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bot.agent.channel import Channel, ChannelFactory
from bot.agent.turn.after_turn import AfterTurnChecks
from bot.agent.turn.answering import AnswerSettings
from bot.agent.turn.attachments import AttachmentFetcher
from bot.agent.turn.model_client import ModelClient
from bot.agent.turn.turn import TurnLimits, TurnRunner
from bot.config import ModelConfig
from bot.config.schema import AttachmentsConfig, CallsConfig
from bot.context.links_of_others import LinkRules
from bot.context.origin_tracer import WordOriginTracer
from bot.domain.access import Authority
from bot.domain.channel import ChannelState, ProcessKind
from bot.domain.ids import ChannelKey
from bot.domain.ledger import ArrivalDisposition, StageRow, StoredInbound
from bot.domain.messages import Inbound
from bot.memory.write import MemoryRules
from bot.mind.claim_check import CheckedExchange
from bot.ports.clock import Clock
from bot.ports.delivery import Delivery
from bot.ports.embeddings import BY_WORDS_ALONE, MeaningSearch
from bot.ports.journal import CallLog, Journal
from bot.ports.memories import HistorySearch, MemoryStore
from bot.ports.processes import ProcessStore
from bot.ports.sandbox import Sandbox
from bot.ports.web import Browser, WebReader
from bot.ports.workspaces import Workspaces
from bot.runtime.tasks import TaskSupervisor
from bot.skills import SkillLibrary
from bot.text.redaction import Redactor
from bot.tools.context_inspect import InspectionStarter
from bot.tools.runtime.background_tasks import BackgroundTasks
from bot.tools.runtime.call_environment import CallEnvironment
from bot.tools.runtime.effects import ProposedForgetting, SavedMemory
from bot.tools.runtime.model_chain import ModelChain
from bot.tools.runtime.tool import ToolContext, ToolSpec, needs_of
from bot.tools.runtime.tool_grants import NO_GRANTS, ToolGrants
from bot.tools.runtime.toolbox import fill_toolbox
from bot.tools.runtime.work_port import WorkPort
from bot.tools.send_file import OutgoingFiles
from bot.tools.toolsets import CAPTURED_NEEDS, TOOLSETS
from tests.fakes.channels import FakeDirectory
from tests.fakes.clock import FakeClock
from tests.fakes.compactor import FakeCompactor
from tests.fakes.contexts import Stack
from tests.fakes.delivery import FakeDelivery
from tests.fakes.inspections import FakeInspections
from tests.fakes.platform import FakePlatform
from tests.fakes.provider import ScriptedProvider, Step
from tests.fakes.sandbox import FakeSandbox
from tests.fakes.skills import no_skills
from tests.fakes.values import channel, inbound
from tests.fakes.web import FakeBrowser, FakeWeb
from tests.fakes.work import FakeProcesses, FakeWork
from tests.fakes.workspaces import FakeWorkspaces

USUAL = TurnLimits(rounds=10, seconds=5)


class FakeHistory:
    def __init__(self, *found: tuple[int, str, str, int]) -> None:
        self.found = found
        self.asked: list[ChannelKey] = []

    async def search(self, key: ChannelKey, words: str, limit: int) -> Sequence[tuple[int, str, str, int]]:
        self.asked.append(key)
        return self.found[:limit]


class Notes:
    """What the turns write into the ledger beside the journal."""

    def __init__(self) -> None:
        self.rows: list[StageRow] = []

    async def note(self, rows: Sequence[StageRow]) -> Sequence[int]:
        self.rows += rows
        return [0] * len(rows)


def unused() -> dict[type, object]:
    """Something for every need of a tool: whoever calls a tool hands in what it really needs."""
    needs = {need for specs in TOOLSETS.values() for spec in specs for need in needs_of(spec.run).values()}
    return {need: object() for need in needs if need not in CAPTURED_NEEDS and need is not ToolContext}


class FakeFiles:
    """Implements `bot.tools.send_file.OutgoingFiles`."""

    def __init__(self) -> None:
        self.kept: dict[str, bytes] = {}

    async def keep(self, name: str, data: bytes) -> str:
        path = f"outgoing/{len(self.kept)}-{name}"
        self.kept[path] = data
        return path


class Bell:
    """Hears of memories that silence, and of those that are proposed to be forgotten."""

    def __init__(self) -> None:
        self.rung: list[SavedMemory] = []

    def flagged(self, where: ChannelState, turn: int, remembered: Sequence[SavedMemory]) -> None:
        self.rung += remembered

    def answered(self, where: ChannelState, turn: int, exchange: CheckedExchange) -> None: ...

    def proposing(self, where: ChannelState, turn: int, proposed: Sequence[ProposedForgetting]) -> None: ...


class Room:
    """Say something with `hears`; see what came of it in `journal`, `delivery` and `state`."""

    def __init__(
        self,
        *script: Step,
        state: ChannelState | None = None,
        limits: TurnLimits = USUAL,
        config: ModelConfig | None = None,
        others: Sequence[ScriptedProvider] = (),
        authority: Authority = Authority.EVERYONE,
        stack: Stack | None = None,
        journal: Any = None,
        clock: Clock | None = None,
        sample: float = 1.0,
        platform: FakePlatform | None = None,
        calls: CallsConfig | None = None,
        grants: ToolGrants = NO_GRANTS,
        tools: Sequence[ToolSpec] = (),
        extra: Mapping[type, object] | None = None,
        config_view: Mapping[str, str] | None = None,
    ) -> None:
        self.clock = clock or FakeClock()
        self.stack = stack or Stack()
        self.journal = journal or self.stack.journal
        self.memories = self.stack.memories
        self.history = FakeHistory()
        self.delivery = FakeDelivery()
        self.provider = ScriptedProvider(*script)
        self.notes, self.bell, self.tasks = Notes(), Bell(), TaskSupervisor()
        self.config = config or ModelConfig(name="scripted/scripted-1", retries=0, context_window=128_000)
        providers = {provider.name: provider for provider in (self.provider, *others)}
        self.models = ModelClient(providers, self.config, self.clock)
        contexts = self.stack.contexts
        aftermath = AfterTurnChecks(contexts, self.models, self.notes, self.clock, self.tasks, sample)
        calling = CallEnvironment(
            background=BackgroundTasks(self.tasks, calls), grants=grants, config=config_view or {}
        )
        self.turns = TurnRunner(contexts, self.models, self.journal, self.clock, aftermath, calling=calling)
        self.directory = FakeDirectory()
        self.processes = FakeProcesses()
        self.files = FakeFiles()
        self.services: dict[type, object] = {
            MemoryStore: self.memories,
            MeaningSearch: BY_WORDS_ALONE,
            HistorySearch: self.history,
            Clock: self.clock,
            Delivery: self.delivery,
            LinkRules: LinkRules(),
            MemoryRules: MemoryRules(0.9, 50),
            WordOriginTracer: WordOriginTracer(),
            ProcessStore: self.processes,
            WorkPort: FakeWork(self.processes),
            Journal: self.journal,
            CallLog: self.journal,
            BackgroundTasks: self.turns.calling.background,
            Redactor: Redactor.of({}),
            OutgoingFiles: self.files,
            ModelChain: self.models,
            InspectionStarter: FakeInspections(),
            SkillLibrary: no_skills(),
            WebReader: FakeWeb(),
            Browser: FakeBrowser(),
            Workspaces: FakeWorkspaces(),
            Sandbox: FakeSandbox(),
        }
        self.services |= extra or {}
        self.services = {**unused(), **self.services}
        toolsets = {**TOOLSETS, ProcessKind.CHANNEL: (*TOOLSETS[ProcessKind.CHANNEL], *tools)}
        self.toolbox = fill_toolbox(toolsets, self.services, CAPTURED_NEEDS, grants=grants)
        self.answering = AnswerSettings(self.models, self.toolbox, lambda state: state.settings.model, no_skills())
        factory = ChannelFactory(
            turns=self.turns,
            answering=self.answering,
            delivery=self.delivery,
            memories=self.memories,
            channels=self.directory,
            tasks=self.tasks,
            alerts=self.bell,
            limits=limits,
            attachments=AttachmentFetcher({"console": platform or FakePlatform()}, AttachmentsConfig()),
            authority=lambda person: authority,
            compactor=FakeCompactor(),
            processes=self.processes,
        )
        self.channel: Channel = factory.open(state or channel())
        self.heard = 0

    @property
    def state(self) -> ChannelState:
        return self.channel.state

    @property
    def said(self) -> list[str]:
        return self.delivery.texts

    @property
    def end(self) -> Any:
        """The last turn's ending as it was committed."""
        return self.journal.ends[-1]

    def arrives(self, text: str = "are you there?", **changes: Any) -> StoredInbound:
        self.heard += 1
        arrived: Inbound = inbound(text, f"x{self.heard}", **changes)
        return StoredInbound(
            id=self.heard,
            agent="main",
            inbound=arrived,
            arrived_at=arrived.sent_at,
            disposition=ArrivalDisposition.QUEUE,
            text_sha256="",
            text_kept=True,
        )

    async def hears(self, text: str = "are you there?", **changes: Any) -> None:
        await self.channel.take([self.arrives(text, **changes)])
        await self.tasks.idle()
