"""Answer a question about a channel: the rules at once, and, when it is asked for, a branch's one report afterwards."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from bot.agent.branch import Branch
from bot.cortex import texts
from bot.cortex.buttons import Buttons
from bot.cortex.fixes import Pressed
from bot.cortex.inspection import Branches, Question, Report
from bot.cortex.limits import Slots
from bot.cortex.offers import Said
from bot.cortex.open import Opener
from bot.cortex.post import Post, person_of
from bot.cortex.report import button_labels, findings_text, first_message
from bot.cortex.requeue import Requeue
from bot.cortex.show import BY_MODEL, by_model
from bot.cortex.signing import Signed, Verb
from bot.cortex.target import Target, Targets
from bot.cortex.threads import session_handle
from bot.cortex.waiting import Waiting
from bot.diagnostics.collect import Ask, Collector
from bot.diagnostics.diagnose import diagnose
from bot.domain.access import Caller
from bot.domain.finding import Diagnosis, Finding, ForgetMemory, Session
from bot.domain.handles import HandleKind, handle
from bot.domain.messages import Button
from bot.domain.redaction import Redactor
from bot.domain.text import excerpt, one_line_name
from bot.errors import DeliveryError, UserError
from bot.tasks import Tasks

FOLLOW_SECONDS = 180.0
_MOST_BUTTONS = 4
_VERBS = {
    "Show": Verb.OPEN,
    "Forget": Verb.PREVIEW_FORGET,
    "Resume": Verb.PREVIEW_RESUME,
    "Evidence": Verb.EVIDENCE,
    "Ask": Verb.ASK,
    "All": Verb.CHECKS,
}
"""What a press on a button of the first message asks for, by the first word of its label."""
_ABOUT = frozenset({Verb.EVIDENCE, Verb.ASK, Verb.CHECKS})
"""Verbs that are about the message of the report; whatever arrived since, they must not talk of another."""
_MARKS = {"passed": "✓", "failed": "✗", "not_reached": "·", "not_checkable": "○"}


class Asked(NamedTuple):
    """A question in a session. `about` says which message is meant.

    `unreachable` hears when the branch's report did not reach the asker, who may have closed their direct messages.
    """

    session: Session
    caller: Caller
    target: Target
    about: Ask
    text: str = ""
    focus: str = ""
    unreachable: Callable[[DeliveryError], Awaitable[None]] | None = None


@dataclass(frozen=True)
class InquiryDesk:
    """What answering needs."""

    collector: Collector
    branches: Branches
    slots: Slots
    buttons: Buttons
    opener: Opener
    waiting: Waiting
    requeue: Requeue
    post: Post
    targets: Targets
    redactor: Redactor
    tasks: Tasks


class Inquiry:
    """Diagnoses, speaks, inspects."""

    def __init__(self, desk: InquiryDesk) -> None:
        self._desk = desk

    async def diagnosis(self, target: Target, about: Ask) -> Diagnosis:
        """Ask the rules; no model, no lock, nothing changes."""
        return diagnose(await self._desk.collector.collect(target.key, target.name, about))

    async def tell(self, session: Session, caller: Caller, target: Target, diagnosis: Diagnosis) -> None:
        """Send the first message of an answer."""
        text = first_message(diagnosis, session_handle(session), caller.authority)
        await self._desk.post.say(session, text, self._offers(session, diagnosis))

    def inspect(self, asked: Asked, diagnosis: Diagnosis) -> None:
        """Start a branch in the background; raise UserError when another one has to end first."""
        self._desk.slots.take(asked.caller.person, asked.target.key)
        self._desk.tasks.spawn(f"inspect {asked.target.key}", self._inspect(asked, diagnosis))

    async def pressed(self, signed: Signed, session: Session, target: Target) -> Pressed:
        """Take the presses that read, ask or answer; the presser was checked."""
        about = Ask(inbound=signed.argument if signed.verb in _ABOUT else 0)
        match signed.verb:
            case Verb.CHECKS:
                return Pressed("", session, Said(_all_checks(await self.diagnosis(target, about))))
            case Verb.EVIDENCE:
                return Pressed("", session, Said(await self._evidence(session, await self.diagnosis(target, about))))
            case Verb.ASK:
                self.inspect(self._asked(session, target, about), await self.diagnosis(target, about))
                return Pressed(texts.UNDER_WAY)
            case Verb.ANSWER:
                return await self._answer(session, target, signed.argument)
            case _:
                raise UserError("That button does nothing any more.")

    async def _inspect(self, asked: Asked, diagnosis: Diagnosis) -> None:
        branch, post = self._desk.branches.branch(), self._desk.post
        try:
            said = await self._found(asked, diagnosis, branch)
            failed = await post.report(asked.session, branch, said.text, said.buttons)
            if failed is not None and asked.unreachable is not None:
                await asked.unreachable(failed)
        except asyncio.CancelledError:
            # the bot is stopping; sending ends last, so the one report that is owed still goes out
            if not branch.reported:
                await post.report(asked.session, branch, texts.CUT_OFF)
            raise
        finally:
            self._desk.slots.release(asked.caller.person, asked.target.key)

    async def _found(self, asked: Asked, diagnosis: Diagnosis, branch: Branch) -> Said:
        question = Question(asked.caller, asked.target, asked.session.id, asked.text, asked.focus, diagnosis)
        said = self._reported(asked.session, await self._desk.branches.report(question, branch))
        if await self._desk.targets.may_inspect(asked.caller.person, asked.target):
            return said
        return Said("The inspection has ended. You may not inspect that channel any more: its report is withheld.")

    def _reported(self, session: Session, report: Report) -> Said:
        conclusion, redactor = report.conclusion, self._desk.redactor
        if conclusion.kind != "conclusion":
            word = "ran out of time" if conclusion.kind == "timeout" else "failed"
            reason = excerpt(redactor.redact(conclusion.text).text, 300)
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

    def _fixes_of(self, session: Session, findings: Sequence[Finding]) -> tuple[Button, ...]:
        rows = dict.fromkeys(f.fix.memory for f in findings if isinstance(f.fix, ForgetMemory))
        return tuple(self._forget(session, row) for row in list(rows)[:_MOST_BUTTONS])

    def _forget(self, session: Session, row: int) -> Button:
        return self._desk.buttons.row(session, Verb.PREVIEW_FORGET, f"Forget {handle(HandleKind.MEMORY, row)}…", row)

    def _offers(self, session: Session, diagnosis: Diagnosis) -> tuple[Button, ...]:
        fix = diagnosis.findings[0].fix if diagnosis.findings else None
        row = fix.memory if isinstance(fix, ForgetMemory) else 0
        named = ((label, _VERBS[label.partition(" ")[0]]) for label in button_labels(diagnosis))
        return tuple(
            self._desk.buttons.opens(session, label, HandleKind.MEMORY, row)
            if verb is Verb.OPEN
            else self._desk.buttons.row(session, verb, label, diagnosis.inbound if verb in _ABOUT else row)
            for label, verb in named
        )

    async def _evidence(self, session: Session, diagnosis: Diagnosis) -> str:
        names = dict.fromkeys(ref.handle for finding in diagnosis.findings for ref in finding.evidence)
        pages = [await self._desk.opener.open(person_of(session), name) for name in list(names)[:_MOST_BUTTONS]]
        return "\n\n".join(page for page in pages if page) or "There is no evidence to open: nothing is wrong now."

    def _asked(self, session: Session, target: Target, about: Ask) -> Asked:
        caller = self._desk.targets.caller(person_of(session), session.body.actor_name)
        return Asked(session, caller, target, about)

    async def _answer(self, session: Session, target: Target, row: int) -> Pressed:
        stored = await self._desk.waiting.open(row)
        if stored is None or stored.key != target.key:
            return Pressed("That message waits no more. Nothing was done.")
        queued = await self._desk.requeue(row)
        if not queued:
            return Pressed("That message cannot be answered any more, or is being answered already.")
        self._desk.tasks.spawn(f"follow {queued}", self._follow(session, queued))
        name = handle(HandleKind.INBOUND, row)
        return Pressed("", session, Said(f"{name} gets its turn now. Its outcome comes here."))

    async def _follow(self, session: Session, row: int) -> None:
        line = await self._desk.waiting.follow(row, FOLLOW_SECONDS)
        await self._desk.post.try_to_say(session, line)


def _all_checks(diagnosis: Diagnosis) -> str:
    lines = [f"All checks of {one_line_name(diagnosis.channel_name, 40)}"]
    for check in diagnosis.checks:
        detail = f": {excerpt(check.detail, 120)}" if check.detail else ""
        state = check.state.replace("_", " ")
        lines.append(f"{_MARKS[check.state]} {check.stage.name.lower()} · {check.name} {state}{detail}")
    return "\n".join(lines)
