"""What can be offered for a channel or a message now, and the offer of each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from bot.cortex.fixes.offers import OfferMaker, ThreadReply
from bot.cortex.fixes.rule_fixes import RULE_FIXES, FixKind
from bot.cortex.sessions.buttons import MOST_PICKED
from bot.cortex.sessions.unanswered_messages import UnansweredMessages, unanswered
from bot.cortex.targets.target_resolver import TargetChannel
from bot.cortex.words.fix_labels import memories_word, messages_word
from bot.domain.access import Authority, Caller
from bot.domain.channel import ChannelSettings, ChannelState, ResponseMode
from bot.domain.finding import (
    AnswerWaiting,
    AskModelAgain,
    CompactNow,
    Diagnosis,
    ForgetMemories,
    LiveFix,
    MemoryVersion,
    NewConversation,
    SettingChange,
    StoredSession,
)
from bot.domain.handles import HandleKind, handle
from bot.domain.health import ModelHealth
from bot.domain.ids import ChannelKey, UserId
from bot.domain.ledger import StoredInbound
from bot.domain.memory import Memory
from bot.domain.messages import Inbound
from bot.domain.setting_fixes import AdmitChannel, AdmitPerson, SetMode, SetModel, SwitchSkill, SwitchTool
from bot.errors import UserError
from bot.ports.store import Store
from bot.prompts import render
from bot.sentences import say
from bot.text.figures import exact_number
from bot.text.text import one_line_name, quote_line
from bot.text.times import clock_time, minute

_LOOK_BACK = 200
_MAX_AT_ONCE = MOST_PICKED
"""So many messages are answered with one press."""
_MAX_NAMED = 20
_MAX_ERROR_CHARS = 160
_LISTS = {
    FixKind.ADMIT_PERSON: frozenset({"user_denied"}),
    FixKind.ADMIT_CHANNEL: frozenset({"channel_denied", "guild_denied"}),
}
"""Why a message is stopped by a list that such a fix is about."""
_MODE_WORDS = {
    ResponseMode.ACTIVE: "offers.does-active",
    ResponseMode.MENTION_ONLY: "offers.does-mention-only",
    ResponseMode.OBSERVE: "offers.does-observe",
}


class Fullness(NamedTuple):
    """How many tokens the last request had, and how much of its model's room that is in percent."""

    tokens: int
    percent: float


@dataclass(frozen=True, kw_only=True)
class FixFacts:
    """What the running bot knows: which models answer where, how they are, and what can be switched.

    `chain` are the models that are asked in a channel, in order; `check` raises UserError for a model that cannot be
    asked; `skills` and `tools` are the names that can be switched in a channel; `configured` is what holds where nobody
    set anything; `can_shorten` says whether a summary would be worth it, `stops` why a message would be stopped now
    (empty: it would not).
    """

    chain: Callable[[ChannelState], Sequence[str]]
    check: Callable[[str], None]
    health: Callable[[], Sequence[ModelHealth]]
    skills: Callable[[ChannelKey], Sequence[str]]
    tools: Callable[[ChannelKey], Sequence[str]]
    configured: Callable[[ChannelKey], ChannelSettings]
    fullness: Callable[[ChannelState], Fullness]
    can_shorten: Callable[[ChannelState], bool]
    stops: Callable[[Inbound], str]


class OfferedFix(NamedTuple):
    """What can be offered, what its button says, and the row that it is about."""

    kind: FixKind
    label: str
    row: int = 0


@dataclass(frozen=True, kw_only=True, eq=False)
class FixMenu:
    """Looks and offers; nothing is changed before its offer is confirmed."""

    store: Store
    offering: OfferMaker
    waiting: UnansweredMessages
    facts: FixFacts

    async def for_rule(self, diagnosis: Diagnosis, target: TargetChannel, caller: Caller) -> OfferedFix | None:
        """Return the first fix of what was found that can be done now."""
        winner = diagnosis.findings[0] if diagnosis.findings else None
        kinds = RULE_FIXES[winner.rule].kinds if winner is not None and winner.rule in RULE_FIXES else ()
        for kind in kinds:
            if offered := await self._offered(kind, target, caller, diagnosis.inbound):
                return offered
        return None

    async def listed(self, target: TargetChannel, caller: Caller) -> Sequence[OfferedFix]:
        """Return everything that can be done for a channel now."""
        kinds = (
            FixKind.RESUME,
            FixKind.MODE,
            FixKind.ASK_AGAIN,
            FixKind.MODEL,
            FixKind.NEWEST,
            FixKind.ANSWER_WAITING,
            FixKind.COMPACT,
            FixKind.NEW,
            FixKind.TELL,
        )
        found = [await self._offered(kind, target, caller, 0) for kind in kinds]
        return [one for one in found if one is not None]

    async def offer(
        self, kind: FixKind, session: StoredSession, target: TargetChannel, caller: Caller, row: int
    ) -> ThreadReply:
        """Offer one of them, with its effect; raise UserError with the reason why not."""
        match kind:
            case FixKind.RESUME:
                return await self.offering.resume(session, target)
            case FixKind.TELL:
                return await self.offering.tell(session, target)
            case FixKind.FORGET:
                memory = await self.store.memories.get(row)
                if memory is None:
                    raise UserError(say("cortex.no-such-record"))
                return await self.offering.forget(session, target, memory)
            case FixKind.RETRY:
                return await self.answer(session, target, await self._open(target, row))
            case FixKind.NEWEST:
                return await self.answer(session, target, (await self._waiting(target))[:1])
            case FixKind.ANSWER_WAITING:
                return await self.answer(session, target, await self._waiting(target))
            case _:
                return await self._offer_setting(kind, session, target, caller, row)

    async def _offer_setting(
        self, kind: FixKind, session: StoredSession, target: TargetChannel, caller: Caller, row: int
    ) -> ThreadReply:
        match kind:
            case FixKind.MODE:
                return await self.mode(session, target, caller, _better(await self._state(target), self._usual(target)))
            case FixKind.MODEL:
                return await self.model(session, target, self._other_model(await self._state(target)))
            case FixKind.ASK_AGAIN:
                return await self._ask_again(session, target)
            case FixKind.NEW:
                return await self._new(session, target)
            case FixKind.COMPACT:
                return await self._compact(session, target)
            case _:
                return await self._admit(kind, session, target, caller, row)

    async def mode(
        self, session: StoredSession, target: TargetChannel, caller: Caller, mode: ResponseMode | None
    ) -> ThreadReply:
        """Offer another mode; None is what the configuration says."""
        if target.place.is_dm:
            raise UserError(say("offers.modes-are-for-groups"))
        now, usual = (await self._state(target)).settings, self._usual(target)
        wanted = usual.mode if mode is None else mode
        by = None if mode is None else caller.person.user_id
        effective = now.mode if now.mode_by is not None else usual.mode
        if (effective, now.mode_by is None) == (wanted, by is None) or (effective is wanted and by is not None):
            raise UserError(say("offers.holds-already", what=say(_MODE_WORDS[effective])))
        fix = SetMode(channel=target.key.channel, mode=wanted, by=by, was=now.mode, was_by=now.mode_by)
        effect = say("offers.from-then-on", what=say(_MODE_WORDS[wanted]))
        return await self._change(session, target, fix, was=say(_MODE_WORDS[effective]), effect=effect)

    async def model(self, session: StoredSession, target: TargetChannel, model: str) -> ThreadReply:
        """Offer another model for a channel; an empty name is the usual one."""
        state = await self._state(target)
        if model:
            self.facts.check(model)
        if state.settings.model == model:
            raise UserError(say("offers.model-asked-already"))
        fix = SetModel(channel=target.key.channel, model=model, was=state.settings.model)
        now = one_line_name(self.facts.chain(state)[0], 60)
        return await self._change(session, target, fix, was=now, price="")

    async def tool(self, session: StoredSession, target: TargetChannel, name: str, *, on: bool) -> ThreadReply:
        """Offer to switch a tool off in a channel, or on again."""
        state = await self._state(target)
        known = dict.fromkeys((*self.facts.tools(target.key), *state.settings.tools_off))
        _check_known("offers.no-such-tool", name, known)
        fix = SwitchTool(channel=target.key.channel, tool=name, on=on)
        if not fix.fits(state.settings):
            raise UserError(say("offers.is-on-already" if on else "offers.is-off-already", name=name))
        calls = sum(call.name == name for turn in state.turns for call in turn.calls)
        return await self._change(session, target, fix, on=on, used=calls)

    async def skill(self, session: StoredSession, target: TargetChannel, name: str, *, on: bool) -> ThreadReply:
        """Offer to switch a skill off in a channel, or on again."""
        state = await self._state(target)
        _check_known("offers.no-such-skill", name, self.facts.skills(target.key))
        was = state.settings.switches.get(name)
        if was is on:
            raise UserError(say("offers.is-on-already" if on else "offers.is-off-already", name=name))
        fix = SwitchSkill(channel=target.key.channel, skill=name, on=on, was=was)
        return await self._change(session, target, fix, on=on, used=0)

    async def answer(
        self,
        session: StoredSession,
        target: TargetChannel,
        newest_first: Sequence[StoredInbound],
        *,
        chooses: bool = True,
    ) -> ThreadReply:
        """Offer to answer messages that wait, of very many the newest; `chooses`: or only those of some people."""
        if not newest_first:
            raise UserError(say("offers.no-message-waits"))
        taken = list(reversed(newest_first[:_MAX_AT_ONCE]))
        fix = AnswerWaiting(channel=target.key.channel, rows=tuple(one.id for one in taken))
        people = len({one.inbound.person for one in taken})
        told = render(
            "cortex/fix_effect",
            kind=fix.kind,
            count=messages_word(len(taken)),
            since=clock_time(taken[0].arrived_at),
            people=people,
            expensive=len(newest_first) > _MAX_AT_ONCE,
            most=_MAX_AT_ONCE,
        )
        return await self.offering.answer(session, target, fix, told, chooses=chooses and people > 1)

    async def forget_all(
        self, session: StoredSession, target: TargetChannel, found: Sequence[Memory], user: UserId, since: int
    ) -> ThreadReply:
        """Offer to forget everything that somebody had remembered since a time; all of it may be forgotten by them."""
        left = [memory for memory in found if not memory.forgotten_at]
        if not left:
            raise UserError(say("offers.nothing-remembered"))
        fix = ForgetMemories(
            memories=tuple(MemoryVersion(memory=one.id, version=one.version) for one in left), user=user
        )
        names = [handle(HandleKind.MEMORY, one.id) for one in left]
        shown = ", ".join(names[:_MAX_NAMED])
        if len(names) > _MAX_NAMED:
            shown = say("offers.names-and-more", names=shown, more=len(names) - _MAX_NAMED)
        return await self._change(
            session,
            target,
            fix,
            count=memories_word(len(left)),
            since=minute(since) if since else say("offers.the-beginning"),
            user=user,
            names=shown,
        )

    async def _offered(self, kind: FixKind, target: TargetChannel, caller: Caller, row: int) -> OfferedFix | None:
        """Return a fix with its words if it can be done now."""
        where = one_line_name(target.name, 20)
        match kind:
            case FixKind.RETRY:
                found = await self._open(target, row)
                label = say("offers.answer", handle=handle(HandleKind.INBOUND, row))
                return OfferedFix(kind, label, row) if found else None
            case FixKind.NEWEST | FixKind.ANSWER_WAITING:
                count = len(await self._waiting(target))
                if not count or (kind is FixKind.ANSWER_WAITING and count == 1):
                    return None
                if kind is FixKind.NEWEST:
                    return OfferedFix(kind, say("offers.answer-newest"))
                return OfferedFix(kind, say("offers.answer-count", count=count))
            case FixKind.ADMIT_PERSON | FixKind.ADMIT_CHANNEL:
                if caller.authority < Authority.OWNER or not await self._is_kept_out(kind, target, row):
                    return None
                if kind is FixKind.ADMIT_PERSON:
                    return OfferedFix(kind, say("offers.let-them-in"), row)
                return OfferedFix(kind, say("offers.let-place-in", place=where), row)
            case FixKind.TELL:
                return OfferedFix(kind, say("offers.tell", place=where)) if await self._waiting(target) else None
            case _:
                state = await self.store.channels.load(target.key)
                label = self._label(kind, target, state) if state is not None else ""
                return OfferedFix(kind, label) if label else None

    def _label(self, kind: FixKind, target: TargetChannel, state: ChannelState) -> str:
        """Say on a button what can be changed of a channel as it is now; empty where nothing of the kind can."""
        settings = state.settings
        match kind:
            case FixKind.MODE:
                mode = settings.mode if settings.mode_by is not None else self._usual(target).mode
                return "" if mode is ResponseMode.ACTIVE or target.place.is_dm else say("offers.change-mode")
            case FixKind.MODEL if self._can_switch(state):
                return say("offers.usual-model" if settings.model else "offers.other-model")
            case FixKind.ASK_AGAIN if model := self._cooling(state):
                return say("offers.ask-again", model=one_line_name(model.model, 30))
            case FixKind.NEW if state.turns:
                return say("offers.start-over")
            case FixKind.COMPACT if self.facts.can_shorten(state):
                return say("offers.shorten")
            case FixKind.RESUME if settings.pause is not None:
                return say("offers.resume", place=one_line_name(target.name, 20))
            case _:
                return ""  # a finding that names its memory has its own button

    async def _ask_again(self, session: StoredSession, target: TargetChannel) -> ThreadReply:
        model = self._cooling(await self._state(target))
        if model is None:
            raise UserError(say("offers.nobody-left-alone"))
        fix = AskModelAgain(model=model.model)
        error = quote_line(model.error, _MAX_ERROR_CHARS)
        return await self._change(session, target, fix, until=clock_time(model.cooling_until), error=error)

    async def _new(self, session: StoredSession, target: TargetChannel) -> ThreadReply:
        state = await self._state(target)
        if not state.turns:
            raise UserError(say("offers.new-already"))
        return await self._change(session, target, NewConversation(channel=state.id), turns=len(state.turns))

    async def _compact(self, session: StoredSession, target: TargetChannel) -> ThreadReply:
        state = await self._state(target)
        if not self.facts.can_shorten(state):
            raise UserError(say("offers.nothing-to-shorten"))
        size = self.facts.fullness(state)
        percent, used = round(size.percent), exact_number(size.tokens)
        return await self._change(session, target, CompactNow(channel=state.id), percent=percent, used=used)

    async def _admit(
        self, kind: FixKind, session: StoredSession, target: TargetChannel, caller: Caller, row: int
    ) -> ThreadReply:
        if caller.authority < Authority.OWNER:
            raise UserError(say("offers.only-owner-lets-in"))
        settings = (await self._state(target)).settings
        if kind is FixKind.ADMIT_CHANNEL:
            fix: SettingChange = AdmitChannel(channel=target.key.channel)
        else:
            stored = await self.store.ledger.inbound(row)
            if stored is None or stored.key != target.key:
                raise UserError(say("cortex.no-such-record"))
            fix = AdmitPerson(channel=target.key.channel, user=stored.inbound.author.user_id)
        if not fix.fits(settings):
            raise UserError(say("offers.let-in-already"))
        return await self._change(session, target, fix)

    async def _is_kept_out(self, kind: FixKind, target: TargetChannel, row: int) -> bool:
        """Say whether a list of the configuration would stop a message now; who opted out is no list's matter."""
        stored = await self.store.ledger.inbound(row) if row else None
        if stored is None or stored.key != target.key or (target.place.is_dm and kind is FixKind.ADMIT_CHANNEL):
            return False
        return self.facts.stops(stored.inbound) in _LISTS[kind]

    async def _change(
        self,
        session: StoredSession,
        target: TargetChannel,
        fix: SettingChange | LiveFix | ForgetMemories,
        **effect: Any,
    ) -> ThreadReply:
        return await self.offering.change(session, target, fix, render("cortex/fix_effect", kind=fix.kind, **effect))

    async def _open(self, target: TargetChannel, row: int) -> Sequence[StoredInbound]:
        stored = await self.waiting.open(row) if row else None
        return (stored,) if stored is not None and stored.key == target.key else ()

    async def _waiting(self, target: TargetChannel) -> Sequence[StoredInbound]:
        return unanswered(await self.store.ledger.recent(target.key, _LOOK_BACK), frozenset())

    async def _state(self, target: TargetChannel) -> ChannelState:
        """Return the channel as it is stored; one that nothing was ever let in from gets its row."""
        return await self.store.channels.meet(target.key, target.name, target.place, self._usual(target))

    def _usual(self, target: TargetChannel) -> ChannelSettings:
        return self.facts.configured(target.key)

    def _cooling(self, state: ChannelState | None) -> ModelHealth | None:
        chain = self.facts.chain(state) if state is not None else ()
        return next((one for one in self.facts.health() if one.cooling_until and one.model in chain), None)

    def _can_switch(self, state: ChannelState) -> bool:
        return bool(state.settings.model) or len(self.facts.chain(state)) > 1

    def _other_model(self, state: ChannelState) -> str:
        """Return the usual model where another is set; else the first that stands in."""
        if state.settings.model:
            return ""
        others = self.facts.chain(state)[1:]
        if not others:
            raise UserError(say("offers.no-other-model"))
        return others[0]


def _better(state: ChannelState, usual: ChannelSettings) -> ResponseMode | None:
    """Return a mode in which more is answered: as configured where somebody set less, else every message."""
    now = state.settings.mode if state.settings.mode_by is not None else usual.mode
    if now is ResponseMode.OBSERVE:
        return None if usual.mode is not ResponseMode.OBSERVE else ResponseMode.MENTION_ONLY
    return ResponseMode.ACTIVE


def _check_known(unknown: str, name: str, known: Sequence[str] | dict[str, None]) -> None:
    if name not in known:
        names = ", ".join(list(known)[:_MAX_NAMED]) or say("offers.none")
        raise UserError(say(unknown, name=quote_line(name, 60), names=names))
