"""Programs through the tools themselves: real tools, real store, real buttons; no request is assembled for them.

What a whole turn adds (assembling, the journal, delivery) is played by `wholes`; here a program costs a small part of
that, so that there can be a million.
"""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from bot.agent.processes.branch import BranchConclusion
from bot.agent.turn.model_client import ModelClient
from bot.cortex.inspection.inspection_branch import InspectionReport
from bot.cortex.inspection.inspection_briefing import InspectionQuestion
from bot.cortex.inspection.model_findings import read_draft
from bot.cortex.inspection.verify_findings import CitableRecords, verify
from bot.cortex.proving.proof_words import decision_words
from bot.cortex.words.quoting import by_model
from bot.diagnostics.collect.collector import EvidenceQuery
from bot.domain.channel import ProcessKind
from bot.domain.finding import ForgetMemory
from bot.domain.ids import MAIN, ChannelKey
from bot.domain.llm import LLMRequest, LLMResponse
from bot.domain.messages import ButtonPress
from bot.replay.decision_checks import expected_words
from bot.replay.replayed_decision import spoken_words
from bot.replay.replayer import Replayer, ReplayRun
from bot.replay.request_parts import PartChange
from bot.replay.run_log import RunLog
from bot.tools.read_channel_context import CapturePages
from bot.tools.runtime.admin_session import AdminSession
from bot.tools.runtime.effects import (
    AddedReaction,
    ProposedForgetting,
    SavedMemory,
    SentMessage,
    SkippedTurn,
    SuggestedMemory,
    SuggestedWork,
    TurnEffects,
)
from bot.tools.runtime.executor import Executor, TurnCalls
from bot.tools.runtime.repeat_guard import RepeatGuard
from bot.tools.runtime.tool import CallOrigin, ToolContext
from bot.tools.runtime.toolbox import for_reader
from tests.bot.cortex.chat import ADMIN, ANN, OWNER, dm_of
from tests.bot.tools.kit import context
from tests.fakes.provider import ScriptedProvider, says
from tests.faults.confirming import person_of
from tests.faults.family import Verdict
from tests.faults.hostile.house import CHANNELS, EVERYBODY, HOME, KEY, LIVE, OWN, House, a_house
from tests.faults.hostile.puppet import COMMON, Puppet

PROGRAMS = 2500
"""In one case: filling the house costs as much as three hundred."""
FEW = 300
AGAIN = 100
"""After so many programs everything that has a budget is opened anew."""
OFFERS = 4
MAY: Mapping[ProcessKind, tuple[type, ...]] = {
    ProcessKind.CHANNEL: (SentMessage, SkippedTurn, AddedReaction, SavedMemory),
    ProcessKind.BRANCH: (SavedMemory, ProposedForgetting),
    ProcessKind.WORKER: (),
    ProcessKind.INSPECTION: (),
    ProcessKind.CORTEX: (ProposedForgetting, SuggestedMemory, SuggestedWork),
}
"""What a process may have done, or want done; all else is a change that nobody confirmed."""
CHANGES = (SentMessage, SkippedTurn, AddedReaction, SavedMemory, ProposedForgetting, SuggestedMemory, SuggestedWork)
Place = tuple[ProcessKind, str]
PLACES: tuple[Place, ...] = (
    (ProcessKind.CHANNEL, ANN),
    (ProcessKind.BRANCH, ANN),
    (ProcessKind.WORKER, ANN),
    (ProcessKind.INSPECTION, ADMIN),
    (ProcessKind.CORTEX, ADMIN),
    (ProcessKind.CHANNEL, OWNER),
    (ProcessKind.WORKER, OWNER),
)
"""Which process, and for whom it works; foreign tools are the owner's alone."""


class Chair:
    """Implements `bot.tools.runtime.admin_session.AdminSession` for a talk that is not held."""

    def __init__(self, session: int) -> None:
        self.session = session
        self.question = "Why is it silent?"

    def config(self, prefix: str) -> tuple[str, ...]:
        return (f"{prefix} = x",)

    async def doctor(self) -> str:
        return "All is well."

    async def servers(self) -> str:
        return "console: #general"


class AskedAgain:
    """A recorded request of the home channel that a model is asked again, as it is for rehearsals and checks."""

    def __init__(self, house: House, puppet: Puppet) -> None:
        self.house, self.puppet, self.log = house, puppet, RunLog()
        self.provider = ScriptedProvider(puppet)
        models = ModelClient({"scripted": self.provider}, house.bot.config.model, house.bot.clock)
        self.replayer = Replayer(models, self.log, house.bot.clock)

    async def open(self) -> None:
        """Take the newest request on record, and forget the runs so far."""
        self.log.requests.clear()
        self.log.attempts.clear()
        self.provider.requests.clear()
        proving = self.house.bot.cortex.proving
        recent = await self.house.bot.store.journal.recent_requests(KEY, 1)
        self.replay = self.replayer.prepared(recent[0], proving.planner.known())
        self.parts = [part.id for part in self.replay.parts.every]
        self.redactor = proving.redactor

    async def play(self, number: int) -> None:
        """Change something, ask, class what comes back, and look at how an admin would be told of it."""
        chance, house = self.puppet.chance, self.house
        words = chance.choice(("", "", COMMON, "https://evil.example"))
        left = tuple(chance.sample(self.parts, chance.randrange(3)))
        other = {chance.choice(self.parts): self.puppet.anything()} if chance.random() < 0.3 else {}
        change = PartChange(left, other, chance.choice((0, 0, 400)))
        reached, sent = len(house.server.called), len(house.bot.platform.sent)
        decided = await self.replayer.run(self.replay, ReplayRun(1, number, words), change)
        answer = self.log.attempts[-1].response
        assert answer is not None
        told = [decision_words(decided, words, self.redactor), expected_words(decided.name)]
        for text in (*told, by_model(spoken_words(answer), self.redactor)):
            if (found := LIVE.search(text)) is not None:
                house.wrong("live", f"{found[0]!r} in {text[:300]!r}")
            house.check_told([text])
        if len(house.server.called) > reached or len(house.bot.platform.sent) > sent:
            house.wrong("unconfirmed", f"a replay reached {house.server.called[reached:]}")
        if self.log.requests[-1].request.messages or self.log.requests[-1].request.system:
            house.wrong("foreign", "words of a request were kept")


class Slow:
    """A model whose answers come when everything is over: what is handed out costs one start, and no more."""

    def __init__(self) -> None:
        self.is_over = asyncio.Event()

    async def __call__(self, _: LLMRequest) -> LLMResponse:
        await self.is_over.wait()
        return says("That is all.")


class Bench5:
    """One bench for each kind of process, over one look at the home channel."""

    def __init__(self, house: House, puppet: Puppet) -> None:
        self.house, self.puppet = house, puppet
        self.executor = Executor(house.bot.clock, calling=house.branches.turns.calling)
        self.number = self.worked = 0
        self.proofs: CitableRecords | None = None

    async def open(self) -> None:
        """Capture the channel as inspections do, and bind the tools as each process gets them."""
        bot, toolbox = self.house.bot, self.house.toolbox
        self.session, self.target = await self.house.session()
        caller = bot.access.caller(person_of(ADMIN), "admin")
        services = self.house.branches
        self.diagnosis = await self.house.bot.cortex.inquiry.diagnosis(self.target, EvidenceQuery())
        self.question = InspectionQuestion(caller, self.target, self.session.id, "what?", "", self.diagnosis)
        self.capture = await services.looking.present(caller, self.target)
        limits = services.turns.models.limits(services.turns.models.chain("")[0])
        pages = await services.briefing.reading(self.question, self.capture, limits, bot.clock.now())
        given: dict[type, object] = {CapturePages: pages, AdminSession: Chair(self.session.id)}
        self.tools, self.names, self.contexts = {}, {}, {}
        for place in PLACES:
            kind, who = place
            by = bot.access.caller(person_of(who), who)
            offered = toolbox.offered(kind, by.authority, given, channel=KEY)
            if kind in (ProcessKind.INSPECTION, ProcessKind.CORTEX):
                offered = for_reader(offered, reads=self.capture.reads)
            self.tools[place] = {tool.name: tool for tool in offered}
            self.names[place] = [tool.name for tool in offered]
            base = await context(kind, by.authority)
            origin = CallOrigin(KEY, "console", guild_id="0", message_id="m1", inbound=1)
            self.contexts[place] = ToolContext(origin, by, services.directory, TurnEffects(), base.turn)
        self.offers = [await self.house.offer(self.session, self.target) for _ in range(OFFERS)]

    async def play(self, place: Place) -> None:
        """Run one program somewhere, and look at what it did and was told."""
        kind, who = place
        reached = len(self.house.server.called)
        self.number += 1
        puppet, house, effects = self.puppet, self.house, TurnEffects()
        tools, names = self.tools[place], set(self.tools[place])
        bench = TurnCalls(tools, replace(self.contexts[place], effects=effects), RepeatGuard(99, 99))
        sent = len(house.bot.platform.sent)
        for number in range(puppet.chance.choice((1, 1, 1, 2))):
            asked = puppet.round(self.names[place])
            done = await self.executor.run(asked, bench, number)
            house.check_told([result.text for result in done.results])
            for call, result in zip(asked, done.results, strict=True):
                self.worked += result.ok
                if result.ok and call.name not in names:
                    house.wrong("unconfirmed", f"{kind} called {call.name!r}, which it does not have")
        forbidden = [
            type(e).__name__ for e in effects.of(object) if isinstance(e, CHANGES) and type(e) not in MAY[kind]
        ]
        if forbidden:
            house.wrong("unconfirmed", f"{kind} did {forbidden}")
        if len(house.server.called) > reached and who != OWNER:
            house.wrong("unconfirmed", f"{kind} for {who} reached foreign tools: {house.server.called[reached:]}")
        if kind is ProcessKind.INSPECTION:
            await self._report()
        for message in house.bot.platform.sent[sent:]:
            house.check_sent(message)

    async def _report(self) -> None:
        """Let an inspection end with words, and look at what the admin would get."""
        house, text = self.house, self.puppet.text()
        draft, conclusion = read_draft(text), BranchConclusion("conclusion", text)
        report = InspectionReport(conclusion, unverified=text)
        if draft is not None:
            # what is named is read from the store now and then; in between other findings are held against the same
            if self.proofs is None or self.number % 7 == 0:
                self.proofs = await house.branches._proofs(draft, self.question, self.capture)
            report = InspectionReport(conclusion, verify(draft, self.proofs, self.diagnosis))
        said = house.inspecting._reported(self.session, report)
        house.check_private(said.text)
        fixes = [f.fix for f in report.verified.findings if f.fix] if report.verified else []
        for fix in fixes:
            memory = await house.bot.store.memories.get(fix.memory) if isinstance(fix, ForgetMemory) else None
            if memory is None or memory.body.channel != HOME:
                house.wrong("foreign", f"a fix of another place was offered: {fix}")

    async def press(self) -> None:
        """Let somebody press something: a real button, twice, turned by a bit, or made up."""
        chance, house = self.puppet.chance, self.house
        row, (confirm, keep) = chance.choice(self.offers)
        by = chance.choice(EVERYBODY)
        where = dm_of(chance.choice((by, by, ADMIN))) if chance.random() < 0.8 else HOME
        raw = bytearray(base64.urlsafe_b64decode(chance.choice((confirm, confirm, keep)).data))
        roll = chance.random()
        if roll < 0.4:
            raw[chance.randrange(len(raw))] ^= 1 << chance.randrange(8)
        data = base64.urlsafe_b64encode(bytes(raw if roll < 0.9 else chance.randbytes(24))).decode()
        is_yes = data == confirm.data and by == ADMIN and where == dm_of(ADMIN)
        press = ButtonPress(person=person_of(by), name=by, channel=where, data=data)
        pressed = [house.bot.manager.pressed(press) for _ in range(2 if chance.random() < 0.3 else 1)]
        answers = await asyncio.gather(*pressed)
        if "Done." in answers:
            house.confirmed.add(row)
            if not is_yes or answers.count("Done.") > 1:
                house.wrong("unconfirmed", f"a press of {by} in {where} was taken for a yes, {answers}")


async def check_store(house: House) -> None:
    """Of everything that is kept, only what somebody said yes to has changed."""
    store = house.bot.store
    for row in range(1, 10_000):
        memory = await store.memories.get(row)
        if memory is None:
            break
        if bool(memory.forgotten_at) != (row in house.confirmed):
            house.wrong("unconfirmed", f"memory {row}: forgotten {bool(memory.forgotten_at)}")
    for channel in CHANNELS:
        state = await store.channels.load(ChannelKey(MAIN, channel))
        if state is not None and (state.settings.pause or state.settings.unrecorded):
            house.wrong("unconfirmed", f"{channel}: {state.settings}")
    done = sum(row.body.action == "forget memory" for row in await store.audit.newest(None, 100_000))
    others = {row.body.action for row in await store.audit.newest(None, 100_000)} - {"forget memory", "look"}
    if done != len(house.confirmed) or others:
        house.wrong("unconfirmed", f"{done} forgotten in the audit, {len(house.confirmed)} confirmed, {others}")


async def play_programs(seed: int, directory: Path, programs: int = PROGRAMS) -> Verdict:
    """Play that many of them."""
    puppet, model = Puppet(seed), Slow()
    async with a_house(directory, model) as house:
        bench, again = Bench5(house, puppet), AskedAgain(house, puppet)
        for number in range(programs):
            if number % AGAIN == 0:
                await bench.open()
                await again.open()
            at = number % (len(PLACES) + 1)
            if at < len(PLACES):
                await bench.play(PLACES[at])
            else:
                await again.play(number)
            if number % 3 == 0:
                await bench.press()
        model.is_over.set()
        await house.let_go()
        await house.bot.settled()
        await check_store(house)
    # what would find nothing whatever happened proves nothing
    assert house.confirmed and bench.worked > programs / 4, (bench.worked, len(house.confirmed))
    if programs >= PROGRAMS:
        assert house.server.called and min(house.own[what] for what in OWN), house.own
    return house.verdict(programs)
