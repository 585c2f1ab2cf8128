"""Take what moderators propose to the admins of a channel: each gets a card, one of them decides, once."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import structlog

from bot.config.schema import Config
from bot.cortex.fixes.fix_runner import FixRunner, PressResult
from bot.cortex.fixes.offers import ThreadReply, merging
from bot.cortex.sessions.button_signing import ID_BYTES, ButtonVerb
from bot.cortex.sessions.buttons import ButtonFactory
from bot.cortex.sessions.session_threads import SessionThreads
from bot.cortex.sessions.thread_poster import ThreadPoster, person_of
from bot.cortex.targets import texts
from bot.cortex.targets.session_context import SessionContext
from bot.cortex.targets.target_resolver import TargetChannel, TargetResolver, key_of
from bot.cortex.words import fix_preview
from bot.cortex.words.quoting import quoted
from bot.domain.access import AccessRight, Authority
from bot.domain.channel import ProcessKind
from bot.domain.finding import (
    Fix,
    ForgetMemory,
    ForgetSpread,
    MergeMemories,
    NewProposal,
    ProposalState,
    SaveMemory,
    StoredProposal,
    StoredSession,
)
from bot.domain.handles import HandleKind, handle
from bot.domain.ids import PersonKey
from bot.domain.memory import Memory, MemoryProvenance, MemoryRelation, RelationKind
from bot.domain.messages import ButtonPress
from bot.errors import BotError, StoreError, ToolError, UserError, name_of
from bot.memory.write import MemoryCause, MemoryRules, MemoryWish, draft
from bot.ports.clock import Clock, Entropy
from bot.ports.platform import Platform
from bot.ports.store import Store
from bot.prompts import render
from bot.sentences import say
from bot.text.redaction import Redactor
from bot.text.text import one_line_name

log = structlog.get_logger(__name__)

SuggestedFix = ForgetMemory | ForgetSpread | SaveMemory | MergeMemories
MAX_OPEN = 5
"""How many proposals of one moderator wait at most."""
PROPOSAL_DAYS = 7
_DAY_MS = 86_400_000
_MAX_REASON_CHARS = 500


class FollowsSpread(Protocol):
    """Who knows where a memory has been."""

    async def what_came(self, talk: SessionContext, memory: Memory) -> ForgetSpread:
        """Return what would take a memory back with all that came of it where its asker may look; raise UserError."""


@dataclass(frozen=True, kw_only=True, eq=False)
class ModeratorProposals:
    """Keeps one proposal for all admins; the buttons of their cards are theirs alone, and stand over a restart."""

    store: Store
    clock: Clock
    entropy: Entropy
    config: Config
    platforms: Mapping[str, Platform]
    targets: TargetResolver
    threads: SessionThreads
    buttons: ButtonFactory
    post: ThreadPoster
    redactor: Redactor
    rules: MemoryRules
    fixes: FixRunner

    async def forget(self, talk: SessionContext, memory: Memory, reason: str) -> ThreadReply:
        """Propose to forget a memory; raise UserError with the reason why not."""
        return await self._propose(talk, (memory,), ForgetMemory(memory=memory.id, version=memory.version), reason)

    async def take_back(self, talk: SessionContext, memory: Memory, reason: str, spreads: FollowsSpread) -> ThreadReply:
        """Propose to forget a memory with all that came of it where its moderator may look; raise UserError."""
        return await self._propose(talk, (memory,), await spreads.what_came(talk, memory), reason)

    async def reword(self, talk: SessionContext, memories: Sequence[Memory], words: str, reason: str) -> ThreadReply:
        """Propose other words for a memory, or one memory in the place of several; raise UserError."""
        first = memories[0].body
        if any((one.body.scope, one.body.scope_id, one.body.channel) != _known(memories[0]) for one in memories):
            raise UserError(render("cortex/suggestion_refused", why="apart").strip())
        provenance = MemoryProvenance(
            author=talk.caller.person.user_id,
            author_name=talk.caller.name,
            inbound=talk.asked,
            process=ProcessKind.CORTEX,
        )
        people = {subject: "" for one in memories for subject in one.body.subjects}
        cause = MemoryCause(key_of(first.agent, first.channel), talk.caller, provenance, people, self.clock.now())
        try:
            new = draft(MemoryWish(words, first.type, max(one.body.importance for one in memories)), cause, self.rules)
            new = new.replace(
                scope=first.scope,
                scope_id=first.scope_id,
                subjects=tuple(people),
                relations=tuple(
                    MemoryRelation(kind=RelationKind.UPDATES, target=one.id, weight=1.0) for one in memories
                ),
            )
            self.rules.check_subjects(new, talk.caller.person.platform)
        except ToolError as error:
            raise UserError(str(error)) from error
        return await self._propose(talk, memories, SaveMemory(memory=new), reason)

    async def merge(self, talk: SessionContext, memories: Sequence[Memory], reason: str) -> ThreadReply:
        """Propose that the first of some memories stands for the others; raise UserError."""
        return await self._propose(talk, memories, merging(memories), reason)

    async def press(self, press: ButtonPress, session: StoredSession, verb: ButtonVerb, row: int) -> PressResult:
        """Decide; the press is that of the admin whose card it is, and what they may is asked again."""
        proposal = await self.store.offers.of_row(row)
        if proposal is None or not proposal.body.suggested:
            return PressResult(say("cortex.no-such-record"))
        if isinstance(proposal.body.fix, SaveMemory) and not await self._still_stands(proposal.body.fix):
            await self.store.offers.close(row, ProposalState.STALE, self.clock.now())
        if verb is ButtonVerb.DECLINE:
            result = await self.fixes.decline(press, proposal)
        else:
            result = await self.fixes.approve(press, session, proposal)
        after = await self.store.offers.of_row(row)
        if after is not None and after.state is not proposal.state:
            await self._tell(after, press.name)
        return result

    async def undone(self, row: int, by: str) -> None:
        """Tell the moderator that what was done for them was taken back."""
        proposal = await self.store.offers.of_row(row)
        if proposal is not None and proposal.body.suggested:
            await self._tell(proposal, by, undone=True)

    async def _propose(
        self, talk: SessionContext, memories: Sequence[Memory], fix: SuggestedFix, reason: str
    ) -> ThreadReply:
        caller, now = talk.caller, self.clock.now()
        names = ", ".join(handle(HandleKind.MEMORY, one.id) for one in memories)
        await self._check(talk, memories, names, reason)
        proposal = await self.store.offers.propose(
            NewProposal(
                secret_id=self.entropy.token(ID_BYTES).hex(),
                session=talk.session.id,
                actor=caller.person.user_id,
                platform=caller.person.platform,
                channel=talk.session.body.dm_channel,
                target=memories[0].body.channel,
                fix=fix,
                created_at=now,
                expires_at=now + PROPOSAL_DAYS * _DAY_MS,
                suggested=True,
            )
        )
        table = self.config.platforms.get(caller.person.platform)
        people = dict.fromkeys((*table.owner_ids, *table.admin_ids)) if table is not None else {}
        asked = (
            self._ask(PersonKey(caller.person.platform, user), talk, memories, proposal, reason) for user in people
        )
        told = sum(await asyncio.gather(*asked))
        log.info("moderator_proposed", channel=talk.target.key.channel, fix=fix.kind, asked=told)
        if not told:
            await self.store.offers.close(proposal.id, ProposalState.EXPIRED, now)
            raise UserError(render("cortex/suggestion_refused", why="nobody").strip())
        return ThreadReply(render("cortex/suggested", names=names, told=told, days=PROPOSAL_DAYS).strip())

    async def _check(self, talk: SessionContext, memories: Sequence[Memory], names: str, reason: str) -> None:
        """Raise UserError where this cannot be proposed."""
        why = ""
        if talk.caller.authority >= Authority.ADMIN:
            why = "admin"
        elif not reason.strip():
            why = "reason"
        elif any(one.forgotten_at for one in memories):
            why = "forgotten"
        else:
            waiting = await self.store.offers.suggestions(self.clock.now())
            own = [one for one in waiting if (one.body.platform, one.body.actor) == talk.caller.person]
            if any(set(_about(one)) & {memory.id for memory in memories} for one in waiting):
                why = "twice"
            elif len(own) >= MAX_OPEN:
                why = "many"
        if why:
            raise UserError(render("cortex/suggestion_refused", why=why, names=names, most=MAX_OPEN).strip())

    async def _ask(
        self, person: PersonKey, talk: SessionContext, memories: Sequence[Memory], proposal: StoredProposal, reason: str
    ) -> bool:
        """Give an admin a card; False where they may not decide, or cannot be reached."""
        platform = self.platforms.get(person.platform)
        first = memories[0].body
        target = await self.targets.of(key_of(first.agent, first.channel))
        try:
            if platform is None or target is None or not await self.targets.may_inspect(person, target):
                return False
            with self.post.speaking_to(person):
                caller = self.targets.caller(person, "admin")
                session = await self.threads.open(platform, caller, target, say("offers.moderator-title"))
                await self.post.say(
                    session,
                    await self._card(person, target, talk, memories, proposal, reason),
                    (
                        self.buttons.row(session, ButtonVerb.APPROVE, say("offers.approve"), proposal.id),
                        self.buttons.row(session, ButtonVerb.DECLINE, say("offers.decline"), proposal.id),
                    ),
                )
        except StoreError:
            raise
        except BotError as error:
            log.warning("proposal_not_delivered", platform=person.platform, error=name_of(error))
            return False
        return True

    async def _card(
        self,
        person: PersonKey,
        target: TargetChannel,
        talk: SessionContext,
        memories: Sequence[Memory],
        proposal: StoredProposal,
        reason: str,
    ) -> str:
        reads = await self.targets.may(AccessRight.RECALL, person, target)
        fix, now = proposal.body.fix, self.clock.now()
        told = [
            (
                quoted(one.body.content, self.redactor, 600) if reads else "",
                fix_preview.memory_line(one, now),
                handle(HandleKind.MEMORY, one.id),
            )
            for one in memories
        ]
        new = quoted(fix.memory.content, self.redactor, 600) if isinstance(fix, SaveMemory) and reads else ""
        return render(
            "cortex/suggestion",
            name=one_line_name(talk.caller.name, 32),
            id=talk.caller.person.user_id,
            place=texts.channel_word(target),
            memories=told,
            does=_does(fix),
            kept=handle(HandleKind.MEMORY, memories[0].id),
            spread=fix_preview.spread_word(fix) if isinstance(fix, ForgetSpread) else "",
            new=new,
            reason=quoted(reason.strip()[:_MAX_REASON_CHARS], self.redactor, _MAX_REASON_CHARS),
            undo=fix_preview.undo_line(fix),
            days=PROPOSAL_DAYS,
        ).strip()

    async def _still_stands(self, fix: SaveMemory) -> bool:
        """Say whether everything that new words were proposed for is remembered still."""
        found = [await self.store.memories.get(one.target) for one in fix.memory.relations]
        return all(one is not None and not one.forgotten_at for one in found)

    async def _tell(self, proposal: StoredProposal, by: str, *, undone: bool = False) -> None:
        """Tell the moderator what became of their proposal, in private."""
        session = await self.store.sessions.get(proposal.body.session)
        if session is None or self.targets.caller(person_of(session), "").authority < Authority.MODERATOR:
            return
        with self.post.speaking_to(person_of(session)):
            await self.post.say_or_log(session, _decided(proposal, by, undone=undone))


def _decided(proposal: StoredProposal, by: str, *, undone: bool) -> str:
    about, spread = _about(proposal), proposal.body.fix if isinstance(proposal.body.fix, ForgetSpread) else None
    names = handle(HandleKind.MEMORY, about[0]) if spread is not None and about else ""
    names = names or ", ".join(handle(HandleKind.MEMORY, row) for row in about)
    return render(
        "cortex/suggestion_decided",
        by=one_line_name(by, 32),
        names=names,
        state="undone" if undone else proposal.state.value,
        does=_does(proposal.body.fix),
        spread=fix_preview.spread_word(spread) if spread is not None else "",
    ).strip()


def _about(proposal: StoredProposal) -> tuple[int, ...]:
    """Return the memories that a proposal is about, by row."""
    fix = proposal.body.fix
    if isinstance(fix, ForgetMemory):
        return (fix.memory,)
    if isinstance(fix, MergeMemories):
        return tuple(one.memory for one in (fix.kept, *fix.others))
    if isinstance(fix, ForgetSpread):
        return tuple(one.memory for one in fix.memories)
    return tuple(one.target for one in fix.memory.relations) if isinstance(fix, SaveMemory) else ()


def _does(fix: Fix) -> str:
    """Name what a proposal would do, for its card."""
    if isinstance(fix, MergeMemories):
        return "merges"
    if isinstance(fix, ForgetSpread):
        return "takes back"
    return "forgets" if isinstance(fix, ForgetMemory) else "rewords"


def _known(memory: Memory) -> tuple[str, str, str]:
    return (memory.body.scope, memory.body.scope_id, memory.body.channel)
