"""Offer a change: what it would do, in whose words, behind buttons that only the asker can press."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from bot.cortex.sessions.button_signing import ID_BYTES, ButtonVerb
from bot.cortex.sessions.buttons import MAX_PICKED_OFFERS, ButtonFactory
from bot.cortex.sessions.offer_expiry import OfferExpiry
from bot.cortex.sessions.thread_poster import person_of
from bot.cortex.targets.target_resolver import TargetChannel, TargetResolver, key_of
from bot.cortex.words import fix_preview
from bot.cortex.words.audit_lines import audited_deed
from bot.cortex.words.compaction_lines import summary_lines
from bot.cortex.words.quoting import by_model, quoted
from bot.domain.access import Caller
from bot.domain.channel import ProcessKind
from bot.domain.finding import (
    AnswerWaiting,
    AuditRow,
    Fix,
    ForgetMemories,
    ForgetMemory,
    ForgetSpread,
    ForgetUser,
    LiveFix,
    MemoryVersion,
    MergeMemories,
    NewProposal,
    ProveCause,
    ReplayRequest,
    RestoreMemory,
    ResumeChannel,
    SaveMemory,
    SendAgain,
    SendWorker,
    SetRecording,
    SettingChange,
    StopWork,
    StoredSession,
    TellChannel,
    UndoCompaction,
)
from bot.domain.handles import HandleKind, handle
from bot.domain.ids import ChannelId
from bot.domain.memory import Memory, MemoryProvenance, MemoryType, NewMemory
from bot.domain.memory_file import ImportMemories
from bot.domain.messages import Button, OutgoingFile
from bot.domain.process import StoredProcess
from bot.domain.rollback import RollBack
from bot.domain.word_origins import SOMEBODY, OriginSource, WordAuthority, WordOrigins
from bot.errors import ToolError, UserError
from bot.memory.write import MemoryCause, MemoryRules, MemoryWish, draft
from bot.ports.clock import Clock, Entropy
from bot.ports.store import Store
from bot.prompts import render
from bot.sentences import say
from bot.text.redaction import Redactor
from bot.text.text import one_line_name, quote_line
from bot.text.times import minute

_DAY_MS = 86_400_000
_MOST_COUNTED = 100


class ThreadReply(NamedTuple):
    """A message for the thread, with a file that goes along; `more` are the messages that follow it."""

    text: str
    buttons: tuple[Button, ...] = ()
    more: tuple[str, ...] = ()
    file: OutgoingFile | None = None


def merging(memories: Sequence[Memory]) -> MergeMemories:
    """Return what lets the first of some memories stand for the others; raise UserError where it cannot."""
    first = memories[0].body
    if len(memories) < 2:
        raise UserError(render("cortex/merge_refused", why="one").strip())
    if any(one.forgotten_at for one in memories):
        raise UserError(render("cortex/merge_refused", why="forgotten").strip())
    places = {(one.body.agent, one.body.scope, one.body.scope_id, one.body.channel) for one in memories}
    if places != {(first.agent, first.scope, first.scope_id, first.channel)}:
        raise UserError(render("cortex/suggestion_refused", why="apart").strip())
    kept, *others = (MemoryVersion(memory=one.id, version=one.version) for one in memories)
    return MergeMemories(kept=kept, others=tuple(others))


@dataclass(frozen=True, kw_only=True, eq=False)
class OfferMaker:
    """Makes offers; none of them changes anything."""

    store: Store
    targets: TargetResolver
    buttons: ButtonFactory
    redactor: Redactor
    clock: Clock
    entropy: Entropy
    expiry: OfferExpiry
    rules: MemoryRules

    async def forget(self, session: StoredSession, target: TargetChannel, memory: Memory) -> ThreadReply:
        """Offer to forget a memory."""
        if memory.forgotten_at:
            raise UserError(say("offers.forgotten-already", handle=handle(HandleKind.MEMORY, memory.id)))
        return await self._offer(session, target, ForgetMemory(memory=memory.id, version=memory.version), memory)

    async def restore(self, session: StoredSession, target: TargetChannel, memory: Memory) -> ThreadReply:
        """Offer to bring a memory back."""
        if not memory.forgotten_at:
            raise UserError(say("offers.not-forgotten", handle=handle(HandleKind.MEMORY, memory.id)))
        return await self._offer(session, target, RestoreMemory(memory=memory.id, version=memory.version), memory)

    async def merge(self, session: StoredSession, target: TargetChannel, memories: Sequence[Memory]) -> ThreadReply:
        """Offer to let the first of some memories stand for the others, with the words of all."""
        fix = merging(memories)
        now, kept = self.clock.now(), handle(HandleKind.MEMORY, memories[0].id)
        often = sum(one.body.confirmed for one in memories)
        told = [say("offers.kept-stays", handle=kept, times=often)]
        told += [f"{handle(HandleKind.MEMORY, one.id)}: {fix_preview.memory_line(one, now)}" for one in memories]
        offered = await self._offer(session, target, fix, None, tuple(told))
        # their words stand in the message alone: an offer is kept longer than what it is about
        words = [line for one in memories for line in await self._words(session, target, one)]
        return offered._replace(text="\n".join((offered.text, *words)))

    async def remember(self, session: StoredSession, target: TargetChannel, memory: NewMemory) -> ThreadReply:
        """Offer to remember what a model proposed."""
        return await self._offer(session, target, SaveMemory(memory=memory), None)

    async def remember_said(
        self, session: StoredSession, target: TargetChannel, caller: Caller, row: int
    ) -> ThreadReply:
        """Offer to remember what somebody said in a message, in their words."""
        heard = await self.store.ledger.inbound(row)
        if heard is None or heard.key != target.key or not await self.targets.may_read(caller.person, target):
            raise UserError(say("cortex.no-such-record"))
        author = heard.inbound.author
        people = {author.user_id: author.name}
        provenance = MemoryProvenance(
            author=caller.person.user_id,
            author_name=caller.name,
            inbound=heard.id,
            message_id=heard.inbound.message_id,
            process=ProcessKind.CORTEX,
        )
        # who presses says that it is to be kept; whose words it is stays as it was
        tier = self.targets.caller(heard.inbound.person, author.name).authority
        if author.user_id != caller.person.user_id and tier < caller.authority:
            source = OriginSource(WordAuthority.of(tier), SOMEBODY)
            provenance = provenance.replace(origins=WordOrigins(sources=(source,)))
        wish = MemoryWish(f"{one_line_name(author.name)} said: {heard.inbound.text}", MemoryType.FACT)
        cause = MemoryCause(target.key, caller, provenance, people, self.clock.now())
        try:
            memory = draft(wish, cause, self.rules)
            # whose words they are, whatever they call themselves
            memory = memory.replace(subjects=tuple(dict.fromkeys((*memory.subjects, author.user_id))))
            self.rules.check_subjects(memory, caller.person.platform)
        except ToolError as error:
            raise UserError(str(error)) from error
        return await self._offer(session, target, SaveMemory(memory=memory), None)

    async def cancel(self, session: StoredSession, target: TargetChannel, process: StoredProcess) -> ThreadReply:
        """Offer to stop a branch or worker."""
        if process.is_over:
            raise UserError(say("offers.work-is-over", handle=process.handle, state=process.state.value))
        fix = StopWork(process=process.id, handle=process.handle)
        return await self._offer(session, target, fix, None, (f"“{quote_line(process.body.name, 80)}”",))

    async def send_worker(
        self, session: StoredSession, target: TargetChannel, fix: SendWorker, told: tuple[str, ...]
    ) -> ThreadReply:
        """Offer to let a worker do what a model proposed; `told` says what, and with which tools."""
        return await self._offer(session, target, fix, None, told)

    async def prove(
        self, session: StoredSession, target: TargetChannel, fix: ProveCause | ReplayRequest, told: tuple[str, ...]
    ) -> ThreadReply:
        """Offer to ask a model again, many times or once; `told` says what, and what it costs."""
        return await self._offer(session, target, fix, None, told)

    async def change(
        self, session: StoredSession, target: TargetChannel, fix: SettingChange | LiveFix | ForgetMemories, told: str
    ) -> ThreadReply:
        """Offer what is set or done for a channel; `told` says with which effect."""
        return await self._offer(session, target, fix, None, tuple(told.splitlines()))

    async def answer(
        self, session: StoredSession, target: TargetChannel, fix: AnswerWaiting, told: str, *, chooses: bool
    ) -> ThreadReply:
        """Offer to answer messages that wait; `chooses`: or only those of some people."""
        return await self._offer(session, target, fix, None, tuple(told.splitlines()), chooses=chooses)

    async def roll_back(
        self, session: StoredSession, target: TargetChannel, fix: RollBack, told: tuple[str, ...]
    ) -> ThreadReply:
        """Offer to go back to what was; `told` says what would be different."""
        return await self._offer(session, target, fix, None, told)

    async def take_in(
        self, session: StoredSession, target: TargetChannel, fix: ImportMemories, told: tuple[str, ...]
    ) -> ThreadReply:
        """Offer to take memories of a file in; `told` says which, and what becomes of the rest of the file."""
        return await self._offer(session, target, fix, None, told)

    async def forget_spread(
        self, session: StoredSession, target: TargetChannel, fix: ForgetSpread, told: tuple[str, ...]
    ) -> ThreadReply:
        """Offer to forget memories with all that came of them; `told` says what that takes."""
        return await self._offer(session, target, fix, None, told)

    async def resume(self, session: StoredSession, target: TargetChannel) -> ThreadReply:
        """Offer to end the pause of a channel."""
        state = await self.store.channels.load(target.key)
        pause = state.settings.pause if state else None
        if pause is None:
            raise UserError(say("offers.not-paused"))
        fix = ResumeChannel(channel=target.key.channel, paused_at=pause.at)
        return await self._offer(session, target, fix, None)

    async def tell(self, session: StoredSession, target: TargetChannel) -> ThreadReply:
        """Offer to say in a channel that the silence has ended."""
        fix = TellChannel(channel=target.key.channel, text=say("cortex.back"))
        return await self._offer(session, target, fix, None)

    async def tell_trouble(
        self, session: StoredSession, target: TargetChannel, channels: tuple[ChannelId, ...]
    ) -> ThreadReply:
        """Offer to say in channels that there is trouble, and that it is known."""
        others = tuple(one for one in channels if one != target.key.channel)
        fix = TellChannel(channel=target.key.channel, text=say("cortex.trouble"), also=others)
        return await self._offer(session, target, fix, None)

    async def uncompact(self, session: StoredSession, target: TargetChannel, row: int) -> ThreadReply:
        """Offer to let what a compaction took out stand again."""
        fix = UndoCompaction(compaction=row)
        if not await self.store.offers.is_current(fix):
            name = handle(HandleKind.COMPACTION, row)
            raise UserError(say("offers.cannot-uncompact", handle=name))
        return await self._offer(session, target, fix, None)

    async def send_again(self, session: StoredSession, target: TargetChannel, name: str) -> ThreadReply:
        """Offer to show models a message again that was left out; `name` is its handle."""
        state = await self.store.channels.load(target.key)
        left_out = state.settings.left_out if state else ()
        found = next((one for one in left_out if one.handle == name), None)
        if found is None:
            raise UserError(say("offers.not-left-out", handle=name))
        said = say("offers.left-out", time=minute(found.at), turn=handle(HandleKind.TURN, found.turn))
        fix = SendAgain(channel=target.key.channel, inbound=found.inbound, stood_in=found.stood_in)
        return await self._offer(session, target, fix, None, (said,))

    async def recording(self, session: StoredSession, target: TargetChannel, fix: SetRecording) -> ThreadReply:
        """Offer to record a channel, or not to."""
        return await self._offer(session, target, fix, None)

    async def forget_user(
        self, session: StoredSession, target: TargetChannel, fix: ForgetUser, lines: tuple[str, ...]
    ) -> ThreadReply:
        """Offer to forget a person; `lines` say what that takes out."""
        return await self._offer(session, target, fix, None, lines)

    async def offer_undo(self, session: StoredSession, row: AuditRow) -> ThreadReply:
        """Show what would be taken back, with the button that does it."""
        name = handle(HandleKind.AUDIT, row.id)
        check_undo(row, self.clock.now())
        button = self.buttons.row(session, ButtonVerb.UNDO, say("fixes.undo-row", handle=name), row.id)
        body = row.body
        text = say("offers.undo-row", handle=name, time=minute(body.at), did=audited_deed(body))
        return ThreadReply(text, (button,))

    async def _offer(
        self,
        session: StoredSession,
        target: TargetChannel,
        fix: Fix,
        memory: Memory | None,
        told: tuple[str, ...] = (),
        *,
        chooses: bool = False,
    ) -> ThreadReply:
        now = self.clock.now()
        lines = (*told, fix_preview.undo_line(fix)) if told else await self._effect(target, fix, memory)
        secret_id = self.entropy.token(ID_BYTES).hex()
        proposal = NewProposal(
            secret_id=secret_id,
            session=session.id,
            actor=session.body.actor,
            platform=session.body.platform,
            channel=session.body.dm_channel,
            target=target.key.channel,
            fix=fix,
            preview=lines,
            created_at=now,
            expires_at=self.expiry.begins(secret_id, now),
        )
        stored = await self.store.offers.propose(proposal)
        what = fix_preview.label(fix, target.name)
        is_about_keeping = isinstance(
            fix, ForgetMemory | ForgetMemories | ForgetSpread | MergeMemories | RestoreMemory | ForgetUser | SaveMemory
        )
        is_old = isinstance(fix, UndoCompaction | SendAgain | StopWork)
        keep = say("offers.keep" if is_about_keeping or is_old else "offers.leave")
        buttons = (
            self.buttons.offer(proposal, ButtonVerb.CONFIRM, what),
            self.buttons.offer(proposal, ButtonVerb.KEEP, keep),
        )
        if chooses and stored.id < MAX_PICKED_OFFERS:
            choose = self.buttons.pick(session, ButtonVerb.PICK_WAITING, say("offers.choose"), stored.id, 0)
            return ThreadReply("\n".join((f"{what}?", *lines)), (*buttons, choose))
        shown = await self._words(session, target, memory)
        return ThreadReply("\n".join((f"{what}?", *lines, *shown)), buttons)

    async def _effect(self, target: TargetChannel, fix: Fix, memory: Memory | None) -> tuple[str, ...]:
        store, now = self.store, self.clock.now()
        if isinstance(fix, TellChannel):
            return (f"“{fix.text}”", fix_preview.undo_line(fix))
        if isinstance(fix, UndoCompaction):
            stored = await store.compactions.get(fix.compaction)
            return (*(summary_lines(stored) if stored else ()), fix_preview.undo_line(fix))
        if isinstance(fix, SetRecording):
            return (*fix_preview.recording_lines(fix), fix_preview.undo_line(fix))
        if isinstance(fix, SaveMemory):
            shows = by_model if fix.memory.provenance.model else quoted
            words = shows(fix.memory.content, self.redactor)
            return (fix_preview.new_memory_line(fix.memory), words, fix_preview.undo_line(fix))
        lines: list[str] = []
        if memory is not None:
            lines.append(fix_preview.memory_line(memory, now))
            held = len(await store.memories.requests_with(memory.id, _MOST_COUNTED))
            stood_in = "offers.stood-in-at-least" if held >= _MOST_COUNTED else "offers.stood-in"
            lines.append(say(stood_in, count=held))
        else:
            state = await store.channels.load(target.key)
            lines += [fix_preview.pause_line(state.settings)] if state else []
        lines.append(fix_preview.effect(await store.ledger.counts(target.key, now - _DAY_MS)))
        return (*lines, fix_preview.undo_line(fix))

    async def _words(self, session: StoredSession, target: TargetChannel, memory: Memory | None) -> tuple[str, ...]:
        if memory is None:
            return ()
        targets = self.targets
        source = await targets.of(key_of(memory.body.agent, ChannelId(memory.body.channel))) or target
        if await self.targets.may_read(person_of(session), source):
            return (quoted(memory.body.content, self.redactor),)
        return (say("offers.words-withheld"),)


def check_undo(row: AuditRow, now: int) -> None:
    """Raise UserError when an audit row cannot be taken back any more."""
    if row.body.undo is None:
        raise UserError(say("fixes.cannot-undo"))
    if row.undone_by:
        raise UserError(say("fixes.was-undone-already"))
    if now - row.body.at > fix_preview.UNDO_MS:
        raise UserError(say("fixes.too-old-to-undo", hours=fix_preview.UNDO_HOURS))
