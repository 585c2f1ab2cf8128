"""What is kept of people: say so, offer not to record a channel and to forget a person, and carry the latter out."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

import structlog

from bot.cortex.fixes.offers import OfferMaker, ThreadReply
from bot.cortex.sessions.thread_poster import ThreadPoster
from bot.cortex.targets.session_context import SessionContext
from bot.cortex.targets.target_resolver import TargetChannel, TargetResolver
from bot.domain.access import Authority
from bot.domain.channel import RecordingOff
from bot.domain.erasure import Erasure, PersonalFootprint, ReleasedCopies, footprint_text
from bot.domain.finding import ForgetUser, SetRecording, StoredSession
from bot.domain.ids import ChannelId, ChannelKey, PersonKey, UserId
from bot.domain.turn import MarkKind
from bot.errors import DeliveryError, UserError
from bot.ports.clock import Clock
from bot.ports.store import Store
from bot.prompts import render
from bot.runtime.tasks import TaskSupervisor
from bot.sentences import say
from bot.text.times import minute

log = structlog.get_logger(__name__)

UNRECORDED_BY_FILE = RecordingOff(by=UserId(""), by_role="", at=0)
_MAX_NAMED_FILES = 8


def since(unrecorded: RecordingOff) -> str:
    """Say since when and by whom a channel is not recorded."""
    if not unrecorded.at:
        return say("privacy.by-configuration")
    return say("privacy.since-by", time=minute(unrecorded.at), role=unrecorded.by_role, user=unrecorded.by)


def not_recorded(holds: RecordingOff | None) -> str:
    """Say why what was sent last from a channel cannot be shown."""
    return say("privacy.not-recorded", since=since(holds) if holds else "none")


@dataclass(frozen=True)
class PrivacyOffers:
    """Answers `record` and `forget user`. `recording` says what holds in a channel now, the file's word included."""

    store: Store
    clock: Clock
    targets: TargetResolver
    offering: OfferMaker
    recording: Callable[[ChannelKey], RecordingOff | None]

    async def record(self, talk: SessionContext, record: bool | None) -> ThreadReply:
        """Say what holds, or offer a change; raise UserError with the reason why not."""
        if record is None:
            return ThreadReply(await self._state(talk.target))
        holds = self.recording(talk.target.key)
        if holds is not None and not holds.at:
            raise UserError(say("privacy.configuration-decides"))
        if record == (holds is None):
            raise UserError(await self._state(talk.target))
        person, role = talk.caller.person, talk.caller.authority.word
        fix = SetRecording(channel=talk.target.key.channel, record=record, by=person.user_id, by_role=role)
        return await self.offering.recording(talk.session, talk.target, fix)

    def not_recorded(self, key: ChannelKey) -> str:
        """Say why what was sent last from a channel cannot be shown."""
        return not_recorded(self.recording(key))

    async def may_forget(self, actor: PersonKey, authority: Authority, channels: tuple[str, ...]) -> str:
        """Return why somebody may not have a person forgotten in these channels (none: everywhere); empty: they may.

        Nothing is read for it, so owners may everywhere; an admin only in channels of theirs.
        """
        if authority >= Authority.OWNER:
            return ""
        if authority < Authority.ADMIN:
            return say("privacy.only-an-admin")
        theirs = await self._of_these(actor, channels)
        return "" if channels and len(theirs) == len(channels) else say("privacy.no-admin-there")

    async def _of_these(self, actor: PersonKey, channels: Sequence[str]) -> list[ChannelId]:
        """Return those channels that somebody may inspect, asked now."""
        theirs = []
        for channel in dict.fromkeys(map(ChannelId, channels)):
            target = await self.targets.anywhere(channel)
            if target is not None and await self.targets.may_inspect(actor, target):
                theirs.append(channel)
        return theirs

    async def _state(self, target: TargetChannel) -> str:
        holds = self.recording(target.key)
        if holds is None:
            return say("privacy.is-recorded")
        return say("privacy.is-not-recorded", since=since(holds))

    async def forget_user(self, talk: SessionContext, user: UserId) -> ThreadReply:
        """Offer to forget somebody, with what that takes out; raise UserError with the reason why not."""
        person = PersonKey(talk.caller.person.platform, user)
        found, caller = await self.store.erasures.footprint(person), talk.caller
        within: list[ChannelId] = []
        nothing = say("privacy.nothing-on-platform", user=user, platform=person.platform)
        if caller.authority < Authority.OWNER:
            # what somebody did elsewhere is not told them, nor whether there is anything
            within = await self._of_these(caller.person, (talk.target.key.channel, *found.channels))
            found = await self.store.erasures.footprint(person, within)
            nothing = say("privacy.nothing-in-your-channels", user=user)
        if found.is_empty:
            raise UserError(nothing)
        if refused := await self.may_forget(caller.person, caller.authority, tuple(within)):
            raise UserError(refused)
        lines = (
            say("privacy.takes-out-in-yours" if within else "privacy.takes-out"),
            *(f"· {line}" for line in footprint_text(found)),
            render("own/copies"),
            render("own/out_of_reach"),
        )
        fix = ForgetUser(platform=person.platform, user=user, channels=tuple(within))
        return await self.offering.forget_user(talk.session, talk.target, fix, lines)


@dataclass(frozen=True)
class ErasureRunner:
    """Carries out what was confirmed, in the background, and gives a receipt.

    `reload_channel` lets a live conversation begin its next turn with what is stored, `reload_settings` what is set in
    a channel hold as it is stored; `forgotten` takes out of memory what somebody set for themselves.
    """

    store: Store
    clock: Clock
    targets: TargetResolver
    tasks: TaskSupervisor
    post: ThreadPoster
    reload_channel: Callable[[ChannelKey], None]
    reload_settings: Callable[[ChannelKey], Awaitable[None]]
    forgotten: Callable[[PersonKey], None] = lambda _: None

    def begin(self, fix: ForgetUser, session: StoredSession, name: str) -> None:
        """Start; the receipt goes to the session."""
        self.tasks.spawn(f"forget {fix.platform} id {fix.user}", self._carry_out(fix, session, name))

    async def at_own_request(self, person: PersonKey, tell: Callable[[str], Awaitable[None]]) -> None:
        """Start for somebody who asked for it themselves; they are told when it is done."""
        user = person.user_id
        await self.store.erasures.ask(person, self.clock.now())
        fix, name = ForgetUser(platform=person.platform, user=user), f"forget {person.platform} id {user}"
        self.tasks.spawn(name, self._tell_when_done(fix, tell))

    async def finish(self) -> int:
        """Go on with what a process that ended left undone; return how many people that were."""
        left = await self.store.erasures.unfinished()
        for erasure in left:
            await self._erase(erasure)
        return len(left)

    async def _carry_out(self, fix: ForgetUser, session: StoredSession, name: str) -> None:
        taken, copies = await self._all_of(fix)
        files = _names(taken.files)
        done = say("privacy.is-forgotten", user=fix.user, handle=name)
        text = "\n".join((done, *_receipt(taken, files, copies)))
        try:
            await self.post.say(session, text)
        except DeliveryError as error:
            log.info("receipt_undeliverable", code=error.code)

    async def _tell_when_done(self, fix: ForgetUser, tell: Callable[[str], Awaitable[None]]) -> None:
        taken, copies = await self._all_of(fix)
        # what a file is called may say what others did in that channel
        count = len(taken.files)
        files = [say("privacy.your-files-went", count=count)] if count else []
        await tell("\n".join((say("privacy.you-are-forgotten", user=fix.user), *_receipt(taken, files, copies))))

    async def _all_of(self, fix: ForgetUser) -> tuple[PersonalFootprint, ReleasedCopies]:
        """Take out everything that was asked for of somebody; return what the first time took."""
        mine = [one for one in await self.store.erasures.unfinished() if (one.platform, one.user_id) == _of(fix)]
        taken: tuple[PersonalFootprint, ReleasedCopies] | None = None
        for erasure in mine:
            done = await self._erase(erasure)
            taken = taken or done
        return taken or (PersonalFootprint(), ReleasedCopies())

    async def _erase(self, erasure: Erasure) -> tuple[PersonalFootprint, ReleasedCopies]:
        """Take it out twice: what conversations held in memory meanwhile may have been written once more."""
        person, within = PersonKey(erasure.platform, erasure.user_id), erasure.channels or None
        first = await self.store.erasures.erase(person, within)
        if first.choices:
            self.forgotten(person)
        for channel in first.channels:
            for agent in self.targets.agents.names:
                self.reload_channel(ChannelKey(agent, channel))
                await self.reload_settings(ChannelKey(agent, channel))
        await self.store.erasures.erase(person, within)
        copies = await self.store.erasures.replace_copies(person)
        await self.store.erasures.finished(erasure.id, self.clock.now())
        log.info("person_forgotten", platform=erasure.platform, messages=first.messages, requests=first.requests)
        return first, copies


def _of(fix: ForgetUser) -> tuple[str, UserId]:
    return fix.platform, fix.user


def _names(files: Sequence[str]) -> list[str]:
    if not files:
        return []
    named, more = ", ".join(files[:_MAX_NAMED_FILES]), len(files) - _MAX_NAMED_FILES
    if more > 0:
        return [say("privacy.removed-files-more", files=named, more=more)]
    return [say("privacy.removed-files", files=named)]


def _receipt(taken: PersonalFootprint, files: list[str], copies: ReleasedCopies) -> list[str]:
    lines = [f"· {line}" for line in footprint_text(taken)] or [say("privacy.nothing-to-take-out")]
    stays = say("privacy.requests-are-marked", mark=MarkKind.REDACTED.value)
    return [*lines, *files, *_copies(copies), stays, render("own/out_of_reach")]


def _copies(copies: ReleasedCopies) -> list[str]:
    if copies.removed:
        return [say("privacy.new-backup", count=copies.removed)]
    if not copies.kept:
        return []
    if copies.until:
        return [say("privacy.backups-may-hold-until", count=len(copies.kept), time=minute(copies.until))]
    return [say("privacy.backups-may-hold", count=len(copies.kept))]
