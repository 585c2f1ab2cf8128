"""Tell a branch what it is asked, with what bears on the question out of a frozen capture, cut to its own window."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from bot.agent.turn.answering import ToolOffer, context_ask
from bot.context.builder import ContextBuilder
from bot.context.tokens import Count, count_function
from bot.context.transcript import ParsedMessage, join_header, utc
from bot.cortex.inspection.context_probe import LastContext
from bot.cortex.pages.context_capture import Capture
from bot.cortex.targets.target_resolver import TargetChannel
from bot.domain.access import Caller
from bot.domain.channel import ProcessKind
from bot.domain.finding import Diagnosis
from bot.domain.ids import UserId
from bot.domain.messages import Author, Message, Role, TextPart
from bot.domain.snapshot import ContextSnapshot, ModelLimits, Trigger
from bot.inspect.capture.left_out import left_out
from bot.prompts import render
from bot.task_prompt.added_pieces import NO_PIECES, AddedPieces
from bot.task_prompt.compress import compress
from bot.task_prompt.compressed_context import CompressedContext, ExclusionReason
from bot.task_prompt.gatherers import GatherGrounds, gather_for
from bot.task_prompt.paged_capture import ReadingRoom
from bot.task_prompt.prepare import ChunkRedactor, prepare
from bot.task_prompt.prioritise import prioritise
from bot.task_prompt.prompt import build_prompt, frame_tokens
from bot.task_prompt.run_gatherers import GatheredChunks, log_compressed
from bot.task_prompt.task import TaskBrief, classify
from bot.task_prompt.task_envelope import TaskArtifact, TaskEnvelope
from bot.task_prompt.token_budget import TokenBudget
from bot.text.text import quote_line
from bot.text.times import plain_times
from bot.tools.runtime.tool import Tool

_EXPECTED_ROUNDS = 10
"""The first message goes out in every round: it takes no more than this part of the tokens that a question may cost."""
FOCUSES = {
    "memory_influence": "which memories stand in the prompt, and how they change what the bot does",
    "compaction_state": "how full the context is, what was dropped or summarised, and what was lost by it",
    "tool_availability": "which tools the model has, which it lacks, and whether it used them well",
    "recent_history": "what was said and answered lately, and what the model made of it",
    "silence": "why the bot does not answer: what in the prompt or the history tells it to be silent",
}
USUAL_QUESTION = "Why does the bot behave like this here, and what in its context causes it?"


class InspectionQuestion(NamedTuple):
    """What is to be found out. The diagnosis is what the rules said already."""

    caller: Caller
    target: TargetChannel
    session: int
    text: str
    focus: str
    diagnosis: Diagnosis

    @property
    def words(self) -> str:
        """The question, or what stands for it."""
        return self.text or focus_line(self.focus) or USUAL_QUESTION


class BranchSetup(NamedTuple):
    """What a branch works with: what was captured, how it reads that, its tools, and what its model can hold."""

    capture: Capture
    reading: ReadingRoom
    tools: Sequence[Tool]
    limits: ModelLimits


@dataclass(frozen=True)
class InspectionBriefing:
    """Opens captures for branches, and chooses what of one a branch begins with."""

    contexts: ContextBuilder
    redactor: ChunkRedactor
    last: LastContext
    added: AddedPieces = NO_PIECES

    async def reading(
        self, question: InspectionQuestion, capture: Capture, limits: ModelLimits, at: int
    ) -> ReadingRoom:
        """Open a capture for a process whose model has these limits; `at` is UTC ms."""

        async def measure(snapshot: ContextSnapshot) -> int:
            return (await self.contexts.measured(snapshot)).stats.total

        task = TaskBrief(task_type=classify(question.words), request=question.words, at=at, budget=limits.window)
        count = count_function(await self.contexts.tokenizer(limits), self.contexts.counter)
        return ReadingRoom(capture.shown, task, self.redactor, count, measure)

    async def envelope(self, question: InspectionQuestion, desk: BranchSetup, tokens: int) -> TaskEnvelope:
        """Gather and choose; raise UserError when not even the question fits.

        `tokens` is what the whole question may cost, uncached. The envelope has no name until its turn has one.
        """
        reading = desk.reading
        bare = TaskEnvelope(
            task_type=reading.task.task_type,
            user_request=_request(question, desk.capture, ""),
            original_input=question.text,
            tools=tuple(tool.definition for tool in desk.tools),
            artifacts=(_artifact(desk.capture),),
            session_id="",
            created_at=reading.task.at,
            token_budget=TokenBudget(total=desk.limits.window),
        )
        task = reading.task.replace(budget=await self._room(question, desk, bare, tokens))
        grounds = GatherGrounds(capture=desk.capture.shown, about=question.diagnosis.inbound)
        gathered = await gather_for(task, grounds, added=self.added.gatherers)
        # counting and cutting a long history takes a while: others may go on meanwhile
        context = await asyncio.to_thread(_chosen, gathered, task, self.redactor, reading.count, self.added)
        log_compressed(context, len(gathered.chunks))
        self.last.context = context
        request = _request(question, desk.capture, _missing(context))
        return bare.replace(context=context, user_request=request)

    async def _room(self, question: InspectionQuestion, desk: BranchSetup, bare: TaskEnvelope, tokens: int) -> int:
        """Say what the context may hold: half of what is left, as the other half is for reading on."""
        trigger = Trigger(messages=(first_message(question, bare),), at=bare.created_at)
        state = desk.capture.inspection.state.replace(turns=(), ambient=(), last=None)
        ask = context_ask(ProcessKind.INSPECTION, state, trigger, ToolOffer(tuple(desk.tools)), desk.limits)
        stats = (await self.contexts.snapshot(ask, exact=True)).stats
        frame, request = await asyncio.to_thread(frame_tokens, bare, desk.reading.count)
        fixed = stats.system_prompt + stats.tools + stats.overhead + frame
        return min(bare.token_budget.context_room(fixed, request) // 2, max(1, tokens // _EXPECTED_ROUNDS))


def first_message(question: InspectionQuestion, envelope: TaskEnvelope) -> Message:
    """Write the message that a branch begins with, in the name of whoever asked."""
    user, at = question.caller.person.user_id, envelope.created_at
    header: dict[str, object] = {"at": utc(at), "from": "admin", "id": user}
    text = join_header(ParsedMessage(header, build_prompt(envelope)))
    return Message(
        role=Role.USER, parts=(TextPart(text=text),), author=Author(user_id=UserId(user), name="admin"), at=at
    )


def _chosen(
    gathered: GatheredChunks, task: TaskBrief, redactor: ChunkRedactor, count: Count, added: AddedPieces
) -> CompressedContext:
    prepared = prepare(gathered.chunks, redactor, count)
    excluded = (*gathered.excluded, *prepared.excluded)
    return compress(prioritise(prepared.chunks, task, added.every), task.budget, count, excluded)


def _missing(context: CompressedContext) -> str:
    """Name what the branch can still read: what had no room, or of which only a part did."""
    reading = [exclusion.source for exclusion in context.excluded if exclusion.reason is ExclusionReason.NO_BUDGET]
    return left_out((*reading, *(cut.source for cut in context.truncated)))


def _request(question: InspectionQuestion, capture: Capture, missing: str) -> str:
    return render(
        "cortex/question",
        channel=question.target.name,
        channel_id=question.target.key.channel,
        question=question.text or USUAL_QUESTION,
        focus=focus_line(question.focus),
        diagnosis=plain_times("\n".join(_lines(question.diagnosis)))
        or "nothing is wrong, as far as the rules can tell",
        exactness=capture.shown.note,
        missing=missing,
    )


def _lines(diagnosis: Diagnosis) -> Sequence[str]:
    lines = list(diagnosis.summary)
    for finding in diagnosis.findings:
        lines.append(f"{finding.rule} ({finding.confidence.value}): {finding.verdict}")
        lines += [f"  {line}" for line in finding.why]
        lines += [f"  {reference.handle}: {reference.what}" for reference in finding.evidence]
    return lines


def _artifact(capture: Capture) -> TaskArtifact:
    """Name what was captured, with the hash of its bytes."""
    shown = capture.shown
    return TaskArtifact(
        type="capture", path=f"{shown.key} {shown.which.value} {shown.digest}", sha256=shown.written.wire_sha256
    )


def focus_line(focus: str) -> str:
    """Return the sentence of a focus; free text stays what it is, on one line."""
    return FOCUSES.get(focus, quote_line(focus, 300))
