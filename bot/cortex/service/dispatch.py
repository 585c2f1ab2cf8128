"""Answer typed commands; everything here only reads, or offers."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from bot.cortex.commands import parser
from bot.cortex.commands.parser import Command
from bot.cortex.doctor import doctor
from bot.cortex.doctor.doctor import Patients
from bot.cortex.fixes.offers import Offering, Said
from bot.cortex.fixes.privacy import Privacy
from bot.cortex.pages import ledger_page
from bot.cortex.pages.capture import Looking
from bot.cortex.pages.compaction_page import CompactionList
from bot.cortex.pages.gap_page import Gaps, turn_meant
from bot.cortex.pages.memory_audit import MemoryAudit
from bot.cortex.pages.skill_page import SkillPages
from bot.cortex.pages.tracing import Tracing
from bot.cortex.pages.usage_page import Views
from bot.cortex.targets import texts
from bot.cortex.targets.records import audit_line
from bot.cortex.targets.talk import Talk
from bot.cortex.targets.targets import Target, key_of
from bot.cortex.targets.tool_page import ToolPages, work_page
from bot.domain.access import Authority
from bot.domain.channel import ProcessKind
from bot.domain.handles import parse_handle
from bot.domain.ids import UserId, platform_of
from bot.domain.ledger import GateVerdict
from bot.domain.memory import Memory
from bot.domain.messages import Author, File, Inbound
from bot.domain.record_access import may_read, of_process
from bot.domain.snapshot import Which
from bot.errors import UserError
from bot.ports.clock import Clock
from bot.ports.store import Store
from bot.text.redaction import Redactor
from bot.text.text import one_line_name, quote_line

WouldPass = Callable[[Inbound], tuple[GateVerdict, ...]]
"""Ask every gate about a message that did not arrive."""

Offered = parser.Recording | parser.ForgetUser | parser.Diff | parser.Cache | parser.Find | parser.This
_AUDITED = 20
_LOOK_BACK = 200
_NUMBER = re.compile(r"<@!?(\d{1,20})>|(\d{1,20})")


@dataclass(frozen=True, kw_only=True, eq=False)
class Answers:
    """One method for each kind of command."""

    store: Store
    clock: Clock
    looking: Looking
    views: Views
    tracing: Tracing
    offering: Offering
    compactions: CompactionList
    memories: MemoryAudit
    privacy: Privacy
    patients: Patients
    would: WouldPass
    skills: SkillPages
    tools: ToolPages
    redactor: Redactor

    async def answer(self, talk: Talk, command: Command) -> tuple[Said, File | None]:
        """Return what to say, and a file that goes with it; raise UserError with the reason why not."""
        match command:
            case parser.Context() | parser.Export():
                which = await self._which(talk, _usual(command))
                views = self.views
                return await (views.context if isinstance(command, parser.Context) else views.export)(talk, which)
            case parser.MemoryForget(handle=handle):
                memory = await self._memory(talk, handle)
                return await self.offering.forget(talk.session, talk.target, memory), None
            case parser.MemoryRestore(handle=handle):
                memory = await self._memory(talk, handle)
                return await self.offering.restore(talk.session, talk.target, memory), None
            case parser.Compactions() | parser.UndoCompaction() | parser.CancelWork() | parser.SendAgain():
                return await self._process(talk, command), None
            case parser.Undo(handle=handle):
                return await self._undo(talk, handle), None
            case (
                parser.Recording()
                | parser.ForgetUser()
                | parser.Diff()
                | parser.Cache()
                | parser.Find()
                | parser.This()
            ):
                return await self._said(talk, command), None
            case _:
                return Said(await self._text(talk, command)), None

    async def _process(
        self,
        talk: Talk,
        command: parser.Compactions | parser.UndoCompaction | parser.CancelWork | parser.SendAgain,
    ) -> Said:
        match command:
            case parser.Compactions():
                return await self.compactions.listed(talk.session, talk.target)
            case parser.UndoCompaction(handle=handle):
                stored, target = await self.compactions.find(talk.caller.person, handle)
                return await self.offering.uncompact(talk.session, target, stored.id)
            case parser.SendAgain(handle=handle):
                return await self.offering.send_again(talk.session, talk.target, handle)
            case parser.CancelWork(handle=handle):
                return await self._cancel(talk, handle)

    async def _said(self, talk: Talk, command: Offered) -> Said:
        if isinstance(command, parser.Recording | parser.ForgetUser):
            return await self.privacy.answer(talk, command)
        return await self.tracing.answer(talk, command)

    async def _text(self, talk: Talk, command: Command) -> str:
        person, target = talk.caller.person, talk.target
        match command:
            case parser.Usage():
                return await self.views.usage(talk)
            case parser.Trails():
                return await ledger_page.page(self.store.ledger, target.key, texts.channel_word(target), self.clock)
            case parser.MemoryList():
                return await self.memories.listed(person, target)
            case parser.MemorySearch(words=words):
                return await self.memories.search(person, target, words)
            case parser.MemoryBy(user=user):
                return await self.memories.by(person, target, user)
            case _:
                return await self._rare(talk, command)

    async def _rare(self, talk: Talk, command: Command) -> str:
        match command:
            case parser.Gap():
                return await self._gap(talk)
            case parser.ToolList() | parser.WorkList() | parser.SkillList():
                return await self._able(talk, command)
            case parser.Doctor():
                return doctor.as_text(await doctor.examine(self.patients, talk.target.key.channel))
            case parser.Would(user=user, text=text):
                return await self._would(talk, user, text)
            case parser.Audit():
                return await self._audit(talk)
            case parser.Use():
                return f"From here on this is about {texts.channel_word(talk.target)} ({talk.target.key.channel})."
            case _:
                return texts.help_text(brief=False)

    async def _able(self, talk: Talk, command: parser.ToolList | parser.WorkList | parser.SkillList) -> str:
        match command:
            case parser.ToolList():
                return self.tools.page(talk.target)
            case parser.WorkList():
                return await work_page(self.store.processes, talk.target, self.clock, talk.caller.person)
            case parser.SkillList():
                return await self.skills.page(talk.target)

    async def _gap(self, talk: Talk) -> str:
        capture = await self.looking.capture(talk.caller, talk.target, Which.NEXT)
        page = await Gaps(self.store).page(capture.inspection, await turn_meant(self.store, talk.meant))
        head = f"{texts.channel_word(talk.target)}: what people saw and the model is not told, and the other way round"
        return f"{head}\n{self.redactor.redact(page).text}"

    async def _which(self, talk: Talk, usual: Which) -> Which | int:
        """Return the request that was named; an inspection's own was cut for the eyes of whoever asked for it."""
        if not talk.meant.name:
            return usual
        row = await self.looking.targets.finder.request_of(talk.meant)
        stored = await self.store.journal.request(row)
        if stored is None or stored.record.kind is not ProcessKind.CHANNEL:
            raise UserError(texts.NOT_THE_CHANNELS)
        return row

    async def _undo(self, talk: Talk, handle: str) -> Said:
        audit = self.store.audit
        if handle:
            parsed = parse_handle(handle)
            row = await audit.by_handle(parsed) if parsed else None
            if row is None or (row.body.platform, row.body.actor) != talk.caller.person:
                raise UserError("There is nothing of yours to undo there.")
            return await self.offering.offer_undo(talk.session, row)
        for row in await audit.newest(talk.caller.person, _AUDITED):
            if row.body.undo is not None and not row.undone_by and not row.body.action.startswith("undo"):
                return await self.offering.offer_undo(talk.session, row)
        raise UserError("There is nothing to undo.")

    async def _cancel(self, talk: Talk, handle: str) -> Said:
        parsed = parse_handle(handle)
        process = await self.store.processes.by_handle(parsed) if parsed else None
        targets = self.looking.targets
        target = await targets.of(process.key) if process else None
        reader = await targets.reader(talk.caller.person, target, *([process.key] if process else []))
        if process is None or target is None or not may_read(reader, of_process(process)):
            raise UserError(texts.NO_SUCH_RECORD)
        return await self.offering.cancel(talk.session, target, process)

    async def _memory(self, talk: Talk, handle: str) -> Memory:
        parsed = parse_handle(handle)
        memory = await self.store.memories.by_handle(parsed) if parsed else None
        targets = self.looking.targets
        source = await targets.of(key_of(memory.body.agent, memory.body.channel)) if memory else None
        if memory is None or source is None or not await targets.may_inspect(talk.caller.person, source):
            raise UserError(texts.NO_SUCH_RECORD)
        return memory

    async def _would(self, talk: Talk, user: str, text: str) -> str:
        target, author = talk.target, await self._author(talk.target, user)
        inbound = Inbound(
            adapter=platform_of(target.key.channel),
            channel=target.key.channel,
            channel_name=target.name,
            place=target.place,
            message_id="0",
            author=author,
            text=text,
            sent_at=self.clock.now(),
        )
        verdicts = self.would(inbound)
        lines = [f"Dry run in {texts.channel_word(target)}, for id {author.user_id}. Nothing was sent or counted."]
        for verdict in verdicts:
            compared = ", ".join(f"{name} = {quote_line(value, 40)}" for name, value in verdict.compared)
            reason = f" · {quote_line(verdict.reason, 80)}" if verdict.reason else ""
            more = f" · {compared}" if compared else ""
            lines.append(f"{'✓' if verdict.passed else '✗'} {verdict.gate}{reason}{more}")
        stopped = next((verdict.gate for verdict in verdicts if not verdict.passed), "")
        lines.append(f"It would stop at {stopped}." if stopped else "It would reach the model.")
        return "\n".join(lines)

    async def _author(self, target: Target, user: str) -> Author:
        number = _NUMBER.fullmatch(user)
        if number:
            return Author(user_id=UserId(number[1] or number[2]), name="someone")
        name = one_line_name(user.lstrip("@")).casefold()
        for stored in await self.store.ledger.recent(target.key, _LOOK_BACK):
            author = stored.inbound.author
            if one_line_name(author.name).casefold() == name:
                return author
        raise UserError("I have not heard anybody of that name there. Write their numeric id; `whoami` prints it.")

    async def _audit(self, talk: Talk) -> str:
        everyone = talk.caller.authority is Authority.OWNER
        rows = await self.store.audit.newest(None if everyone else talk.caller.person, _AUDITED)
        whose = "by everybody" if everyone else "by you"
        return "\n".join((f"The newest {len(rows)} entries {whose} (UTC)", *(audit_line(row) for row in rows)))


def _usual(command: parser.Context | parser.Export) -> Which:
    """Return which context is shown where no request is named."""
    if command.running:
        return Which.IN_FLIGHT
    return Which.SENT if command.last else Which.NEXT
