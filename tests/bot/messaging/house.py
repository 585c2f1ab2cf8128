"""The whole of messaging on a real store: a fake platform in front, a channel that answers as it is told behind."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from adapters.sqlite import SqliteStore, StoreSettings, create
from bot.config.schema import Config
from bot.context.transcript import as_message
from bot.domain.channel import ChannelEvent, ChannelState, ProcessKind, TurnFinished, apply
from bot.domain.ids import MAIN, ChannelId, ChannelKey, PersonKey
from bot.domain.ledger import InboundTrail, LedgerStage, Outcome, Settlement, StageRow, StageVerdict, StoredInbound
from bot.domain.messages import ButtonPress, Inbound, InboundKind
from bot.domain.snapshot import ContextSnapshot
from bot.domain.turn import NewOutbox, StoredOutbox, StoredTurn, TurnEnd, TurnStart, TurnStatus
from bot.messaging.channels.queues import ChannelQueues
from bot.messaging.channels.registry import ChannelRegistry
from bot.messaging.channels.settings import SettingsBook
from bot.messaging.delivery.outbox import OutboxSender
from bot.messaging.delivery.poster import ButtonFor, ResendOffer
from bot.messaging.intake.gatekeeper import Gatekeeper
from bot.messaging.intake.manager import MessagingManager
from bot.messaging.intake.recovery import RecoveryResult
from bot.messaging.policy.access import AccessPolicy, tiers_of
from bot.messaging.policy.agent_routing import AgentRouter
from bot.messaging.policy.languages import Languages
from bot.messaging.policy.local_times import LocalTimes
from bot.messaging.policy.traffic import TrafficCounters
from bot.ports.cortex import CommandCall
from bot.ports.edges import alone
from bot.runtime.tasks import TaskSupervisor
from bot.sentences import Words
from bot.text.redaction import RedactedText
from tests.fakes import values as v
from tests.fakes.clock import FakeClock, FakeEntropy
from tests.fakes.platform import FakePlatform
from tests.fakes.skills import no_skills

OWNER, ADMIN, MODERATOR, ANN = "1", "2", "3", "100"
DM = ChannelId("console:dm:100")
SECRET = "hunter2hunter2"
_MESSAGE_IDS = itertools.count(1)  # never twice, also over the restarts of one test


def config(**tables: Any) -> Config:
    console = {"owner_ids": [OWNER], "admin_ids": [ADMIN], "moderator_ids": [MODERATOR], **tables.pop("console", {})}
    limits = {"user_per_minute": 0, "channel_per_minute": 0, **tables.pop("limits", {})}
    return Config.model_validate(
        {"bot": {"name": "Glass"}, "platforms": {"console": console}, "limits": limits, **tables}
    )


class FakeDoor:
    """A cortex that notes who knocked."""

    def __init__(self) -> None:
        self.commands: list[CommandCall] = []
        self.presses: list[ButtonPress] = []
        self.forgotten: list[PersonKey] = []
        self.takes: Callable[[StoredInbound], bool] = lambda stored: False
        self.error: Exception | None = None

    async def command(self, call: CommandCall) -> None:
        self.commands.append(call)
        if self.error is not None:
            raise self.error

    async def started(self, call: CommandCall) -> str | None:
        self.commands.append(call)
        return "by link" if call.words == "ours" else None

    @property
    def forgetting(self) -> FakeDoor:
        return self

    async def at_own_request(self, person: PersonKey, tell: Callable[[str], Awaitable[None]]) -> None:
        self.forgotten.append(person)

    async def pressed(self, press: ButtonPress) -> str:
        self.presses.append(press)
        if self.error is not None:
            raise self.error
        return "done"

    async def claim_message(self, stored: StoredInbound) -> bool:
        return self.takes(stored)

    async def pending_report(self, turn: StoredTurn) -> NewOutbox | None:
        return v.outgoing("cut off", "finding", to=v.address(private_to=OWNER)) if turn.session else None


class FakeChannel:
    """A live channel whose turns echo, behind the real journal. `held` keeps turns open until it is set."""

    def __init__(self, state: ChannelState, generation: int, house: House) -> None:
        self.state = state
        self.generation = generation
        self.in_flight: ContextSnapshot | None = None
        self.running_turn = 0
        self._house = house
        self._stopped: asyncio.Event | None = None

    @property
    def key(self) -> ChannelKey:
        return self.state.key

    def record(self, event: ChannelEvent) -> None:
        self.state = apply(self.state, event)

    def stop(self) -> bool:
        if self._stopped is None:
            return False
        self._stopped.set()
        return True

    def give_way(self) -> bool:
        return False

    async def take(self, inbounds: Sequence[StoredInbound]) -> bool:
        house = self._house
        house.taken.append([stored.inbound.text for stored in inbounds])
        if house.breaks is not None:
            raise house.breaks
        now = house.clock.now()
        rows = tuple(stored.id for stored in inbounds)
        start = TurnStart(agent=MAIN, channel=self.key.channel, kind=ProcessKind.CHANNEL, at=now, inbounds=rows)
        stages = [StageRow(inbound=row, at=now, stage=LedgerStage.TURN, verdict=StageVerdict.PASSED) for row in rows]
        turn = self.running_turn = await house.store.journal.begin_turn(start, stages)
        self._stopped = asyncio.Event()
        stopped = await self._held(self._stopped)
        self._stopped = None
        await self._end(turn, inbounds, cancelled=stopped)
        self.running_turn = 0
        return False

    async def _held(self, stopped: asyncio.Event) -> bool:
        if self._house.held is None:
            return False
        async with asyncio.TaskGroup() as group:
            waits = [group.create_task(event.wait()) for event in (stopped, self._house.held)]
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
            for wait in waits:
                wait.cancel()
        return stopped.is_set()

    async def _end(self, turn: int, inbounds: Sequence[StoredInbound], *, cancelled: bool) -> None:
        house, newest = self._house, inbounds[-1]
        now = house.clock.now()
        old = [
            Settlement(inbound=stored.id, at=now, outcome=Outcome.SUPERSEDED, reason="coalesced")
            for stored in inbounds[:-1]
        ]
        if cancelled:
            old.append(Settlement(inbound=newest.id, at=now, outcome=Outcome.CANCELLED))
        body = NewOutbox(
            kind="reply",
            to=house.sender.home(self.key.channel),
            text=house.answer(newest.inbound),
            inbound=newest.id,
            turn=turn,
            replies_to=newest.inbound.message_id,
        )
        messages = tuple(as_message(stored.id, stored.inbound, ambient=False) for stored in inbounds)
        end = TurnEnd(
            turn=turn,
            agent=MAIN,
            channel=self.key.channel,
            at=now,
            status=TurnStatus.CANCELLED if cancelled else TurnStatus.REPLIED,
            messages=messages,
            outbox=() if cancelled else await house.sender.parts(body),
            settlements=tuple(old),
        )
        rows = await house.store.journal.end_turn(end)
        self.record(TurnFinished(turn_id=turn, messages=messages, last=end.last))
        if not house.dies_before_sending:
            house.sender.enqueue(rows)


class House:
    """Says things with `hears`; what came of them is in `platform`, the ledger and `taken`."""

    def __init__(
        self, store: SqliteStore, clock: FakeClock, settings: Config, platform: FakePlatform, data_dir: Path
    ) -> None:
        self.store, self.clock, self.config, self.platform = store, clock, settings, platform
        self.data_dir = data_dir
        self.taken: list[list[str]] = []
        self.held: asyncio.Event | None = None
        self.breaks: Exception | None = None
        self.dies_before_sending = False
        self.is_at_work = alone
        self.alerts: list[str] = []
        self.failures: list[str] = []
        self.opened = 0
        self.door = FakeDoor()
        self.tasks, self.sender_tasks = TaskSupervisor(self._failed), TaskSupervisor(self._failed)
        platforms: dict[str, Any] = {platform.name: platform}
        languages = Languages(settings, store.languages, lambda: store.channels.moves)
        self.sender = OutboxSender(
            outbox=store.outbox,
            previews=store.previews,
            platforms=platforms,
            clock=clock,
            tasks=self.sender_tasks,
            limits=settings.limits,
            conversation=settings.conversation,
            redact=_redact,
            redact_unfinished=_redact,
            data_dir=data_dir,
            alert=self._alert,
            moves=lambda: store.channels.moves,
            offer_resend=self._offer_resend,
            name_of=_name_of,
            language=lambda body: languages.of_reader(body, store.ledger),
            tells_of_right=_tells_of_no_right,
            is_at_work=lambda: self.is_at_work(),
        )
        self.access = AccessPolicy(tiers_of(settings), platforms, settings.cortex.inspect_dms)
        self.queues = ChannelQueues(clock)
        self.registry = ChannelRegistry(self.queues, clock, settings.conversation)
        self.book = SettingsBook(store.channels, settings, self.registry, store.opt_outs)
        self.agents = AgentRouter(settings.agents, lambda: store.channels.moves)
        self.judge = Gatekeeper(
            self.agents, settings, self.access, self.book, TrafficCounters(clock, store.meter, self.queues.waiting)
        )
        self.manager = MessagingManager(
            config=settings,
            store=store,
            clock=clock,
            tasks=self.tasks,
            platforms=platforms,
            sender=self.sender,
            access=self.access,
            book=self.book,
            registry=self.registry,
            judge=self.judge,
            cortex=lambda: self.door,
            cortex_tasks=TaskSupervisor(self._failed),
            open_channel=self.open,
            alert=self._alert,
            skills=no_skills(),
            take_up=self._take_up,
            stop_work=self._stop_work,
            times=LocalTimes(settings, store.zones, lambda: store.channels.moves),
            languages=languages,
            happened=lambda stored: None,
        )

    async def _take_up(self, left: Sequence[Any], again: Sequence[StoredInbound]) -> Sequence[StoredInbound]:
        return ()

    async def _stop_work(self, key: ChannelKey, why: str, whose: PersonKey | None) -> int:
        return 0

    def open(self, state: ChannelState) -> FakeChannel:
        self.opened += 1
        return FakeChannel(state, self.opened, self)

    def answer(self, inbound: Inbound) -> str:
        return f"echo: {inbound.text}"

    async def start(self) -> RecoveryResult:
        return await self.manager.start()

    def inbound(self, text: str, by: str = ANN, message_id: str = "", **changes: Any) -> Inbound:
        who = changes.pop("author", None) or v.author(by, f"user{by}")
        return v.inbound(text, message_id or f"m{next(_MESSAGE_IDS)}", author=who, **changes)

    async def hears(self, text: str, by: str = ANN, **changes: Any) -> Inbound:
        """Hear something and wait for what comes of it."""
        inbound = await self.arrives(text, by, **changes)
        await self.manager.settled()
        return inbound

    async def arrives(self, text: str, by: str = ANN, **changes: Any) -> Inbound:
        """Hear something and do not wait."""
        inbound = self.inbound(text, by, **changes)
        await self.manager.receive([inbound], None)
        return inbound

    async def edits(self, old: Inbound, text: str, at: int = 1) -> None:
        await self.manager.receive([old.replace(kind=InboundKind.EDIT, edit=at, text=text)], None)

    async def deletes(self, old: Inbound) -> None:
        await self.manager.receive([old.replace(kind=InboundKind.DELETE, edit=1, text="")], None)

    async def trail(self, inbound: Inbound) -> InboundTrail:
        found = await self.store.ledger.recent(ChannelKey(MAIN, inbound.channel), 1000)
        stored = next(s for s in found if _name(s.inbound) == _name(inbound))
        trail = await self.store.ledger.trail(stored.id)
        assert trail is not None
        return trail

    async def outcome(self, inbound: Inbound) -> tuple[Outcome | None, str]:
        stored = (await self.trail(inbound)).inbound
        return stored.outcome, stored.outcome_reason

    async def state(self, channel: ChannelId = v.GENERAL) -> ChannelState:
        state = await self.store.channels.load(ChannelKey(MAIN, channel))
        assert state is not None
        return state

    async def dies(self) -> None:
        """Stop as a killed process does: nothing is finished."""
        for tasks in (self.tasks, self.sender_tasks):
            await tasks.close()

    async def breathe(self) -> None:
        """Let what can run, run."""
        for _ in range(50):
            await asyncio.sleep(0.001)

    async def _alert(self, words: Words, button: ButtonFor | None = None, kind: str = "") -> None:
        self.alerts.append(words())

    async def _offer_resend(self, row: int) -> ResendOffer | None:
        return None

    async def _failed(self, name: str, error: BaseException) -> None:
        self.failures.append(f"{name}: {error!r}")


def _name(inbound: Inbound) -> tuple[str, int, str]:
    return inbound.message_id, inbound.edit, inbound.kind.value


async def _name_of(channel: ChannelId) -> str:
    return channel


async def _tells_of_no_right(row: StoredOutbox, code: str) -> bool:
    return False


def _redact(text: str) -> RedactedText:
    return RedactedText(text.replace(SECRET, f"[redacted:token:{len(SECRET)}]"), text.count(SECRET))


def person(user_id: str, platform: str = "console") -> PersonKey:
    return v.inbound(adapter=platform, author=v.author(user_id)).person


@asynccontextmanager
async def house(
    directory: Path,
    settings: Config | None = None,
    *,
    clock: FakeClock | None = None,
    platform: FakePlatform | None = None,
    start: bool = True,
    low_water: int = 0,
) -> AsyncIterator[House]:
    """Open a house; opening one in the same directory again is a restart."""
    clock = clock or FakeClock()
    data = directory / "data"
    store = await create(StoreSettings(data, clock, FakeEntropy(), low_water, ballast=0))
    built = House(store, clock, settings or config(), platform or FakePlatform(), data)
    try:
        if start:
            await built.start()
        yield built
    finally:
        await built.dies()
        await store.close()
