"""Send a branch that can only read over one frozen context, and turn what it writes into one report."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import structlog

from bot.agent.branch import Branch, Conclusion
from bot.agent.turn import TurnJob, TurnLimits, Turns
from bot.config.schema import CortexConfig
from bot.context.inspected import InspectedContext
from bot.context.inspection import Inspection
from bot.context.transcript import Headed, join, utc
from bot.cortex.draft import Draft, read_draft
from bot.cortex.focus import USUAL_QUESTION, focus_line
from bot.cortex.looking import Capture, Looking
from bot.cortex.preview import memory_line
from bot.cortex.records import Records, message_text
from bot.cortex.target import Target
from bot.cortex.verify import Records as Proofs
from bot.cortex.verify import Verified, verify
from bot.domain.access import Caller
from bot.domain.channel import ProcessKind
from bot.domain.finding import Diagnosis
from bot.domain.handles import HandleKind, handle
from bot.domain.ids import UserId
from bot.domain.messages import Author, Message, Role, Text
from bot.domain.snapshot import Trigger
from bot.errors import DamagedRow, StoreError, UserError
from bot.ports.channels import ChannelDirectory
from bot.prompts import render
from bot.tools.tool import Origin
from bot.tools.toolbox import Toolbox

log = structlog.get_logger(__name__)

GRACE = 5.0
"""Seconds beyond the branch's own wall clock after which it is given up from outside."""


CONTEXT = "context"
"""What the branch calls the capture itself, which has no handle before it is sent."""


class Question(NamedTuple):
    """What is to be found out. The diagnosis is what the rules said already."""

    caller: Caller
    target: Target
    session: int
    text: str
    focus: str
    diagnosis: Diagnosis


class Report(NamedTuple):
    """The one report of an inspection: what was proven, the model's bare text, or why there is nothing."""

    conclusion: Conclusion
    verified: Verified | None = None
    unverified: str = ""


@dataclass(frozen=True)
class BranchServices:
    """What inspections need."""

    turns: Turns
    toolbox: Toolbox
    directory: ChannelDirectory
    looking: Looking
    records: Records
    config: CortexConfig


class Branches:
    """Runs inspections; each comes to exactly one Report, whatever the model does."""

    def __init__(self, services: BranchServices) -> None:
        self._services = services

    def branch(self) -> Branch:
        """Return what one inspection thinks with; who reports ends it, in the same transaction."""
        return Branch(self._services.turns)

    async def report(self, question: Question, branch: Branch) -> Report:
        """Capture, ask, check. Raises nothing but CancelledError and StoreError."""
        seconds = self._services.config.seconds
        try:
            async with asyncio.timeout(seconds + GRACE):
                return await self._report(question, branch)
        except TimeoutError:
            return Report(Conclusion("timeout", f"no conclusion within {seconds:g} s"))
        except (UserError, DamagedRow) as error:
            return Report(Conclusion("failure", str(error)))
        except StoreError:
            raise
        except Exception as error:  # whatever breaks, the admin gets the one report that says so
            log.error("inspection_broke", error_type=type(error).__name__, exc_info=error)
            return Report(Conclusion("failure", f"something in me failed: {type(error).__name__}"))

    async def _report(self, question: Question, branch: Branch) -> Report:
        # captured and cut to what this reader may see before the branch exists, so that looking leaves no trace
        capture = await self._services.looking.present(question.caller, question.target)
        conclusion = await branch.conclude(self._job(question, capture))
        if conclusion.kind != "conclusion":
            return Report(conclusion)
        draft = read_draft(conclusion.text)
        if draft is None:
            return Report(conclusion, unverified=conclusion.text)
        proofs = await self._proofs(draft, question, capture)
        return Report(conclusion, verify(draft, proofs, question.diagnosis))

    def _job(self, question: Question, capture: Capture) -> TurnJob:
        services, target, config = self._services, question.target, self._services.config
        at = services.turns.clock.now()
        captured: dict[type, object] = {InspectedContext: capture.shown}
        return TurnJob(
            kind=ProcessKind.INSPECTION,
            state=capture.inspection.state,
            trigger=Trigger(messages=(_message(question, capture.shown, at),), at=at),
            tools=services.toolbox.offered(ProcessKind.INSPECTION, question.caller.authority, captured),
            origin=Origin(
                key=target.key,
                platform=target.key.channel.partition(":")[0],
                guild_id=target.place.guild_id,
                is_dm=target.place.is_dm,
            ),
            caller=question.caller,
            channels=services.directory,
            limits=TurnLimits(rounds=config.rounds, seconds=config.seconds, calls=config.calls, tokens=config.tokens),
            chain=services.turns.models.chain(config.model or capture.inspection.state.settings.model),
            session=question.session,
        )

    async def _proofs(self, draft: Draft, question: Question, capture: Capture) -> Proofs:
        """Read every record that the model names, as far as it belongs to what was inspected."""
        texts: dict[str, str] = {}
        memories = {
            handle(HandleKind.MEMORY, memory.id): (memory.id, memory.version)
            for memory in capture.inspection.memories
            if not memory.forgotten_at
        }
        for name in draft.handles[:60]:
            record = await self._services.records.read(name)
            if record is not None and record.handle == name and (record.key == question.target.key or name in memories):
                texts[name] = record.text
        whole = _whole(capture.shown)
        texts[CONTEXT] = whole
        if capture.shown.handle:
            texts[capture.shown.handle] = f"{texts.get(capture.shown.handle, '')}\n{whole}"
        return Proofs(texts, memories, self._facts(capture.inspection))

    def _facts(self, inspection: Inspection) -> dict[str, str]:
        """Describe the memories that were inspected: type, importance, age, author, and where they stand."""
        now = self._services.turns.clock.now()
        places = {
            name: f"section {section.name}, line {line} of {len(section.memories)}"
            for section in inspection.numbers.sections
            for line, name in enumerate(section.memories, 1)
        }
        names = ((handle(HandleKind.MEMORY, memory.id), memory) for memory in inspection.memories)
        return {name: f"{memory_line(memory, now)} · {places.get(name, 'in no section')}" for name, memory in names}


def _message(question: Question, shown: InspectedContext, at: int) -> Message:
    text = render(
        "cortex/question",
        channel=question.target.name,
        channel_id=question.target.key.channel,
        question=question.text or USUAL_QUESTION,
        focus=focus_line(question.focus),
        diagnosis="\n".join(_lines(question.diagnosis)) or "nothing is wrong, as far as the rules can tell",
        exactness=shown.note,
    )
    person = question.caller.person
    header: dict[str, object] = {"at": utc(at), "from": "admin", "id": person.user_id}
    author = Author(user_id=UserId(person.user_id), name="admin")
    return Message(role=Role.USER, parts=(Text(text=join(Headed(header, text))),), author=author, at=at)


def _lines(diagnosis: Diagnosis) -> Sequence[str]:
    lines = list(diagnosis.summary)
    for finding in diagnosis.findings:
        lines.append(f"{finding.rule} ({finding.confidence.value}): {finding.verdict}")
        lines += [f"  {line}" for line in finding.why]
        lines += [f"  {reference.handle}: {reference.what}" for reference in finding.evidence]
    return lines


def _whole(shown: InspectedContext) -> str:
    tools = (f"{tool.definition.name} {tool.definition.description}" for tool in shown.tools)
    return "\n".join((shown.system_text, *(message_text(m.message) for m in shown.messages), *tools, shown.status))
