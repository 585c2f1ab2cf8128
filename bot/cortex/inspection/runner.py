"""Send branches out, one after the other and never too many, and bring back their one report, also after a restart."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from bot.agent.processes.branch import Branch
from bot.cortex.fixes.fixes import Pressed
from bot.cortex.fixes.offers import Said
from bot.cortex.inspection.branch import Branches, Report
from bot.cortex.inspection.briefing import Question
from bot.cortex.inspection.checkpoints import CutOff, Keeping
from bot.cortex.inspection.slots import Slots
from bot.cortex.sessions.buttons import Buttons
from bot.cortex.sessions.post import Post
from bot.cortex.sessions.signing import Verb
from bot.cortex.targets import texts
from bot.cortex.targets.targets import Target, Targets
from bot.cortex.words.quoting import BY_MODEL, by_model
from bot.cortex.words.report import findings_text
from bot.diagnostics.collect.collector import Ask
from bot.domain.access import Caller
from bot.domain.finding import Diagnosis, Finding, ForgetMemory, StoredSession
from bot.domain.handles import HandleKind, handle
from bot.domain.messages import Button
from bot.errors import DamagedRow, DeliveryError, UserError
from bot.runtime.tasks import TaskSupervisor
from bot.task_prompt.checkpoint import TaskState
from bot.text.redaction import Redactor
from bot.text.text import quote_line

MOST_BUTTONS = 4


class Asked(NamedTuple):
    """A question in a session. `about` says which message is meant.

    `unreachable` hears when the branch's report did not reach the asker, who may have closed their direct messages.
    """

    session: StoredSession
    caller: Caller
    target: Target
    about: Ask
    text: str = ""
    focus: str = ""
    unreachable: Callable[[DeliveryError], Awaitable[None]] | None = None


@dataclass(frozen=True, kw_only=True, eq=False)
class Inspecting:
    """Starts inspections, goes on with those that were cut off, and sends each one's report."""

    branches: Branches
    keeping: Keeping
    slots: Slots
    buttons: Buttons
    post: Post
    targets: Targets
    redactor: Redactor
    tasks: TaskSupervisor

    async def inspect(self, asked: Asked, diagnosis: Diagnosis) -> None:
        """Start a branch in the background; raise UserError when another one has to end first.

        Returns when it is on record that a report is owed, so that no kill loses one.
        """
        self.slots.take(asked.caller.person, asked.target.key)
        await self._start(asked, diagnosis)

    async def _start(self, asked: Asked, diagnosis: Diagnosis, behind: CutOff | None = None) -> None:
        branch = self.branches.branch()
        work = self._inspect(asked, diagnosis, branch, behind)
        task = self.tasks.spawn(f"inspect {asked.target.key}", work)
        # also where it was stopped before its first step, so that nobody waits for what does not come
        task.add_done_callback(lambda _: branch.opened.set())
        await branch.opened.wait()

    async def cut_off(self, session: StoredSession, turn: int) -> Said:
        """Say that an inspection was cut off, with an offer to go on if enough of it is kept."""
        try:
            behind = await self.keeping.find(turn)
        except (UserError, DamagedRow) as error:
            return Said(f"{texts.CUT_OFF}\n{error}")
        if behind is None:
            return Said(texts.CUT_OFF)
        button = self.buttons.row(session, Verb.GO_ON, "Go on", turn)
        return Said(f"{texts.CUT_OFF}\n{texts.MAY_GO_ON}", (button,))

    async def left_behind(self, turn: int) -> CutOff | None:
        """Return an inspection that can go on; raise UserError that says why it cannot, None where it need not."""
        return await self.keeping.find(turn)

    async def go_on(self, asked: Asked, behind: CutOff, diagnosis: Diagnosis) -> Pressed:
        """Take an inspection up where it was cut off, once; raise UserError when another one has to end first."""
        person, target = asked.caller.person, asked.target
        self.slots.take(person, target.key)
        try:
            if not await self.keeping.take_up(behind):
                self.slots.release(person, target.key)
                return Pressed(texts.NO_MORE_TO_RESUME)
        except BaseException:
            self.slots.release(person, target.key)
            raise
        await self._start(asked, diagnosis, behind)
        return Pressed(texts.GOES_ON)

    async def _inspect(self, asked: Asked, diagnosis: Diagnosis, branch: Branch, behind: CutOff | None) -> None:
        post = self.post
        try:
            question = Question(asked.caller, asked.target, asked.session.id, asked.text, asked.focus, diagnosis)
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

    async def _found(self, asked: Asked, report: Report) -> Said:
        said = self._reported(asked.session, report)
        if await self.targets.may_inspect(asked.caller.person, asked.target):
            return said
        return Said("The inspection has ended. You may not inspect that channel any more: its report is withheld.")

    def _reported(self, session: StoredSession, report: Report) -> Said:
        said = self._outcome(session, report)
        return said._replace(text=f"{report.resumed}\n{said.text}") if report.resumed else said

    def _outcome(self, session: StoredSession, report: Report) -> Said:
        conclusion, redactor = report.conclusion, self.redactor
        if conclusion.kind != "conclusion":
            word = "ran out of time" if conclusion.kind == "timeout" else "failed"
            reason = quote_line(redactor.redact(conclusion.text).text, 300)
            return Said(f"The inspection {word}: {reason}\nWhat the rules found above stands; it needs no model.")
        if report.verified is None:
            head = "The branch did not answer in findings. Its words, not checked against any record:"
            return Said(f"{head}\n{BY_MODEL}\n{by_model(report.unverified, redactor)}")
        verified = report.verified
        lines = [findings_text(verified.findings)] if verified.findings else ["The branch proved nothing further."]
        lines += verified.dropped
        if verified.summary:
            lines += [f"Summary. {BY_MODEL}", by_model(verified.summary, redactor, 600)]
        return Said("\n".join(lines), self._fixes_of(session, verified.findings))

    def _fixes_of(self, session: StoredSession, findings: Sequence[Finding]) -> tuple[Button, ...]:
        rows = dict.fromkeys(f.fix.memory for f in findings if isinstance(f.fix, ForgetMemory))
        return tuple(self._forget(session, row) for row in list(rows)[:MOST_BUTTONS])

    def _forget(self, session: StoredSession, row: int) -> Button:
        return self.buttons.row(session, Verb.PREVIEW_FORGET, f"Forget {handle(HandleKind.MEMORY, row)}…", row)
