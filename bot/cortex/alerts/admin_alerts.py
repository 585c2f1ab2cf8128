"""Tell the admins at once what cannot wait until they ask; in private, without anybody's words, and not twice."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, NamedTuple

import structlog

from bot.config.schema import Config
from bot.cortex.targets.target_resolver import TargetChannel
from bot.cortex.targets.texts import channel_word, typed_channel
from bot.domain.base import digest_text
from bot.domain.channel import ChannelState
from bot.domain.handles import HandleKind, handle
from bot.domain.health import AdapterState, ProbeResult
from bot.domain.ids import ChannelId, ChannelKey, PersonKey, platform_of
from bot.domain.incident import CardAction, ChannelTrouble, Followed, Incident
from bot.domain.messages import Button, OutboundAddress
from bot.domain.turn import AlertCount, NewOutbox
from bot.errors import BotError, DeliveryError, StoreError, name_of
from bot.messaging.delivery.poster import ButtonFor
from bot.mind.claim_check import CLAIM_WORDS, CheckedExchange, FalseSuccess
from bot.ports.caller import WebhookCaller
from bot.ports.clock import Clock
from bot.ports.delivery import Delivery
from bot.ports.journal import Outbox
from bot.ports.platform import Platform
from bot.prompts import render
from bot.runtime.lru_cache import LRUCache
from bot.runtime.rate_limiter import RateLimiter
from bot.runtime.tasks import TaskSupervisor
from bot.sentences import ENGLISH, Words, said_in, say, speaking
from bot.text.figures import exact_number
from bot.text.links import defang
from bot.text.redaction import RedactedText
from bot.text.times import clock_time, plain_times

if TYPE_CHECKING:
    from bot.tools.runtime.effects import SavedMemory

log = structlog.get_logger(__name__)

ROW = "alerts"
"""What the doctor's row is called."""
_QUIET_SECONDS = 600.0
"""The same words are only counted for this long."""
_EDIT_SECONDS = 10.0
"""How long after it was last touched an alert may be edited again."""
_RING_INTERVAL_MS = 3_600_000
"""An edit rings no bell: what comes back after so long a rest is a new message."""
_BUTTONS_PER_HOUR = 6
"""Alerts with a button of their own that one person gets in an hour; further ones are told of together."""
_INCIDENT_MEMORY_MS = 7 * 24 * _RING_INTERVAL_MS
"""How long what follows an incident is remembered, and edited in the message that stands."""
_ROUTE_TIMEOUT_SECONDS = 30.0
"""How long one way is tried before the next one; real time, because the network keeps it."""
_LAST_WORDS_SECONDS = 5.0
"""How long the end of a bot that can store nothing waits until its owners know; real time, too."""
_VARYING_WORDS = re.compile(r"\([^)]*\)|`[^`]*`|#?\S*\d\S*")
LONGEST_TEXT = 1_000
"""Characters of an alert's first line that tell it from others."""
_MAX_STANDING_ALERTS = 1000
_MAX_WEBHOOK_CHARS = 1900
_READ_AT_ONCE_CHARS = 800
"""An answer of this size is read in a third of a millisecond."""
"""Discord takes 2000 characters."""


ButtonsFor = Callable[[PersonKey, ChannelId], tuple[Button, ...]]
"""Makes the buttons of one person's message, in their chat."""

MakeCardButton = Callable[[PersonKey, ChannelId, str, CardAction, str], Button]
"""Makes one of them: for whom, where, about which trouble, what it offers, and what it says."""


@dataclass(slots=True)
class _Standing:
    """An alert that stands in somebody's chat, and what happened since it was written there."""

    to: OutboundAddress
    message_id: str
    counted: AlertCount
    text: str
    buttons: tuple[Button, ...]
    shown_at: float
    is_due: bool = False


class _News(NamedTuple):
    """Words for those who run the bot, and what kind of thing they tell of."""

    words: Words
    kind: str
    button: ButtonFor | None = None
    followed: Followed | None = None
    buttons: ButtonsFor | None = None


@dataclass(kw_only=True, eq=False)
class AdminAlerts:
    """Implements `bot.agent.channel.FlaggingAlerts`; `tell` is the sender's way to the admins.

    What concerns one channel goes to owners alone, because an admin may not read of every channel; of flagged memories
    those hear too who may audit it. What concerns the bot itself goes to owners and admins. Alerts of one kind are one
    message, which is edited and says how often; where that is not possible a message an hour is the most.

    `redact` is the one redactor's method; without a `caller` there is no webhook. The outbox knows what was told before
    a restart. Whoever delivers raises alerts too, and so is asked for late. `may_audit` asks now whether somebody may
    look through what is remembered in a channel.
    """

    config: Config
    platforms: Mapping[str, Platform]
    clock: Clock
    tasks: TaskSupervisor
    redact: Callable[[str], RedactedText]
    caller: WebhookCaller | None
    outbox: Outbox
    language: Callable[[PersonKey], str]
    delivery: Callable[[], Delivery]
    may_audit: Callable[[PersonKey, ChannelKey], Awaitable[bool]]
    _standing: LRUCache[tuple[PersonKey, str], _Standing] = field(
        init=False, default_factory=lambda: LRUCache(_MAX_STANDING_ALERTS)
    )
    _turns: LRUCache[PersonKey, asyncio.Lock] = field(
        init=False, default_factory=lambda: LRUCache(_MAX_STANDING_ALERTS)
    )
    _recalling: asyncio.Lock = field(init=False, default_factory=asyncio.Lock)
    _has_recalled: bool = field(init=False, default=False)
    _on_their_way: set[PersonKey] = field(init=False, default_factory=set)
    _kept: dict[PersonKey, NewOutbox] = field(init=False, default_factory=dict)
    _reaching: asyncio.Lock = field(init=False, default_factory=asyncio.Lock)
    _unheard: Words | None = field(init=False, default=None)

    @cached_property
    def _with_button(self) -> RateLimiter[PersonKey]:
        return RateLimiter(self.clock, _BUTTONS_PER_HOUR, _RING_INTERVAL_MS / 1000)

    async def tell(self, words: Words, button: ButtonFor | None = None, kind: str = "") -> None:
        """Tell the owners of every platform, in the background; each gets a button of their own, if there is one."""
        self._spread(_News(words, kind or _kind_of(words), button), tuple(self.platforms))

    async def follow(
        self, about: Followed, words: Words, buttons: ButtonsFor | None = None, *, owners_only: bool = False
    ) -> None:
        """Tell owners and admins how an incident stands, in the one message that each of them has of it.

        What concerns one channel is told to owners alone. Only where messages can be edited: elsewhere each change
        would be another one, and who sits at a terminal reads there that nobody answers. Where nobody can be told in
        private that it began, the webhook is.
        """
        news = _News(words, about.kind, followed=about, buttons=buttons)
        platforms = [name for name, one in self.platforms.items() if one.capabilities.edits]
        people = [person for name in platforms for person in _people(self.config, name, owners_only=owners_only)]
        told: list[bool] = []

        async def go(person: PersonKey) -> None:
            told.append(await self._tell(person, news))

        ways = [self.tasks.spawn(f"incident {one.platform}:{one.user_id}", go(one)) for one in people]
        if ways:
            await asyncio.wait(ways, timeout=_ROUTE_TIMEOUT_SECONDS)
        if (
            any(told)
            or (isinstance(about, Incident) and about.failed > 1)
            or not (people or self.config.alerts.webhook)
        ):
            return
        if failure := await self._post(words):
            log.warning("alert_reached_nobody", webhook=failure, kind="incident")

    async def followed(self) -> Sequence[Incident]:
        """Return the incidents that were told of and have not been over for long, as they were last told of."""
        found: dict[str, Incident] = {}
        for row in await self.outbox.alerts(self.clock.now() - _INCIDENT_MEMORY_MS):
            if row.body.alert is not None and row.body.alert.incident is not None:
                found[row.body.alert.kind] = row.body.alert.incident
        newest: dict[tuple[str, str], Incident] = {}
        for one in sorted(found.values(), key=lambda one: one.since):
            newest[one.provider, one.fault] = one
        return tuple(newest.values())

    def flagged(self, where: ChannelState, turn: int, remembered: Sequence[SavedMemory]) -> None:
        """Tell owners, and the admins and moderators of the channel, of memories that they should look at."""
        platform = platform_of(where.id)
        self._spread(_flag_news(where, turn, remembered, decides=True), (platform,))
        table = self.config.platforms.get(platform)
        if table is None:
            return

        async def tell(person: PersonKey) -> None:
            if await self.may_audit(person, where.key):
                decides = person.user_id in table.admin_ids
                await self._tell(person, _flag_news(where, turn, remembered, decides=decides))

        for user in dict.fromkeys((*table.admin_ids, *table.moderator_ids)):
            if user not in table.owner_ids:
                self.tasks.spawn(f"alert {platform}:{user}", tell(PersonKey(platform, user)))

    def answered(self, where: ChannelState, turn: int, exchange: CheckedExchange) -> None:
        """Tell the owners of an answer that claims what its calls did not do, unless that is switched off."""
        if not self.config.alerts.false_success:
            return

        def tell(found: Sequence[FalseSuccess]) -> None:
            if found:
                words = partial(_claim_text, where, turn, found[0])
                self._spread(_News(words, "false_success"), (platform_of(where.id),))

        async def check() -> None:
            tell(await asyncio.to_thread(exchange.false_successes))

        if len(exchange.answer) <= _READ_AT_ONCE_CHARS:
            tell(exchange.false_successes())
        else:
            # a long answer takes a while to read, and nobody's message is to wait for that
            self.tasks.spawn("hold an answer against its calls", check())

    async def reach(self, words: Words, first: Sequence[str], kind: str = "") -> bool:
        """Tell owners and admins, on these platforms, else on the others, else by the webhook; False if nobody heard.

        A way that led to one of them is the last one that is tried. Never raises.
        """
        # one after the other: who is just being told of something can be told of the next thing, too
        async with self._reaching:
            if await self._reach_somebody(_News(words, kind or _kind_of(words)), first):
                self._unheard = None
                return True
            failure = await self._post(words)
        if not failure:
            self._unheard = None
            return True
        # the last place that it can stand in; what comes this way is about the bot itself, in its own words
        log.critical("alert_reached_nobody", webhook=failure, text=plain_times(said_in(ENGLISH, words)))
        at = clock_time(self.clock.now())
        self._unheard = self._unheard or (lambda: say("alerts.reach-nobody", time=at, why=failure))
        return False

    async def last_words(self, words: Words) -> None:
        """Tell the owners of every platform, and the webhook, where nothing can be stored any more. Never raises."""
        config = self.config
        owners = [one for name in self.platforms for one in _people(config, name, owners_only=True)]
        ways = [self.tasks.spawn(f"last words to {one.user_id}", self._tell_unkept(one, words)) for one in owners]
        ways.append(self.tasks.spawn("last words", self._post_last(words)))
        await asyncio.wait(ways, timeout=_LAST_WORDS_SECONDS)

    def probe(self) -> ProbeResult:
        """Say who would hear of trouble, or that the last alert reached nobody."""
        if self._unheard:
            fix = say("alerts.reach-nobody-fix")
            return ProbeResult(name=ROW, state="failed", evidence=self._unheard(), fix=fix)
        return alert_routes_probe(self.config)

    async def _reach_somebody(self, news: _News, first: Sequence[str]) -> bool:
        others = [name for name in self.platforms if name not in first]
        others.sort(key=lambda name: self.platforms[name].health().state is not AdapterState.UP)
        for platforms in (first, *((name,) for name in others)):
            if await self._reach_on(platforms, news):
                return True
        return False

    async def _reach_on(self, platforms: Sequence[str], news: _News) -> bool:
        people = [person for name in platforms for person in _people(self.config, name)]
        return any(await asyncio.gather(*(self._in_time(person, news) for person in people)))

    async def _in_time(self, person: PersonKey, news: _News) -> bool:
        """Tell one person within reason; one for whom an earlier alert is stuck gets no second one behind it."""
        if person in self._on_their_way or self._waits_behind(person):
            return False
        told: list[bool] = []

        async def go() -> None:
            try:
                told.append(await self._tell(person, news))
            finally:
                self._on_their_way.discard(person)

        self._on_their_way.add(person)
        task = self.tasks.spawn(f"alert {person.platform}:{person.user_id}", go())
        await asyncio.wait({task}, timeout=_ROUTE_TIMEOUT_SECONDS)
        return any(told)

    async def _post(self, words: Words) -> str:
        """Hand the words to the webhook, in the bot's language; return why that failed, empty when it did not."""
        url, caller = self.config.alerts.webhook, self.caller
        if not url or caller is None:
            return say("alerts.no-webhook")
        with speaking(self.config.bot.language):
            said, title = plain_times(self.redact(words()).text)[:_MAX_WEBHOOK_CHARS], say("alerts.title")
        # Discord reads `content`, Slack and those who take after it `text`, where <!here> would call everybody
        escaped = said.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
        body = {"content": said, "text": escaped, "username": title, "allowed_mentions": {"parse": []}}
        try:
            await caller.post(url, body)
        except DeliveryError as error:
            return str(error)
        return ""

    async def _tell_unkept(self, person: PersonKey, words: Words) -> None:
        platform = self.platforms.get(person.platform)
        if platform is None:
            return
        try:
            with speaking(self.language(person)):
                thread = await platform.open_thread(person, say("alerts.title"))
                await self.delivery().say_unkept(NewOutbox(kind="finding", to=thread, text=words()))
        except Exception as error:
            # the program ends for another reason, and that is what its log and its last line say
            log.error("alert_not_delivered", platform=person.platform, error_type=type(error).__name__, exc_info=error)

    async def _post_last(self, words: Words) -> None:
        if failure := await self._post(words):
            log.info("alert_not_posted", webhook=failure)

    def _spread(self, news: _News, platforms: Sequence[str]) -> None:
        for name in platforms:
            for person in _people(self.config, name, owners_only=True):
                self.tasks.spawn(f"alert {name}:{person.user_id}", self._tell(person, news))

    def _waits_behind(self, person: PersonKey) -> bool:
        """Say whether an earlier alert still waits until the platform of a person can be reached."""
        kept = self._kept.get(person)
        if kept is None:
            return False
        if self.delivery().departs([kept]):
            del self._kept[person]
        return person in self._kept

    async def _say(self, person: PersonKey, body: NewOutbox) -> tuple[str, ...]:
        try:
            return await self.delivery().say(body)
        except DeliveryError as error:
            if error.waits:
                self._kept[person] = body
            raise

    async def _tell(self, person: PersonKey, news: _News) -> bool:
        platform = self.platforms.get(person.platform)
        if platform is None:
            return False
        log.info("alert", kind=news.kind, platform=person.platform, user=person.user_id)
        if news.button is not None:
            # each of these can be acted on, until there are too many of them; its name is the same in every language
            named = f"{news.kind}:{_name_of(_shown(said_in(ENGLISH, news.words), self.redact))}"
            own = self._with_button.take(person)
            news = news._replace(kind=named) if own else news._replace(button=None)
        try:
            await self._recall()
            async with self._turn_of(person):
                with speaking(self.language(person)):
                    await self._tell_in_turn(person, platform, news)
        except StoreError:
            raise
        except BotError as error:
            log.warning("alert_not_delivered", platform=person.platform, error=name_of(error))
            return False
        except Exception as error:
            # an adapter that is in trouble may fail in any way, and the next way must still be tried
            log.error("alert_not_delivered", platform=person.platform, error_type=type(error).__name__, exc_info=error)
            return False
        return True

    def _turn_of(self, person: PersonKey) -> asyncio.Lock:
        turn = self._turns.get(person)
        if turn is None:
            self._turns.put(person, turn := asyncio.Lock())
        return turn

    async def _tell_in_turn(self, person: PersonKey, platform: Platform, news: _News) -> None:
        now, mono, text = self.clock.now(), self.clock.monotonic(), _shown(news.words(), self.redact)
        standing = self._stands(person, news.kind, now)
        if standing is None:
            counted = AlertCount(kind=news.kind, count=1, first=now, last=now, **_followed(news.followed))
            await self._say_anew(person, platform, news._replace(words=lambda: text), counted, ())
            return
        is_same = standing.text == text
        standing.text = text
        standing.buttons = _buttons(news, person, standing.to.channel)
        count = standing.counted.count + (news.followed is None)
        standing.counted = standing.counted.replace(count=count, last=now, **_followed(news.followed))
        wait = standing.shown_at + (_QUIET_SECONDS if is_same else _EDIT_SECONDS) - mono
        if wait <= 0:
            await self._show(person, platform, standing)
        elif not is_same and not standing.is_due:
            standing.is_due = True
            self.tasks.spawn(f"alert again {person.platform}", self._show_later(person, platform, news.kind, wait))

    def _stands(self, person: PersonKey, kind: str, now: int) -> _Standing | None:
        """Return the alert of a kind that stands in somebody's chat, unless it has been at rest for long."""
        standing = self._standing.get((person, kind))
        if standing is None or _is_followed(standing.counted) or now - standing.counted.last <= _RING_INTERVAL_MS:
            return standing
        self._standing.drop((person, kind))
        return None

    async def _recall(self) -> None:
        """Find the alerts that stand in people's chats since before a restart; once."""
        async with self._recalling:
            if self._has_recalled:
                return
            now = self.clock.now()
            for row in await self.outbox.alerts(now - _INCIDENT_MEMORY_MS):
                body, counted = row.body, row.body.alert
                if counted is None or row.receipt is None or body.to.private_to is None:
                    continue
                if not _is_followed(counted) and counted.last <= now - _RING_INTERVAL_MS:
                    continue
                standing = _Standing(body.to, row.receipt.message_id, counted, "", body.buttons, float("-inf"))
                self._standing.put((PersonKey(body.to.platform, body.to.private_to), counted.kind), standing)
            self._has_recalled = True

    async def _show_later(self, person: PersonKey, platform: Platform, kind: str, wait: float) -> None:
        await self.clock.sleep(wait)
        async with self._turn_of(person):
            standing = self._standing.get((person, kind))
            if standing is None or not standing.is_due:
                return
            try:
                await self._show(person, platform, standing)
            except BotError as error:
                log.warning("alert_not_delivered", platform=person.platform, error=name_of(error))

    async def _show(self, person: PersonKey, platform: Platform, standing: _Standing) -> None:
        """Write into the message that stands how things are now; one that is gone is written anew, once an hour."""
        standing.is_due, standing.shown_at = False, self.clock.monotonic()
        if not standing.message_id or not platform.capabilities.edits:
            return  # this platform takes no edits; the next message comes after an hour's rest
        try:
            await self._say(person, _body(standing))
        except DeliveryError as error:
            if not error.permanent:
                raise
            log.info("alert_not_edited", platform=person.platform, error=name_of(error))
            standing.message_id = ""
            news = _News(lambda: standing.text, standing.counted.kind)
            await self._say_anew(person, platform, news, standing.counted, standing.buttons)

    async def _say_anew(
        self, person: PersonKey, platform: Platform, news: _News, counted: AlertCount, buttons: tuple[Button, ...]
    ) -> None:
        thread = await platform.open_thread(person, say("alerts.title"))
        buttons = _buttons(news, person, thread.channel) or buttons
        standing = _Standing(thread, "", counted, news.words(), buttons, self.clock.monotonic())
        ids = await self._say(person, _body(standing))
        # what took several messages is edited no more, like on a platform without edits: it is only counted
        standing.message_id = ids[0] if len(ids) == 1 and platform.capabilities.edits else ""
        self._standing.put((person, news.kind), standing)


async def told_troubles(alerts: AdminAlerts) -> Sequence[ChannelTrouble]:
    """Return what went wrong in single channels and has not been over for long, as it was last told of."""
    found: dict[str, ChannelTrouble] = {}
    for row in await alerts.outbox.alerts(alerts.clock.now() - _INCIDENT_MEMORY_MS):
        if row.body.alert is not None and row.body.alert.trouble is not None:
            found[row.body.alert.kind] = row.body.alert.trouble
    return tuple(sorted(found.values(), key=lambda one: one.since))


def _buttons(news: _News, person: PersonKey, channel: ChannelId) -> tuple[Button, ...]:
    if news.button is not None:
        return (news.button(person, channel),)
    return news.buttons(person, channel) if news.buttons is not None else ()


def _followed(about: Followed | None) -> dict[str, Any]:
    return {
        "incident": about if isinstance(about, Incident) else None,
        "trouble": about if isinstance(about, ChannelTrouble) else None,
    }


def _is_followed(counted: AlertCount) -> bool:
    return counted.incident is not None or counted.trouble is not None


def _flag_news(where: ChannelState, turn: int, remembered: Sequence[SavedMemory], *, decides: bool) -> _News:
    """Say what was saved, why somebody should look, and what they can do about it."""
    target = TargetChannel(where.key, where.name, where.place)
    silences = all(one.silences is not None for one in remembered)
    kinds = dict.fromkeys(kind.value for one in remembered for kind in one.memory.treatment)
    words = partial(
        render,
        "cortex/alert_memory",
        place=channel_word(target),
        # an alert is nobody's thread: what it advises has to say which channel is meant
        channel=typed_channel(target),
        count=len(remembered),
        silences=silences,
        reasons=tuple(kinds),
        turn=handle(HandleKind.TURN, turn),
        decides=decides,
    )
    return _News(words, "silencing" if silences else f"treatment:{_name_of(str(where.key))}")


def _claim_text(where: ChannelState, turn: int, found: FalseSuccess) -> str:
    """Say what an answer claims and what the record says; nobody's words are in it."""
    return render(
        "cortex/false_success",
        place=channel_word(TargetChannel(where.key, where.name, where.place)),
        claim=say(CLAIM_WORDS[found.claim.action]),
        record=found.record.value,
        turn=handle(HandleKind.TURN, turn),
    )


def _body(standing: _Standing) -> NewOutbox:
    counted, text = standing.counted, standing.text
    if counted.count > 1:
        first, last = clock_time(counted.first), clock_time(counted.last)
        text = render("cortex/alert_again", text=text, count=exact_number(counted.count), first=first, last=last)
    return NewOutbox(
        kind="finding", to=standing.to, text=text, buttons=standing.buttons, edits=standing.message_id, alert=counted
    )


def _shown(text: str, redact: Callable[[str], RedactedText]) -> str:
    # redacted first: a secret with its dots changed would not be known any more
    return defang(redact(text).text)


def _kind_of(words: Words) -> str:
    """Name the kind of an alert by its first line in English, without what differs: numbers, names, handles."""
    text = said_in(ENGLISH, words)
    return f"other:{_name_of(_VARYING_WORDS.sub('', text.partition(chr(10))[0][:LONGEST_TEXT]))}"


def _name_of(words: str) -> str:
    # what an alert says may be wiped some day, and its kind is kept longer
    return digest_text(words)[:16]


def alert_routes_probe(config: Config) -> ProbeResult:
    """Say who would hear of trouble, from the configuration alone."""
    alerts = config.alerts
    counts = {name: len(_people(config, name)) for name, table in config.platforms.items() if table.enabled}
    heard = ", ".join(say("alerts.count-on", count=count, platform=name) for name, count in counts.items() if count)
    ways = [say("alerts.owners-and-admins", counts=heard)] if heard else []
    ways += [say("alerts.the-webhook")] if alerts.webhook else []
    if not ways:
        fix = say("alerts.nobody-told-fix")
        return ProbeResult(name=ROW, state="warning", evidence=say("alerts.nobody-told"), fix=fix)
    told = say("alerts.one-way-or-other", first=ways[0], second=ways[1]) if len(ways) > 1 else ways[0]
    if alerts.heartbeat_url:
        beats = say("alerts.every-seconds", seconds=f"{alerts.heartbeat_seconds:g}")
    else:
        beats = say("alerts.no-heartbeat")
    evidence = say("alerts.trouble-goes-to", ways=told, heartbeat=beats)
    return ProbeResult(name=ROW, state="ok", evidence=evidence)


def _people(config: Config, platform: str, *, owners_only: bool = False) -> tuple[PersonKey, ...]:
    table = config.platforms.get(platform)
    if table is None:
        return ()
    ids = table.owner_ids if owners_only else (*table.owner_ids, *table.admin_ids)
    return tuple(PersonKey(platform, user) for user in dict.fromkeys(ids))
