"""What became of memories, settings and summaries: versions, differences, what was then, and the way back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from bot.cortex.fixes.offers import OfferMaker, ThreadReply
from bot.cortex.targets.session_context import SessionContext
from bot.cortex.targets.target_resolver import TargetChannel, TargetResolver
from bot.cortex.targets.texts import channel_word
from bot.cortex.words import version_words
from bot.cortex.words.quoting import quoted
from bot.domain.access import AccessRight
from bot.domain.handles import HandleKind, handle
from bot.domain.ids import ChannelId, PersonKey, UserId, platform_of
from bot.domain.memory import Memory
from bot.domain.revisions import Revision, RevisionKind
from bot.domain.rollback import RollBack, RollbackPlan, RollbackScope, RollbackStep, SubjectHistory
from bot.errors import UserError
from bot.ports.clock import Clock
from bot.ports.revisions import PastMemory
from bot.ports.store import Store
from bot.prompts import render
from bot.sentences import say
from bot.text.figures import decimal
from bot.text.redaction import Redactor
from bot.text.text import excerpt, one_line_name
from bot.text.times import age, minute

_MAX_SHOWN = 20
_EXCERPT_CHARS = 70
_NAME_CHARS = 24
_LOOK_BACK = 300
_MAX_CHANNELS = 200


class RollbackWish(NamedTuple):
    """What is to be gone back from: since when, whose part (empty: everybody's), and whether of the whole server."""

    since: int
    user: str = ""
    everywhere: bool = False


@dataclass(frozen=True, kw_only=True, eq=False)
class VersionPages:
    """Shows versions to one admin, for the channels that they may inspect, and offers to go back."""

    store: Store
    targets: TargetResolver
    offering: OfferMaker
    redactor: Redactor
    clock: Clock

    async def history(self, person: PersonKey, memory: Memory, target: TargetChannel) -> str:
        """Tell every version of a memory, the oldest first."""
        found = await self.store.revisions.of(RevisionKind.MEMORY, memory.id)
        names = await self._names([target])
        shown = await self.targets.may(AccessRight.RECALL, person, target)
        lines = [excerpt(memory.body.content, _EXCERPT_CHARS) if shown else say("memory_pages.withheld")]
        came = memory.body.provenance.imported
        lines += version_words.past_elsewhere(came, names, self.clock.now()) if came is not None else []
        for before, one in zip((None, *found), found, strict=False):
            lines.append(say("memory_pages.ago", line=version_words.done_by(one, names), age=self._age(one.at)))
            parts = version_words.memory_line(before, one), version_words.came_from(one)
            lines += [f"  {part}" for part in parts if part]
        name = handle(HandleKind.MEMORY, memory.id)
        since = await self._since_line(found[0].at if found else 0)
        return "\n".join((say("memory_pages.became-of", handle=name), quoted("\n".join(lines), self.redactor), *since))

    async def diff(self, person: PersonKey, target: TargetChannel, since: int) -> str:
        """Tell what has changed in a channel since a time."""
        found = await self._changed([target], since)
        if not await self.targets.may_inspect(person, target):
            # moderators look through memories, not through settings
            found = [one for one in found if one.newest.kind is RevisionKind.MEMORY]
        place, time = channel_word(target), minute(since)
        if not found:
            nothing = say("memory_pages.nothing-changed", place=place, time=time)
            return "\n".join((nothing, *await self._since_line(since)))
        shown = {target.key.channel: await self.targets.may(AccessRight.RECALL, person, target)}
        listed = await self._listed(found, await self._names([target]), shown)
        more = [say("memory_pages.more", count=len(found) - _MAX_SHOWN)] if len(found) > _MAX_SHOWN else []
        return "\n".join(
            (
                say("memory_pages.changed-since", place=place, time=time, count=len(found)),
                quoted(listed, self.redactor),
                *more,
                *await self._since_line(since),
                say("memory_pages.rollback-undoes"),
            )
        )

    async def as_of(self, person: PersonKey, target: TargetChannel, at: int) -> str:
        """Tell what was remembered from a channel at a time."""
        found, shown = await self.remembered_at(person, target, at)
        place, time, ago = channel_word(target), minute(at), self._age(at)
        if not found:
            return say("memory_pages.nothing-remembered-at", place=place, time=time, age=ago)
        names = await self._names([target])
        lines = []
        for one in found[:_MAX_SHOWN]:
            state, now = one.then.memory, one.now
            then = state.body if state else None
            kind = f"{then.type.value} {decimal(then.importance, 2)}" if then else say("memory_pages.erased")
            author = names.get(now.body.provenance.author) or say("memory_pages.someone")
            words = excerpt(now.body.content, _EXCERPT_CHARS) or say("memory_pages.deleted-since")
            gone = f" · {say('memory_pages.forgotten-since')}" if now.forgotten_at else ""
            lines += [
                words if shown else say("memory_pages.withheld"),
                f"  {kind} · {author}{gone} · {handle(HandleKind.MEMORY, now.id)}",
            ]
        more = [say("memory_pages.more", count=len(found) - _MAX_SHOWN)] if len(found) > _MAX_SHOWN else []
        head = say("memory_pages.remembered-at", place=place, time=time, age=ago, count=len(found))
        return "\n".join((head, quoted("\n".join(lines), self.redactor), *more))

    async def remembered_at(
        self, person: PersonKey, target: TargetChannel, at: int
    ) -> tuple[Sequence[PastMemory], bool]:
        """Return what was remembered from a channel at a time, and whether this person may read its words.

        Raises UserError for a time before the first version: nothing of it is kept.
        """
        since = await self.store.revisions.since()
        if at < since:
            raise UserError(render("cortex/no_versions", since=minute(since), day=self._age(since)))
        found = await self.store.revisions.memories_at(target.key.agent, [target.key.channel], at)
        return found, await self.targets.may(AccessRight.RECALL, person, target)

    async def rollback(self, talk: SessionContext, wanted: RollbackWish) -> ThreadReply:
        """Offer to take back what was changed since a time; raise UserError with the reason why not."""
        begun = await self.store.revisions.since()
        if wanted.since < begun:
            raise UserError(render("cortex/no_versions", since=minute(begun), day=self._age(begun)))
        places = await self._places(talk) if wanted.everywhere else [talk.target]
        user = await self._person(places, wanted)
        scope = RollbackScope(
            agent=talk.target.key.agent,
            channels=tuple(place.key.channel for place in places),
            since=wanted.since,
            until=await self.store.revisions.newest(),
            platform=platform_of(talk.target.key.channel) if user else "",
            user=user,
        )
        plan = await self.store.revisions.plan(scope)
        if not plan.steps:
            raise UserError(render("cortex/rollback", count=_counts(plan), nothing=True, since=minute(wanted.since)))
        counts = _counts(plan)
        names = await self._names(places)
        told = render(
            "cortex/rollback",
            count=counts,
            nothing=False,
            since=minute(wanted.since),
            ago=self._age(wanted.since),
            who=names.get(user) or (say("memory_pages.id", user=user) if user else ""),
            where=len(places),
        )
        fix = RollBack(
            scope=scope, memories=counts["memories"], settings=counts["settings"], summaries=counts["summaries"]
        )
        shown = {place.key.channel: await self.targets.may_read(talk.caller.person, place) for place in places}
        lines = quoted(await self._steps(plan.steps, shown), self.redactor)
        return await self.offering.roll_back(talk.session, talk.target, fix, (*told.splitlines(), lines))

    async def _changed(self, places: Sequence[TargetChannel], since: int) -> list[SubjectHistory]:
        channels = [place.key.channel for place in places]
        found = await self.store.revisions.changed(places[0].key.agent, channels, since)
        return sorted(found, key=lambda one: one.newest.id, reverse=True)

    async def _listed(
        self, found: Sequence[SubjectHistory], names: Mapping[str, str], shown: Mapping[ChannelId, bool]
    ) -> str:
        lines = list[str]()
        for history in found[:_MAX_SHOWN]:
            newest = history.newest
            by = say("memory_pages.ago", line=version_words.done_by(newest, names), age=self._age(newest.at))
            lines += [f"{version_words.sign_of(history)} {line}" for line in await self._what(history, shown)]
            lines.append(f"  {by} · {_handle(newest)}" if _handle(newest) else f"  {by}")
        return "\n".join(lines)

    async def _what(self, history: SubjectHistory, shown: Mapping[ChannelId, bool]) -> Sequence[str]:
        newest = history.newest
        match newest.kind:
            case RevisionKind.MEMORY:
                return (await self._words(newest.subject, shown),)
            case RevisionKind.SETTINGS:
                before, after = history.before.settings if history.before else None, newest.settings
                if before is None or after is None:
                    return (say("memory_pages.settings"),)
                return version_words.settings_lines(before, after) or (say("memory_pages.settings-same"),)
            case RevisionKind.SUMMARY:
                return (say("memory_pages.summary-stands" if newest.stands else "memory_pages.summary-undone"),)

    async def _steps(self, steps: Sequence[RollbackStep], shown: Mapping[ChannelId, bool]) -> str:
        """Say what would be different, as a diff from now to then."""
        lines = list[str]()
        for step in steps[:_MAX_SHOWN]:
            (now,) = (await self.store.revisions.of(step.kind, step.subject))[-1:]
            then = now.model_copy(update={"state": step.state, "words": step.words})
            going = SubjectHistory(before=now, since=(then,))
            sign = version_words.sign_of(going)
            lines += [f"{sign} {line}" for line in await self._what(going, shown)]
        more = len(steps) - _MAX_SHOWN
        return "\n".join((*lines, *([say("memory_pages.and-more", count=more)] if more > 0 else [])))

    async def _words(self, row: int, shown: Mapping[ChannelId, bool]) -> str:
        memory = await self.store.memories.get(row)
        if memory is None or not shown.get(memory.body.channel):
            return say("memory_pages.withheld")
        return excerpt(memory.body.content, _EXCERPT_CHARS) or say("memory_pages.words-deleted")

    async def _places(self, talk: SessionContext) -> list[TargetChannel]:
        """Return the channels of a server that somebody may inspect, beginning with this one."""
        here, places = talk.target, [talk.target]
        server = (platform_of(here.key.channel), here.place.guild_id)
        for known in await self.store.channels.known(here.key.agent):
            is_near = server[1] and (platform_of(known.id), known.place.guild_id) == server
            if not is_near or known.key == here.key or known.place.is_dm:
                continue
            place = TargetChannel(known.key, known.name, known.place)
            if len(places) < _MAX_CHANNELS and await self.targets.may_inspect(talk.caller.person, place):
                places.append(place)
        return places

    async def _person(self, places: Sequence[TargetChannel], wanted: RollbackWish) -> UserId:
        """Return who is meant by an id, a mention or a name; raise UserError where that is nobody, or several."""
        user = wanted.user.strip("<@!>") if wanted.user.startswith("<@") else wanted.user
        if not user or user.isdigit():
            return UserId(user)
        name = user.lstrip("@").casefold()
        found = [UserId(who) for who, known in (await self._names(places)).items() if known.casefold() == name]
        if len(found) != 1:
            raise UserError(say("memory_pages.several-have-name" if found else "memory_pages.nobody-has-name"))
        return found[0]

    async def _names(self, places: Sequence[TargetChannel]) -> dict[str, str]:
        """Return what people are called, by their ids: those who wrote there of late, and admins who did something."""
        platform = platform_of(places[0].key.channel)
        audit = await self.store.audit.newest(None, _LOOK_BACK)
        names = {row.body.actor: row.body.actor_name for row in audit if row.body.platform == platform}
        for place in places:
            for stored in reversed(await self.store.ledger.recent(place.key, _LOOK_BACK)):
                names[stored.inbound.author.user_id] = stored.inbound.author.name
            for memory in await self.store.memories.listed(place.key.agent, place.key.channel, ""):
                names.setdefault(memory.body.provenance.author, memory.body.provenance.author_name)
        return {user: one_line_name(name, _NAME_CHARS) for user, name in names.items() if name}

    async def _since_line(self, asked: int) -> list[str]:
        since = await self.store.revisions.since()
        if not since or asked > since:
            return []
        return [render("cortex/no_versions", since=minute(since), day=self._age(since))]

    def _age(self, at: int) -> str:
        return age(self.clock.now() - at)


def _handle(revision: Revision) -> str:
    match revision.kind:
        case RevisionKind.MEMORY:
            return handle(HandleKind.MEMORY, revision.subject)
        case RevisionKind.SUMMARY:
            return handle(HandleKind.COMPACTION, revision.subject)
        case RevisionKind.SETTINGS:
            return ""


def _counts(plan: RollbackPlan) -> dict[str, int]:
    memories = plan.of(RevisionKind.MEMORY)
    return {
        "memories": len(memories),
        "settings": len(plan.of(RevisionKind.SETTINGS)),
        "summaries": len(plan.of(RevisionKind.SUMMARY)),
        "gone": plan.gone,
        "stuck": plan.stuck,
    }
