"""Carry out what was offered: once, for the admin it was offered to, while it still holds; audited and undoable."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import structlog

from bot.cortex.fixes.live_fixes import LiveFixes
from bot.cortex.fixes.offers import ThreadReply, check_undo
from bot.cortex.fixes.privacy_offers import ErasureRunner, PrivacyOffers
from bot.cortex.fixes.private_work import PrivateWork
from bot.cortex.sessions.button_signing import ButtonVerb, SignedButton
from bot.cortex.sessions.buttons import ButtonFactory
from bot.cortex.sessions.offer_expiry import OfferExpiry
from bot.cortex.sessions.unanswered_messages import UnansweredMessages
from bot.cortex.targets.target_resolver import TargetChannel, TargetResolver, key_of
from bot.cortex.words import fix_preview
from bot.cortex.words.fix_labels import memories_word, rollback_done, setting_done
from bot.domain.access import Authority, Caller
from bot.domain.finding import (
    AnswerWaiting,
    AuditRow,
    Fix,
    ForgetMemories,
    ForgetMemory,
    ForgetSpread,
    ForgetUser,
    LiveFix,
    MergeMemories,
    NewAudit,
    OldConversation,
    ProposalState,
    ProveCause,
    RedoCompaction,
    ReplayRequest,
    RestoreMemories,
    RestoreMemory,
    RestoreSpread,
    ResumeChannel,
    SaveMemory,
    SendAgain,
    SendWorker,
    SetRecording,
    SettingChange,
    SplitMemories,
    StopWork,
    StoredProposal,
    StoredSession,
    TellChannel,
    UndoCompaction,
)
from bot.domain.handles import HandleKind, handle, parse_handle
from bot.domain.ids import MAIN, ChannelId, ChannelKey, PersonKey, is_ephemeral
from bot.domain.memory_file import ImportMemories
from bot.domain.messages import Button, ButtonPress
from bot.domain.process import StoredProcess
from bot.domain.rollback import RollBack, UndoRollBack
from bot.domain.setting_fixes import AdmitChannel, AdmitPerson, SettingFix
from bot.errors import DeliveryError, ToolError, UserError
from bot.ports.clock import Clock
from bot.ports.store import Store
from bot.sentences import say
from bot.text.text import one_line_name
from bot.text.times import minute

log = structlog.get_logger(__name__)

Done = (
    SettingChange
    | ForgetMemories
    | RestoreMemories
    | MergeMemories
    | SplitMemories
    | ForgetSpread
    | RestoreSpread
    | ForgetMemory
    | RestoreMemory
    | SaveMemory
    | ResumeChannel
    | UndoCompaction
    | RedoCompaction
    | SetRecording
    | SendAgain
    | RollBack
    | UndoRollBack
    | ImportMemories
)
"""What changes something in the store."""
Changed = Callable[[ChannelKey], Awaitable[None]]
"""Tell messaging that something of a channel was changed in the store, so that what it holds in memory follows."""


Announce = Callable[[ChannelId, str], Awaitable[None]]
"""Say something in a channel, where everybody reads it; raise DeliveryError."""


StopsWork = Callable[[StoredProcess, str], Awaitable[StoredProcess]]
"""Stop a branch or worker, for a reason; return it as it is then."""


TakenBack = Callable[[int, str], Awaitable[None]]
"""Tell a moderator that what they had proposed, by its row, was done and then taken back, and by whom."""


class ProofStarter(Protocol):
    """Who proves what made a model decide so."""

    async def check(self, target: TargetChannel) -> None:
        """Raise UserError while no proof can begin there."""

    async def begin(
        self, session: StoredSession, target: TargetChannel, caller: Caller, fix: ProveCause | ReplayRequest
    ) -> None:
        """Begin one in the background; raise UserError with the reason why not."""


class MeantPress(NamedTuple):
    """One way to understand a message that was asked before: `mark` tells which of those that `verb` is about."""

    verb: ButtonVerb
    asked: int
    mark: int


class PressResult(NamedTuple):
    """What came of a press: a word for the presser alone, and perhaps a message for the thread.

    `meant`: what was asked before is to be answered in the session, now that it is plain what was meant.
    """

    answer: str
    session: StoredSession | None = None
    said: ThreadReply | None = None
    meant: MeantPress | None = None


def _log(press: ButtonPress, done: AuditRow, what: str) -> None:
    log.info(
        "fix",
        what=what,
        action=done.body.action.partition(" ")[0],
        channel=done.body.target,
        user=press.person.user_id,
        correlation=handle(HandleKind.AUDIT, done.id),
    )


def _refused(press: ButtonPress, channel: str) -> PressResult:
    log.info("refused", what="fix", channel=channel, user=press.person.user_id)
    return PressResult(say("fixes.may-not-change"))


@dataclass(frozen=True, kw_only=True, eq=False)
class FixRunner:
    """Takes confirmations and undos. The authority is asked for again at every step."""

    store: Store
    targets: TargetResolver
    buttons: ButtonFactory
    waiting: UnansweredMessages
    expiry: OfferExpiry
    clock: Clock
    changed: Changed
    reload_channel: Callable[[ChannelKey], None]
    announce: Announce
    stop: StopsWork
    private_work: PrivateWork
    privacy: PrivacyOffers
    forgetting: ErasureRunner
    proving: ProofStarter
    live: LiveFixes
    taken_back: TakenBack

    async def press_offer(self, press: ButtonPress, signed: SignedButton) -> PressResult:
        """Take a press on a stored offer: do it once, for the one who was asked, while everything still holds."""
        proposal = await self.store.offers.get(signed.id.hex())
        if proposal is None or not self.buttons.is_of_offer(signed, proposal.body):
            return PressResult(say("cortex.not-ours"))
        if refused := wrong_presser(
            press, PersonKey(proposal.body.platform, proposal.body.actor), proposal.body.channel
        ):
            return PressResult(refused)
        if proposal.state is not ProposalState.OPEN:
            return PressResult(_closed(proposal))
        if self.expiry.is_over(proposal.body):
            await self._close(proposal, ProposalState.EXPIRED)
            return PressResult(say("fixes.offer-expired"))
        if signed.verb is ButtonVerb.KEEP:
            return await self._keep(proposal)
        return await self._confirm(press, proposal, await self.store.sessions.get(proposal.body.session))

    async def approve(self, press: ButtonPress, session: StoredSession, proposal: StoredProposal) -> PressResult:
        """Do what a moderator proposed, for an admin in their own session: as they would do it themselves, once."""
        return await self._standing(proposal) or await self._confirm(press, proposal, session)

    async def decline(self, press: ButtonPress, proposal: StoredProposal) -> PressResult:
        """Close what a moderator proposed without effect."""
        return await self._standing(proposal) or await self._keep(proposal)

    async def _standing(self, proposal: StoredProposal) -> PressResult | None:
        """Return why nobody can decide about a proposal any more; None where it stands."""
        now = await self.store.offers.of_row(proposal.id) or proposal
        if now.state is not ProposalState.OPEN:
            return PressResult(_closed(now))
        if self.expiry.is_over(now.body):
            await self._close(now, ProposalState.EXPIRED)
            return PressResult(_closed(now.replace(state=ProposalState.EXPIRED)))
        return None

    async def press_undo(self, press: ButtonPress, session: StoredSession, row: int) -> PressResult:
        """Take back what an audit row did."""
        name = handle(HandleKind.AUDIT, row)
        parsed = parse_handle(name)
        entry = await self.store.audit.by_handle(parsed) if parsed else None
        if entry is None or entry.id != row or (entry.body.platform, entry.body.actor) != press.person:
            return PressResult(say("fixes.nothing-to-undo"))
        done_in = await self.store.sessions.get(entry.body.session) or session
        target = await self._target(done_in.body.agent, entry.body.target)
        if target is None or not await self._may_change(press, target, entry.body.undo):
            return _refused(press, entry.body.target)
        try:
            check_undo(entry, self.clock.now())
            audit = self._audit(press, session, f"undo {name}", target, None)
            done = await self.store.offers.undo(row, audit)
        except UserError as error:
            return PressResult(say("fixes.nothing-changed", why=str(error)))
        if done is None:
            return PressResult(say("fixes.undone-already"))
        _log(press, done, "undone")
        await self._follow(target, entry.body.undo)
        if entry.body.suggested:
            await self.taken_back(entry.body.suggested, press.name)
        if isinstance(entry.body.undo, OldConversation):
            result = await self.live.bring_back(done_in, target, audit)
            return PressResult(result.answer, session, result.said)
        undo = handle(HandleKind.AUDIT, done.id)
        text = say("fixes.was-undone", what=entry.body.detail, handle=name, undo=undo)
        if isinstance(entry.body.undo, RestoreSpread) and (left := _left_undone(entry.body.undo, done)):
            text = say("fixes.spread-undone-partly", handle=name, undo=undo, left=left)
        return PressResult(say("fixes.undone"), session, ThreadReply(text))

    async def _confirm(
        self, press: ButtonPress, proposal: StoredProposal, session: StoredSession | None
    ) -> PressResult:
        body = proposal.body
        target = await self._target(session.body.agent, body.target) if session else None
        if session is None or target is None or not await self._may_change(press, target, body.fix):
            return _refused(press, body.target)
        if isinstance(body.fix, ProveCause | ReplayRequest):
            # what has to wait uses no offer up
            await self.proving.check(target)
        audit = self._audit(press, session, _action(body.fix), target, body.fix)
        audit = audit.replace(suggested=proposal.id) if body.suggested else audit
        try:
            done = await self.store.offers.execute(proposal.id, audit)
        except UserError as error:
            await self._close(proposal, ProposalState.STALE)
            return PressResult(say("fixes.nothing-changed", why=str(error)))
        if done is None:
            again = await self.store.offers.get(body.secret_id)
            return PressResult(_closed(again or proposal))
        _log(press, done, "done")
        if isinstance(body.fix, TellChannel):
            return await self._tell(session, target, body.fix, done)
        if isinstance(body.fix, StopWork):
            return await self._stop(session, body.fix, done)
        if isinstance(body.fix, SendWorker):
            return await self._send(press, session, target, body.fix, done)
        if isinstance(body.fix, ProveCause | ReplayRequest):
            await self.proving.begin(session, target, self.targets.caller(press.person, press.name), body.fix)
            return PressResult(say("fixes.being-asked"))
        if isinstance(body.fix, LiveFix):
            result = await self.live.do(session, target, body.fix, done)
            return PressResult(result.answer, session, result.said)
        if isinstance(body.fix, ForgetUser):
            self.forgetting.begin(body.fix, session, handle(HandleKind.AUDIT, done.id))
            return PressResult(say("fixes.being-done"))
        await self._follow(target, body.fix)
        return PressResult(say("fixes.done"), session, await self._report(session, target, body.fix, done))

    async def _follow(self, target: TargetChannel, fix: Fix | None) -> None:
        """Let what messaging holds in memory follow the store."""
        others = await self._shortened_channels(fix)
        keys = list(dict.fromkeys((target.key, *_rolled_back(fix), *others)))
        for key in keys:
            if key in others or isinstance(fix, UndoCompaction | RedoCompaction | RollBack | UndoRollBack):
                self.reload_channel(key)
            await self.changed(key)

    async def _tell(
        self, session: StoredSession, target: TargetChannel, fix: TellChannel, done: AuditRow
    ) -> PressResult:
        name, where = handle(HandleKind.AUDIT, done.id), one_line_name(target.name, 20)
        try:
            for channel in (fix.channel, *fix.also):
                await self.announce(channel, fix.text)
        except DeliveryError as error:
            if error.waits:
                return PressResult(say("fixes.channel-unreachable", place=where))
            return PressResult(say("fixes.not-posted", place=where, why=error.code))
        if fix.also:
            text = say("fixes.posted-in-more", place=where, more=len(fix.also), handle=name)
        else:
            text = say("fixes.posted-in", place=where, handle=name)
        return PressResult(say("fixes.posted"), session, ThreadReply(text))

    async def _stop(self, session: StoredSession, fix: StopWork, done: AuditRow) -> PressResult:
        name, process = handle(HandleKind.AUDIT, done.id), await self.store.processes.get(fix.process)
        ended = await self.stop(process, say("fixes.stopped-by-admin")) if process else None
        if ended is None or not ended.is_over:
            return PressResult(say("fixes.not-stopped-yet", handle=fix.handle))
        text = say("fixes.work-is", work=fix.handle, state=ended.state.value, handle=name)
        return PressResult(say("fixes.stopped"), session, ThreadReply(text))

    async def _send(
        self, press: ButtonPress, session: StoredSession, target: TargetChannel, fix: SendWorker, done: AuditRow
    ) -> PressResult:
        caller = self.targets.caller(press.person, press.name)
        try:
            sent = await self.private_work.send(session, target, caller, fix)
        except ToolError as error:
            return PressResult(say("fixes.offer-used-up", why=str(error)))
        line = say("fixes.at-work", work=sent.handle, handle=handle(HandleKind.AUDIT, done.id))
        return PressResult(say("fixes.sent"), session, ThreadReply(line))

    async def _may_change(self, press: ButtonPress, target: TargetChannel, fix: Fix | None) -> bool:
        """Ask for the right over the channel, and over the one where a memory was learnt."""
        places = {target.key: target}
        for channel in await self._other_channels(fix):
            place = await self.targets.of(channel)
            if place is None:
                return False
            places[place.key] = place
        for row in _memories(fix):
            memory = await self.store.memories.get(row)
            source = await self._target(memory.body.agent, memory.body.channel) if memory else None
            if source is None:
                return False
            places[source.key] = source
        authority = self.targets.caller(press.person, press.name).authority
        # the lists stand in the owners' file
        if isinstance(fix, AdmitPerson | AdmitChannel) and authority < Authority.OWNER:
            return False
        if isinstance(fix, ForgetUser):
            return not await self.privacy.may_forget(press.person, authority, fix.channels)
        if isinstance(fix, ImportMemories) and fix.is_for_everywhere and authority < Authority.OWNER:
            return False
        return all([await self.targets.may_inspect(press.person, place) for place in places.values()])

    async def _other_channels(self, fix: Fix | None) -> list[ChannelKey]:
        """Return the channels that a fix reaches beside the one that it was offered for."""
        match fix:
            case TellChannel(also=also):
                found = [await self.targets.anywhere(channel) for channel in also]
                return [one.key if one else ChannelKey(MAIN, also[at]) for at, one in enumerate(found)]
            case RollBack() | UndoRollBack() | ImportMemories():
                return _rolled_back(fix)
            case AnswerWaiting(rows=rows):
                stored = [await self.store.ledger.inbound(row) for row in rows]
                return list(dict.fromkeys(one.key for one in stored if one is not None))
            case ForgetSpread() | RestoreSpread():
                return await self._shortened_channels(fix)
            case _:
                return []

    async def _shortened_channels(self, fix: Fix | None) -> list[ChannelKey]:
        """Return the channels in which what takes memories back undoes compactions, or lets them stand again."""
        rows = fix.compactions if isinstance(fix, ForgetSpread | RestoreSpread) else ()
        stored = [await self.store.compactions.get(row) for row in rows]
        return list(dict.fromkeys(one.body.key for one in stored if one is not None))

    async def _report(self, session: StoredSession, target: TargetChannel, fix: Done, done: AuditRow) -> ThreadReply:
        name = handle(HandleKind.AUDIT, done.id)
        if isinstance(fix, ImportMemories) and isinstance(done.body.undo, UndoRollBack):
            # some may have come or gone since it was offered
            fix = fix.replace(count=done.body.undo.last - done.body.undo.first + 1)
        lines = _lines(fix, name, target)
        buttons: list[Button] = []
        if done.body.undo is not None:
            lines.append(fix_preview.undo_line(fix))
            buttons.append(self.buttons.row(session, ButtonVerb.UNDO, say("fixes.undo"), done.id))
        if isinstance(fix, SettingFix | ForgetMemory | ForgetMemories | ForgetSpread | ResumeChannel):
            self.live.verify(session, target, name)
        if isinstance(fix, ForgetMemory | ResumeChannel):
            line, offered = await self.waiting.offer(session, target, await self._subjects(fix))
            lines += [line] if line else []
            buttons += [offered] if offered else []
        if isinstance(fix, ResumeChannel):
            tell = say("fixes.tell", place=one_line_name(target.name, 20))
            buttons.append(self.buttons.row(session, ButtonVerb.PREVIEW_TELL, tell))
        return ThreadReply("\n".join(lines), tuple(buttons))

    async def _subjects(self, fix: Fix) -> frozenset[str]:
        if not isinstance(fix, ForgetMemory):
            return frozenset()
        memory = await self.store.memories.get(fix.memory)
        return frozenset(memory.body.subjects) if memory else frozenset()

    async def _keep(self, proposal: StoredProposal) -> PressResult:
        closed = await self._close(proposal, ProposalState.DECLINED)
        return PressResult(say("fixes.kept") if closed else _closed(proposal))

    async def _close(self, proposal: StoredProposal, state: ProposalState) -> bool:
        return await self.store.offers.close(proposal.id, state, self.clock.now())

    async def _target(self, agent: str, channel: str) -> TargetChannel | None:
        return await self.targets.of(key_of(agent, ChannelId(channel)))

    def _audit(
        self, press: ButtonPress, session: StoredSession, action: str, target: TargetChannel, fix: Fix | None
    ) -> NewAudit:
        return NewAudit(
            at=self.clock.now(),
            platform=press.person.platform,
            actor=press.person.user_id,
            actor_name=press.name,
            action=action,
            target=target.key.channel,
            detail=fix_preview.named_fix(fix) if fix else "",
            session=session.id,
            undo=fix_preview.inverse(fix) if fix else None,
        )


def wrong_presser(press: ButtonPress, person: PersonKey, channel: ChannelId) -> str:
    """Return why a button is not for whoever pressed it, there; empty where it is."""
    if press.person == person and press.channel == channel:
        return ""
    return say("cortex.ended") if press.person == person and is_ephemeral(channel) else say("cortex.not-yours")


def _left_undone(fix: RestoreSpread, done: AuditRow) -> int:
    """Count the compactions that do not stand again: what they took out was shortened or changed since."""
    stands = len(done.body.undo.compactions) if isinstance(done.body.undo, ForgetSpread) else 0
    return len(fix.compactions) - stands


def _rolled_back(fix: Fix | None) -> list[ChannelKey]:
    """Return the channels in which a rollback, or what is taken in from a file, changes something."""
    match fix:
        case RollBack() | UndoRollBack() | ImportMemories():
            return [ChannelKey(fix.agent, channel) for channel in fix.channels]
        case _:
            return []


def _memories(fix: Fix | None) -> tuple[int, ...]:
    """Return the memories that a fix is about, by row."""
    match fix:
        case ForgetMemory(memory=row) | RestoreMemory(memory=row):
            return (row,)
        case (
            ForgetMemories(memories=several)
            | RestoreMemories(memories=several)
            | ForgetSpread(memories=several)
            | RestoreSpread(memories=several)
        ):
            return tuple(one.memory for one in several)
        case MergeMemories(kept=kept, others=others) | SplitMemories(kept=kept, others=others):
            return tuple(one.memory for one in (kept, *others))
        case _:
            return ()


def _lines(fix: Done, name: str, target: TargetChannel) -> list[str]:
    where = one_line_name(target.name, 20)
    match fix:
        case SettingFix():
            return [say("fixes.setting", line=setting_done(fix, where), handle=name)]
        case ForgetMemories() | RestoreMemories() | ForgetSpread() | RestoreSpread():
            return _several(fix, name)
        case MergeMemories() | SplitMemories():
            return _merged(fix, name)
        case RestoreMemory():
            return [say("fixes.counts-again", what=fix_preview.named_fix(fix), handle=name)]
        case ForgetMemory():
            forgotten = say("fixes.forgotten", what=fix_preview.named_fix(fix), handle=name)
            return [forgotten, say("fixes.not-in-prompts")]
        case SaveMemory() | ResumeChannel() | SetRecording():
            return [_of_place(fix, where, name)]
        case UndoCompaction() | RedoCompaction():
            return _summary_lines(fix, name)
        case SendAgain():
            return [say("fixes.shown-again", what=fix_preview.named_fix(fix), handle=name)]
        case RollBack() | UndoRollBack():
            return [say("fixes.setting", line=rollback_done(fix), handle=name)]
        case ImportMemories():
            return [say("fixes.imported", what=memories_word(fix.count), handle=name)]


def _of_place(fix: SaveMemory | ResumeChannel | SetRecording, where: str, name: str) -> str:
    match fix:
        case SaveMemory():
            return say("fixes.remembered", place=where, handle=name)
        case ResumeChannel():
            return say("fixes.resumed", place=where, handle=name)
        case SetRecording(record=record):
            return say("fixes.recorded" if record else "fixes.not-recorded", place=where, handle=name)


def _summary_lines(fix: UndoCompaction | RedoCompaction, name: str) -> list[str]:
    if isinstance(fix, RedoCompaction):
        return [say("fixes.compaction-stands", what=fix_preview.named_fix(fix), handle=name)]
    undone = say("fixes.compaction-undone", what=fix_preview.named_fix(fix), handle=name)
    return [undone, say("fixes.history-is-back")]


def _merged(fix: MergeMemories | SplitMemories, name: str) -> list[str]:
    """Say which memory stands for which, or that each stands for itself again."""
    kept, *gone = fix_preview.merged_names(fix).split(", ")
    if isinstance(fix, SplitMemories):
        return [say("fixes.separated", names=", ".join((kept, *gone)), handle=name)]
    return [say("fixes.merged", kept=kept, names=", ".join(gone), handle=name), say("fixes.merged-line")]


def _several(fix: ForgetMemories | RestoreMemories | ForgetSpread | RestoreSpread, name: str) -> list[str]:
    """Say what was done with several memories at once, and with what came of them."""
    count = len(fix.memories)
    match fix:
        case ForgetMemories():
            forgotten = say("fixes.several-forgotten", what=memories_word(count), handle=name)
            return [forgotten, say("fixes.several-not-in-prompts")]
        case RestoreMemories():
            return [say("fixes.several-count-again", count=count, handle=name)]
        case RestoreSpread():
            return [say("fixes.restored", what=fix_preview.spread_word(fix), handle=name)]
        case ForgetSpread():
            lines = [say("fixes.taken-back", what=fix_preview.spread_word(fix), handle=name)]
            lines += [say("fixes.memories-not-in-prompts")] if fix.memories else []
            return lines + ([say("fixes.shortened-is-back")] if fix.compactions else [])


def _action(fix: Fix) -> str:
    return fix.kind.replace("_", " ")


def _closed(proposal: StoredProposal) -> str:
    at = minute(proposal.decided_at) if proposal.decided_at else ""
    match proposal.state:
        case ProposalState.EXPIRED:
            return say("fixes.offer-expired")
        case ProposalState.STALE:
            return say("fixes.offer-stale")
        case ProposalState.DECLINED:
            return say("fixes.declined-at", time=at) if at else say("fixes.declined")
        case ProposalState.DONE if at:
            return say("fixes.done-already-at", time=at)
        case _:
            return say("fixes.done-already")
