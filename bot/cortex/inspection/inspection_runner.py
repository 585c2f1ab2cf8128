"""Send branches out, one after the other and never too many, and bring back their one report, also after a restart."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from bot.agent.processes.branch import Branch
from bot.cortex.fixes.fix_runner import PressResult
from bot.cortex.fixes.offers import ThreadReply
from bot.cortex.inspection.inspection_branch import InspectionBranchRunner, InspectionReport
from bot.cortex.inspection.inspection_briefing import InspectionQuestion
from bot.cortex.inspection.inspection_checkpoints import CutOffInspection, InspectionCheckpoints
from bot.cortex.inspection.inspection_slots import InspectionSlots
from bot.cortex.inspection.next_steps import PriceOfTokens, after_inspection, steps_text
from bot.cortex.inspection.verify_findings import VerifiedFindings
from bot.cortex.sessions.button_signing import ButtonVerb
from bot.cortex.sessions.buttons import ButtonFactory
from bot.cortex.sessions.thread_poster import ThreadPoster
from bot.cortex.targets.target_resolver import TargetChannel, TargetResolver
from bot.cortex.words.quoting import by_model
from bot.cortex.words.report import findings_text
from bot.diagnostics.collect.collector import EvidenceQuery
from bot.domain.access import Caller
from bot.domain.finding import Diagnosis, Finding, ForgetMemory, StoredSession
from bot.domain.handles import HandleKind, handle
from bot.domain.messages import Button
from bot.errors import DamagedRow, DeliveryError, UserError
from bot.runtime.tasks import TaskSupervisor
from bot.sentences import say
from bot.task_prompt.checkpoint import TaskState
from bot.text.redaction import Redactor
from bot.text.text import quote_line

MAX_FIX_BUTTONS = 4


class SessionQuestion(NamedTuple):
    """A question in a session. `about` says which message is meant.

    `unreachable` hears when the branch's report did not reach the asker, who may have closed their direct messages.
    """

    session: StoredSession
    caller: Caller
    target: TargetChannel
    about: EvidenceQuery
    text: str = ""
    focus: str = ""
    unreachable: Callable[[DeliveryError], Awaitable[None]] | None = None


@dataclass(frozen=True, kw_only=True, eq=False)
class InspectionRunner:
    """Starts inspections, goes on with those that were cut off, and sends each one's report."""

    branches: InspectionBranchRunner
    keeping: InspectionCheckpoints
    slots: InspectionSlots
    buttons: ButtonFactory
    post: ThreadPoster
    targets: TargetResolver
    redactor: Redactor
    tasks: TaskSupervisor
    price: PriceOfTokens
    most_tokens: int

    async def inspect(self, asked: SessionQuestion, diagnosis: Diagnosis) -> None:
        """Start a branch in the background; raise UserError when another one has to end first.

        Returns when it is on record that a report is owed, so that no kill loses one.
        """
        self.slots.take(asked.caller.person, asked.target.key)
        await self._start(asked, diagnosis)

    async def _start(
        self, asked: SessionQuestion, diagnosis: Diagnosis, behind: CutOffInspection | None = None
    ) -> None:
        branch = self.branches.branch()
        work = self._inspect(asked, diagnosis, branch, behind)
        # a model may have begun it, whose words are English; the report is for a person
        with self.post.speaking_to(asked.caller.person):
            task = self.tasks.spawn(f"inspect {asked.target.key}", work)
        # also where it was stopped before its first step, so that nobody waits for what does not come
        task.add_done_callback(lambda _: branch.opened.set())
        await branch.opened.wait()

    async def cut_off(self, session: StoredSession, turn: int) -> ThreadReply:
        """Say that an inspection was cut off, with an offer to go on if enough of it is kept."""
        try:
            behind = await self.keeping.find(turn)
        except (UserError, DamagedRow) as error:
            return ThreadReply(f"{say('cortex.cut-off')}\n{error}")
        if behind is None:
            return ThreadReply(say("cortex.cut-off"))
        button = self.buttons.row(session, ButtonVerb.GO_ON, say("inspection.go-on"), turn)
        return ThreadReply(f"{say('cortex.cut-off')}\n{say('cortex.may-go-on')}", (button,))

    async def left_behind(self, turn: int) -> CutOffInspection | None:
        """Return an inspection that can go on; raise UserError that says why it cannot, None where it need not."""
        return await self.keeping.find(turn)

    async def go_on(self, asked: SessionQuestion, behind: CutOffInspection, diagnosis: Diagnosis) -> PressResult:
        """Take an inspection up where it was cut off, once; raise UserError when another one has to end first."""
        person, target = asked.caller.person, asked.target
        self.slots.take(person, target.key)
        try:
            if not await self.keeping.take_up(behind):
                self.slots.release(person, target.key)
                return PressResult(say("cortex.no-more-to-resume"))
        except BaseException:
            self.slots.release(person, target.key)
            raise
        await self._start(asked, diagnosis, behind)
        return PressResult(say("cortex.goes-on"))

    async def _inspect(
        self, asked: SessionQuestion, diagnosis: Diagnosis, branch: Branch, behind: CutOffInspection | None
    ) -> None:
        post = self.post
        try:
            question = InspectionQuestion(
                asked.caller, asked.target, asked.session.id, asked.text, asked.focus, diagnosis
            )
            report = await self.branches.report(question, branch, behind)
            said = await self._found(asked, report)
            failed = await post.report(asked.session, branch, said)
            await self.branches.over(branch, report.conclusion)
            if failed is not None and asked.unreachable is not None:
                await asked.unreachable(failed)
        except asyncio.CancelledError:
            # the bot is stopping; sending ends last, so the one report that is owed still goes out
            if not branch.reported:
                await self.keeping.over(branch.number, TaskState.INTERRUPTED)
                said = await self.cut_off(asked.session, branch.number)
                await post.report(asked.session, branch, said)
            raise
        finally:
            self.slots.release(asked.caller.person, asked.target.key)

    async def _found(self, asked: SessionQuestion, report: InspectionReport) -> ThreadReply:
        said = self._reported(asked.session, report)
        if await self.targets.may_inspect(asked.caller.person, asked.target):
            return said
        return ThreadReply(say("inspection.withheld"))

    def _reported(self, session: StoredSession, report: InspectionReport) -> ThreadReply:
        said = self._outcome(session, report)
        return said._replace(text=f"{report.resumed}\n{said.text}") if report.resumed else said

    def _outcome(self, session: StoredSession, report: InspectionReport) -> ThreadReply:
        conclusion, redactor = report.conclusion, self.redactor
        if conclusion.kind != "conclusion":
            ended = "inspection.timed-out" if conclusion.kind == "timeout" else "inspection.failed"
            reason = quote_line(redactor.redact(conclusion.text).text, 300)
            return ThreadReply(f"{say(ended, why=reason)}\n{say('inspection.rules-stand')}")
        if report.verified is None:
            heads = (say("inspection.no-findings"), say("quoting.by-model"))
            words = by_model(report.unverified, redactor)
            return ThreadReply("\n".join((*heads, words)) + self._further(None))
        verified = report.verified
        lines = [findings_text(verified.findings) if verified.findings else say("inspection.nothing-further")]
        lines += verified.dropped
        if verified.summary:
            lines += [say("quoting.summary-by-model"), by_model(verified.summary, redactor, 600)]
        text = "\n".join(lines) + self._further(verified)
        return ThreadReply(text, self._fixes_of(session, verified.findings))

    def _further(self, verified: VerifiedFindings | None) -> str:
        """Write what can be tried next below a report that decides nothing; empty below any other."""
        further = steps_text(after_inspection(verified, self.most_tokens), self.price)
        return f"\n\n{further}" if further else ""

    def _fixes_of(self, session: StoredSession, findings: Sequence[Finding]) -> tuple[Button, ...]:
        rows = dict.fromkeys(f.fix.memory for f in findings if isinstance(f.fix, ForgetMemory))
        return tuple(self._forget(session, row) for row in list(rows)[:MAX_FIX_BUTTONS])

    def _forget(self, session: StoredSession, row: int) -> Button:
        label = say("report.forget", handle=handle(HandleKind.MEMORY, row))
        return self.buttons.row(session, ButtonVerb.PREVIEW_FORGET, label, row)
