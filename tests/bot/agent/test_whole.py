"""Turns on the real store and the simulated model: what is kept is what is shown is what is loaded."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from adapters.simulated import create
from adapters.sqlite.store import open_store
from bot.agent.channel import ChannelFactory
from bot.agent.turn.after_turn import AfterTurnChecks
from bot.agent.turn.answering import AnswerSettings
from bot.agent.turn.attachments import AttachmentFetcher
from bot.agent.turn.model_client import ModelClient
from bot.agent.turn.turn import TurnLimits, TurnRunner
from bot.config import ModelConfig
from bot.config.schema import AttachmentsConfig
from bot.context.builder import ContextBuilder
from bot.context.gather import ContextGatherer
from bot.context.links_of_others import LinkRules
from bot.context.origin_tracer import WordOriginTracer
from bot.context.section import SectionSources
from bot.context.sections import ORDER
from bot.domain.access import Authority
from bot.domain.ids import MAIN
from bot.domain.ledger import LedgerStage, Outcome
from bot.domain.memory import MemoryReach
from bot.domain.turn import TurnStatus
from bot.memory.write import MemoryRules
from bot.ports.checkpoints import CheckpointStore
from bot.ports.clock import Clock
from bot.ports.delivery import Delivery
from bot.ports.embeddings import BY_WORDS_ALONE, MeaningSearch
from bot.ports.journal import CallLog, Journal
from bot.ports.ledger import Ledger
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
from bot.tools.runtime.toolbox import fill_toolbox
from bot.tools.runtime.work_port import WorkPort
from bot.tools.send_file import OutgoingFiles
from bot.tools.toolsets import CAPTURED_NEEDS, TOOLSETS
from tests.bot.agent.room import Bell, FakeFiles
from tests.fakes.channels import FakeDirectory
from tests.fakes.clock import FakeClock, FakeEntropy
from tests.fakes.compactor import FakeCompactor
from tests.fakes.contexts import FACTS
from tests.fakes.counter import WordCounter
from tests.fakes.delivery import FakeDelivery
from tests.fakes.inspections import FakeInspections
from tests.fakes.sandbox import FakeSandbox
from tests.fakes.skills import no_skills
from tests.fakes.values import GENERAL, GUILD, KEY, arrival, author, settings
from tests.fakes.web import FakeBrowser, FakeWeb
from tests.fakes.work import FakeProcesses, FakeWork
from tests.fakes.workspaces import FakeWorkspaces


class House:
    """One channel on a real store."""

    def __init__(self, store: Any, clock: FakeClock) -> None:
        self.store, self.clock = store, clock
        self.delivery, self.bell, self.tasks = FakeDelivery(), Bell(), TaskSupervisor()
        models = ModelClient({"simulated": create("simulated", {})}, ModelConfig(), clock)
        sources = SectionSources(store.memories, store.channels, store.journal, FACTS, Redactor.of({}))
        contexts = ContextBuilder(ContextGatherer(ORDER, sources), WordCounter(), store.meter)
        aftermath = AfterTurnChecks(contexts, models, store.ledger, clock, self.tasks, 1.0)
        self.turns = TurnRunner(contexts, models, store.journal, clock, aftermath)
        services: dict[type, object] = {
            MemoryStore: store.memories,
            MeaningSearch: BY_WORDS_ALONE,
            HistorySearch: store.history,
            Clock: clock,
            Delivery: self.delivery,
            LinkRules: LinkRules(),
            MemoryRules: MemoryRules(0.9, 50),
            WordOriginTracer: WordOriginTracer(),
            InspectionStarter: FakeInspections(),
            SkillLibrary: no_skills(),
            WebReader: FakeWeb(),
            Browser: FakeBrowser(),
            Workspaces: FakeWorkspaces(),
            Sandbox: FakeSandbox(),
            ProcessStore: store.processes,
            WorkPort: FakeWork(FakeProcesses()),
            Journal: store.journal,
            CheckpointStore: store.checkpoints,
            Ledger: store.ledger,
            CallLog: store.journal,
            BackgroundTasks: self.turns.calling.background,
            Redactor: Redactor.of({}),
            OutgoingFiles: FakeFiles(),
        }
        answering = AnswerSettings(
            models, fill_toolbox(TOOLSETS, services, CAPTURED_NEEDS), lambda state: state.settings.model, no_skills()
        )
        self.factory = ChannelFactory(
            turns=self.turns,
            answering=answering,
            delivery=self.delivery,
            memories=store.memories,
            channels=FakeDirectory(),
            tasks=self.tasks,
            alerts=self.bell,
            limits=TurnLimits(rounds=10, seconds=20),
            attachments=AttachmentFetcher({}, AttachmentsConfig()),
            authority=lambda person: Authority.EVERYONE,
            compactor=FakeCompactor(),
            processes=store.processes,
        )
        self.number = 0

    async def open(self) -> None:
        self.channel = self.factory.open(await self.store.channels.meet(KEY, "#general", GUILD, settings()))

    async def hears(self, text: str, user: str = "42", name: str = "ann") -> int:
        self.number += 1
        self.clock.advance(60)
        wanted = arrival(text, f"x{self.number}", author=author(user, name), at=self.clock.now())
        (row,) = await self.store.ledger.arrive([wanted], None)
        await self.channel.take([await self.store.ledger.inbound(row)])
        await self.tasks.idle()
        return row


@pytest.fixture
async def house(tmp_path: Path):
    clock = FakeClock()
    store = await open_store(tmp_path, clock, FakeEntropy())
    house = House(store, clock)
    await house.open()
    yield house
    await store.close()


async def test_a_conversation_is_loaded_as_it_was_left(house):
    for text in ("hello", "remember that bob likes tea", "recall tea", "react 👍", "reply wait", "skip no reason"):
        await house.hears(text)
    live = house.channel.state
    assert len(live.turns) == 6
    assert await house.store.channels.load(KEY) == live


async def test_the_trail_of_an_answer_is_whole(house):
    row = await house.hears("recall tea")
    trail = await house.store.ledger.trail(row)
    stages = [stage.stage for stage in trail.stages]
    assert stages[-1] is LedgerStage.DECIDED
    turns = {LedgerStage.TURN, LedgerStage.ASSEMBLED, LedgerStage.REQUESTED, LedgerStage.TOOL, LedgerStage.DECIDED}
    assert [s for s in stages if s in turns] == [
        LedgerStage.TURN, LedgerStage.ASSEMBLED, LedgerStage.REQUESTED, LedgerStage.ASSEMBLED, LedgerStage.REQUESTED,
        LedgerStage.TOOL, LedgerStage.DECIDED,
    ]  # fmt: skip
    assert not any("drift" in stage.reason for stage in trail.stages)
    (turn,) = await house.store.journal.recent_turns(KEY, 5)
    assert (turn.status, turn.rounds, turn.has_outbox) == (TurnStatus.REPLIED, 2, True)
    (call,) = await house.store.journal.calls_of_turn(turn.id)
    assert (call.tool_name, call.success) == ("memory_recall", True)


async def test_the_worked_example_ends_in_an_instructed_silence(house):
    row = await house.hears("remember as decision with importance 0.9: ann asked the bot to stop responding to her")
    assert (await house.store.ledger.inbound(row)).outcome is None  # until the platform has the reply
    (memory,) = await house.store.memories.in_reach(MemoryReach(agent=MAIN, channel=GENERAL))
    assert (memory.body.type, memory.body.importance, memory.body.subjects) == ("decision", 0.9, ("42",))
    assert memory.body.provenance.message_id == "x1"
    assert [effect.silences.target for effect in house.bell.rung] == ["her"]
    row = await house.hears("are you there?")
    inbound = await house.store.ledger.inbound(row)
    assert inbound.outcome is Outcome.SKIPPED
    assert inbound.outcome_reason.startswith("instructed: ")
    said = len(house.delivery.sent)
    row = await house.hears("and for me?", user="77", name="bob")
    assert (await house.store.ledger.inbound(row)).outcome is None
    assert len(house.delivery.sent) == said + 1


async def test_reading_memories_counts_after_the_turn(house):
    await house.hears("remember that bob likes tea")
    await house.hears("recall tea")
    (memory,) = await house.store.memories.in_reach(MemoryReach(agent=MAIN, channel=GENERAL))
    assert memory.access_count == 1


async def test_only_new_rows_are_sent_at_the_end(house):
    await house.hears("reply wait")
    assert [body.text for body in house.delivery.sent if body.kind == "reply"] == ["wait"]
