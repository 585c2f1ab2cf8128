"""Follow what happens beside messages: the bot comes into a channel, or a channel gets another id."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import structlog

from bot.config.schema import Config
from bot.diagnostics.evidence.adapter_facts import READS_ALL, fact
from bot.domain.channel_moves import ChannelMoves
from bot.domain.ids import AgentId, ChannelId, platform_of
from bot.domain.ledger import FailReason, Outcome, StoredInbound, event_reason
from bot.domain.messages import EventKind, PlatformEvent
from bot.domain.turn import NewOutbox
from bot.errors import DeliveryError, StoreError
from bot.messaging.channels.settings import SettingsBook
from bot.messaging.delivery.poster import AdminAlert, has_started
from bot.messaging.delivery.retry_policy import code_of
from bot.messaging.policy.languages import Languages
from bot.ports.clock import Clock
from bot.ports.delivery import Delivery
from bot.ports.platform import Platform
from bot.ports.store import Store
from bot.prompts import render
from bot.runtime.tasks import TaskSupervisor
from bot.sentences import speaking

log = structlog.get_logger(__name__)

_DAY_MS = 86_400_000
_GREETED = "greeted"
_LISTS = ("allowed_channels", "blocked_channels", "allowed_guilds")


@dataclass(frozen=True, kw_only=True, eq=False)
class ChannelEvents:
    """Brings events to their one outcome; doing it again changes nothing and says nothing twice.

    `names` are the bot's on a platform; `carry_on` takes everything live along.
    """

    config: Config
    store: Store
    clock: Clock
    tasks: TaskSupervisor
    platforms: Mapping[str, Platform]
    delivery: Delivery
    book: SettingsBook
    names: Callable[[str, AgentId], tuple[str, ...]]
    carry_on: Callable[[ChannelMoves], None]
    alert: AdminAlert
    languages: Languages

    async def take(self, stored: StoredInbound, *, resumed: bool = False) -> None:
        """Follow a move at once; greet in the background, after a start when the platform can be reached."""
        event = stored.inbound.event
        assert event is not None
        if event.kind is EventKind.MOVED:
            await self._settle(stored, Outcome.STORED_ONLY, await self._move(stored, event))
        else:
            self.tasks.spawn(f"welcome {stored.id}", self._welcome(stored, event, resumed))

    async def _move(self, stored: StoredInbound, event: PlatformEvent) -> str:
        old, new = stored.inbound.channel, event.moved_to
        if new is None or platform_of(new) != platform_of(old):
            return event_reason(event, "it names no new channel")
        if await self.store.channels.move(old, new, self.clock.now()):
            self.carry_on(self.store.channels.moves)
            await self.book.follow()
            log.info("channel_moved", old=old, new=new)
        # what had moved before is told as well: the process may have ended before it was
        await self._tell(self.store.channels.moves, new)
        return event_reason(event, f"now {self.store.channels.moves.current_id(new)}")

    async def _tell(self, moves: ChannelMoves, new: ChannelId) -> None:
        for old in moves.former_ids(new)[:1]:
            lines = outdated_entries(self.config, old, moves.current_id(new))
            if lines:
                words = partial(render, "moved", old=old, new=moves.current_id(new), lines=lines)
                self.tasks.spawn("alert", self.alert(words, kind="moved"))

    async def _welcome(self, stored: StoredInbound, event: PlatformEvent, resumed: bool) -> None:
        try:
            if resumed and (platform := self.platforms.get(stored.inbound.adapter)):
                await has_started(platform, self.clock)
            outcome, what = Outcome.STORED_ONLY, await self._reason_not_to(stored)
            if not what:
                outcome, what = await self._greet(stored)
            await self._settle(stored, outcome, what if outcome is Outcome.FAILED else event_reason(event, what))
        except StoreError:
            raise
        except Exception as error:
            log.error("event_failed", event=event.name, error_type=type(error).__name__, exc_info=error)
            await self._settle(stored, Outcome.FAILED, f"{FailReason.INTERNAL}: {type(error).__name__}")

    async def _reason_not_to(self, stored: StoredInbound) -> str:
        """Return why nobody is greeted now; empty when they are."""
        key = stored.key
        if await self.store.outbox.of_inbound(stored.id):
            return _GREETED  # by a process that ended then; the outbox sees to the rest
        if self.store.channels.moves.former_ids(key.channel):
            return "known here before the channel got another id"
        if self.book.of(key).pause is not None:
            return "not greeted: the channel is paused"
        earlier = await self.store.ledger.events(key, stored.arrived_at - _DAY_MS)
        if any(_is_greeting(one) for one in earlier if one.id < stored.id):
            return "greeted less than a day ago"
        return ""

    async def _greet(self, stored: StoredInbound) -> tuple[Outcome, str]:
        with speaking(self.languages.of_answer(stored.inbound)):
            to, text = self.delivery.home(stored.key.channel), self._greeting(stored)
        try:
            await self.delivery.say(NewOutbox(kind="notice", to=to, text=text, inbound=stored.id))
        except DeliveryError as error:
            if error.uncertain:
                return Outcome.STORED_ONLY, f"{_GREETED}; it may not have arrived"
            return Outcome.FAILED, f"{FailReason.SEND}:{code_of(error)}"
        return Outcome.STORED_ONLY, _GREETED

    def _greeting(self, stored: StoredInbound) -> str:
        mode = self.book.of(stored.key).mode
        platform = self.platforms.get(stored.inbound.adapter)
        # where plain talk may be kept away, a name in it would be called in vain
        is_partly_deaf = platform is not None and fact(platform.health().facts, READS_ALL) == "no"
        names = {name.casefold(): name for name in reversed(self.names(stored.inbound.adapter, stored.agent))}
        spoken = () if is_partly_deaf else tuple(reversed(names.values()))
        return render(
            "welcome", name=self.config.called(stored.agent), names=spoken, mode=mode.value, deaf=is_partly_deaf
        )

    async def _settle(self, stored: StoredInbound, outcome: Outcome, reason: str) -> None:
        await self.store.ledger.settle([stored.settled(self.clock.now(), outcome, reason)])


def outdated_entries(config: Config, old: ChannelId, new: ChannelId) -> Sequence[str]:
    """Return where a configuration names a channel, or what lies in it, by its old id; each with what to write."""
    move, name = ChannelMoves(pairs=((old, new),)), platform_of(old)
    lines = [
        f'[channels."{key}"]: "{now}"' for key in config.channels if (now := move.current_id(ChannelId(key))) != key
    ]
    for agent, table in config.agents.items():
        for entry in table.channels:
            written = _entry_now(entry, name, move)
            if written not in (entry, *table.channels):
                lines.append(f'agents.{agent}.channels: "{written}" for "{entry}"')
    platform = config.platforms.get(name)
    for listed in _LISTS if platform else ():
        entries: tuple[str, ...] = getattr(platform, listed) or ()
        for entry in entries:
            written = _entry_now(entry, name, move)
            if written not in (entry, *entries):
                lines.append(f'platforms.{name}.{listed}: "{written}" for "{entry}"')
    return lines


def _entry_now(entry: str, platform: str, move: ChannelMoves) -> str:
    """Return a list's entry as it is to be written now: in full, or without the platform, as it was."""
    full = entry if platform_of(ChannelId(entry)) == platform else f"{platform}:{entry}"
    now = move.current_id(ChannelId(full))
    return now if full == entry else now.partition(":")[2]


def _is_greeting(stored: StoredInbound) -> bool:
    event = stored.inbound.event
    if event is None or event.kind is not EventKind.JOINED:
        return False
    return stored.outcome is None or stored.outcome_reason.startswith(event_reason(event, _GREETED))
