"""Send a branch that can only read over one frozen context, and turn what it writes into one report."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from typing import NamedTuple

import structlog

from bot.agent.processes.branch import Branch, BranchConclusion
from bot.agent.turn.turn import TurnJob, TurnLimits, TurnRunner
from bot.config.schema import CortexConfig
from bot.cortex.inspection.inspection_briefing import BranchSetup, InspectionBriefing, InspectionQuestion, first_message
from bot.cortex.inspection.inspection_checkpoints import CutOffInspection, InspectionCheckpoints, InspectionJob
from bot.cortex.inspection.model_findings import DraftReport, read_draft
from bot.cortex.inspection.verify_findings import CitableRecords as Proofs
from bot.cortex.inspection.verify_findings import VerifiedFindings, verify
from bot.cortex.pages.context_capture import Capture, ContextCapturer
from bot.cortex.targets.record_lookup import RecordLookup, message_text
from bot.cortex.words.fix_preview import memory_line
from bot.diagnostics.failure_words import unread_part
from bot.domain.channel import ProcessKind
from bot.domain.handles import HandleKind, handle
from bot.domain.llm import TokenUsage
from bot.domain.messages import Message, Role, TextPart
from bot.domain.record_access import RecordReader, may_read
from bot.domain.snapshot import Trigger
from bot.errors import DamagedRow, StoreError, ToolError, UserError
from bot.inspect.capture.capture import ContextCapture
from bot.inspect.capture.part_reader import parse, text_of
from bot.inspect.capture.reader_view import InspectedContext
from bot.ports.channels import ChannelDirectory
from bot.prompts import render
from bot.sentences import ENGLISH, say, speaking
from bot.task_prompt.checkpoint import TaskState
from bot.task_prompt.gatherers.memory import BULLETIN
from bot.task_prompt.task_envelope import TaskEnvelope
from bot.text.figures import decimal, quantity
from bot.text.times import plain_times
from bot.tools.read_channel_context import CapturePages
from bot.tools.runtime.tool import CallOrigin
from bot.tools.runtime.toolbox import Toolbox, for_reader

log = structlog.get_logger(__name__)

GRACE_SECONDS = 5.0
"""Seconds beyond the branch's own wall clock after which it is given up from outside."""


_MAX_HANDLES = 60
_QUOTABLE = ("section:", "history:", "tool:", "status", "journal", "ledger")
"""Parts of the capture that a quote may be said to stand in."""
CONTEXT_NAME = "context"
"""What the branch calls the capture itself, which has no handle before it is sent."""


class InspectionReport(NamedTuple):
    """The one report of an inspection: what was proven, the model's bare text, or why there is nothing.

    `resumed` says from where it went on, empty where it was never cut off.
    """

    conclusion: BranchConclusion
    verified: VerifiedFindings | None = None
    unverified: str = ""
    resumed: str = ""


@dataclass(frozen=True, kw_only=True, eq=False)
class InspectionBranchRunner:
    """Runs inspections; each comes to exactly one Report, whatever the model does."""

    turns: TurnRunner
    toolbox: Toolbox
    directory: ChannelDirectory
    looking: ContextCapturer
    records: RecordLookup
    briefing: InspectionBriefing
    keeping: InspectionCheckpoints
    config: CortexConfig

    def branch(self) -> Branch:
        """Return what one inspection thinks with; who reports ends it, in the same transaction."""
        return Branch(self.turns)

    def price_words(self) -> str:
        """Say what an inspection uses at most: tokens, and money where prices are known."""
        models, tokens = self.turns.models, self.config.tokens
        dollars = models.price(models.chain(self.config.model)[0], TokenUsage(input=tokens, output=0))
        if dollars:
            return say("inspection.price-dollars", tokens=quantity(tokens), dollars=f"${decimal(dollars, 2)}")
        return say("inspection.price", tokens=quantity(tokens))

    async def report(
        self, question: InspectionQuestion, branch: Branch, behind: CutOffInspection | None = None
    ) -> InspectionReport:
        """Capture, ask, check; go on from what was left `behind`. Raises nothing but CancelledError and StoreError."""
        seconds = self.config.seconds
        try:
            async with asyncio.timeout(seconds + GRACE_SECONDS + self._load_seconds()):
                return await self._report(question, branch, behind)
        except TimeoutError:
            why = say("inspection.no-conclusion", seconds=f"{seconds:g}")
            return InspectionReport(BranchConclusion("timeout", why))
        except (UserError, DamagedRow) as error:
            return InspectionReport(BranchConclusion("failure", str(error)))
        except StoreError:
            raise
        except Exception as error:  # whatever breaks, the admin gets the one report that says so
            log.error("inspection_broke", error_type=type(error).__name__, exc_info=error)
            return InspectionReport(BranchConclusion("failure", unread_part("it", error).why))

    def _load_seconds(self) -> float:
        models = self.turns.models
        return models.load_seconds(models.chain(self.config.model))

    async def over(self, branch: Branch, conclusion: BranchConclusion) -> None:
        """Note that a branch has reported, so that nobody goes on with it."""
        state = TaskState.COMPLETED if conclusion.kind == "conclusion" else TaskState.FAILED
        await self.keeping.over(branch.number, state)

    async def _report(
        self, question: InspectionQuestion, branch: Branch, behind: CutOffInspection | None
    ) -> InspectionReport:
        # captured and cut to what this reader may see before the branch exists, so that looking leaves no trace
        looking, caller, target = self.looking, question.caller, question.target
        capture = await (looking.again(caller, target, behind.seen) if behind else looking.present(caller, target))
        # what a model reads, pages of tools among it, does not change with who asks
        with speaking(ENGLISH):
            conclusion = await branch.conclude(await self._job(question, capture, behind))
        resumed = _resumed(behind, capture) if behind else ""
        if conclusion.kind != "conclusion":
            return InspectionReport(conclusion, resumed=resumed)
        draft = read_draft(conclusion.text)
        if draft is None:
            return InspectionReport(conclusion, unverified=conclusion.text, resumed=resumed)
        proofs = await self._proofs(draft, question, capture)
        return InspectionReport(conclusion, verify(draft, proofs, question.diagnosis), resumed=resumed)

    async def _job(self, question: InspectionQuestion, capture: Capture, behind: CutOffInspection | None) -> TurnJob:
        target, config = question.target, self.config
        at = self.turns.clock.now()
        chain = self.turns.models.chain(config.model or capture.inspection.state.settings.model)
        allowed = TurnLimits(config.rounds, config.seconds, config.calls, config.tokens, config.context_window)
        limits = allowed.of(self.turns.models.limits(chain[0]))
        reading = await self.briefing.reading(question, capture, limits, at)
        captured: dict[type, object] = {CapturePages: reading}
        offered = self.toolbox.offered(ProcessKind.INSPECTION, question.caller.authority, captured)
        tools = for_reader(offered, reads=capture.reads)
        desk = BranchSetup(capture, reading, tools, limits)
        work = await self._work(question, desk, behind)
        messages = (
            (_changed_since(at), work.first) if behind and capture.seen.digest != behind.seen.digest else (work.first,)
        )
        return TurnJob(
            kind=ProcessKind.INSPECTION,
            state=capture.inspection.state,
            trigger=Trigger(messages=messages, at=work.first.at),
            tools=tools,
            origin=CallOrigin(
                key=target.key,
                platform=target.key.channel.partition(":")[0],
                guild_id=target.place.guild_id,
                is_dm=target.place.is_dm,
            ),
            caller=question.caller,
            channels=self.directory,
            limits=replace(allowed, calls=max(0, config.calls - (behind.calls if behind else 0))),
            chain=chain,
            session=question.session,
            behind=behind.progress if behind else None,
            keep=self.keeping.keeper(work, behind),
        )

    async def _work(
        self, question: InspectionQuestion, desk: BranchSetup, behind: CutOffInspection | None
    ) -> InspectionJob:
        """Return what the branch begins with: what it began with before, to the byte, if it goes on."""
        if behind is None:
            envelope = await self.briefing.envelope(question, desk, self.config.tokens)
            return InspectionJob(question, envelope, first_message(question, envelope), desk.capture.seen)
        kept = behind.checkpoint
        envelope = TaskEnvelope(
            task_type=kept.task_type,
            user_request=kept.user_request,
            original_input=question.text,
            context=kept.context,
            tools=tuple(tool.definition for tool in desk.tools),
            artifacts=kept.artifacts,
            session_id=kept.session_id,
            created_at=behind.first.at,
        )
        return InspectionJob(question, envelope, behind.first, behind.seen)

    async def _proofs(self, draft: DraftReport, question: InspectionQuestion, capture: Capture) -> Proofs:
        """Read every record that the model names, as far as it belongs to what was inspected."""
        texts: dict[str, str] = {}
        memories = {
            handle(HandleKind.MEMORY, memory.id): (memory.id, memory.version)
            for memory in capture.inspection.memories
            if not memory.forgotten_at
        }
        reader = RecordReader(frozenset({question.target.key}), question.caller.person)
        for name in draft.handles[:_MAX_HANDLES]:
            record = await self.records.read(name)
            if record is None or record.handle != name:
                continue
            is_about_it = record.key == question.target.key and may_read(reader, record.owner)
            if is_about_it or name in memories:
                texts[name] = plain_times(record.text)
        whole = _whole(capture.shown)
        texts[CONTEXT_NAME] = whole
        if capture.shown.handle:
            texts[capture.shown.handle] = f"{texts.get(capture.shown.handle, '')}\n{whole}"
        for name in draft.handles[:_MAX_HANDLES]:
            if (part := _part(name, capture.shown)) is not None:
                texts[name] = part
        contents = {handle(HandleKind.MEMORY, memory.id): memory.body.content for memory in capture.inspection.memories}
        bulletin = next((one.text for one in capture.shown.sections if one.trace.name == BULLETIN), "")
        return Proofs(texts, memories, self._facts(capture.inspection), contents, bulletin)

    def _facts(self, inspection: ContextCapture) -> dict[str, str]:
        """Describe the memories that were inspected: type, importance, age, author, and where they stand."""
        now = self.turns.clock.now()
        places = {
            name: say("inspection.where-in-section", section=section.name, line=line, lines=len(section.memories))
            for section in inspection.numbers.sections
            for line, name in enumerate(section.memories, 1)
        }
        names = ((handle(HandleKind.MEMORY, memory.id), memory) for memory in inspection.memories)
        nowhere = say("inspection.in-no-section")
        return {name: f"{memory_line(memory, now)} · {places.get(name, nowhere)}" for name, memory in names}


def _resumed(behind: CutOffInspection, capture: Capture) -> str:
    is_same = capture.seen.digest == behind.seen.digest
    return say("inspection.resumed" if is_same else "inspection.resumed-changed", calls=behind.calls)


def _part(name: str, shown: InspectedContext) -> str | None:
    """Return the part of the capture of that name, as the model read it; None where there is none."""
    if not name.startswith(_QUOTABLE):
        return None
    try:
        return text_of(parse(name), shown)
    except ToolError:
        return None


def _changed_since(at: int) -> Message:
    return Message(role=Role.USER, parts=(TextPart(text=render("cortex/changed_since")),), at=at)


def _whole(shown: InspectedContext) -> str:
    tools = (f"{tool.definition.name} {tool.definition.description}" for tool in shown.tools)
    return "\n".join((shown.system_text, *(message_text(m.message) for m in shown.messages), *tools, shown.status))
