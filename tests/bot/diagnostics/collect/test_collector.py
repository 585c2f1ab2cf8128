"""Evidence from a real store: of a live bot, of an inactive channel, of a dead process."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from adapters.sqlite import SqliteStore, StoreSettings, create, open_readonly
from bot.config.schema import Config, PlatformConfig
from bot.diagnostics.collect.collector import FRESH_HEARTBEAT_MS, EvidenceCollector, EvidenceQuery, LiveSources, Probing
from bot.diagnostics.diagnose import diagnose
from bot.diagnostics.evidence.evidence import Evidence
from bot.domain.access import Authority, Caller
from bot.domain.channel import ChannelPause, ChannelSettings, ProcessKind, ResponseMode
from bot.domain.handles import HandleKind, handle
from bot.domain.health import ProbeResult, QueueHealth
from bot.domain.ids import MAIN, ChannelId, ChannelKey, PersonKey, UserId
from bot.domain.ledger import ArrivalDisposition, Outcome, Settlement
from bot.domain.messages import AuthorKind, ChannelPlace, InboundKind, Receipt
from bot.domain.process import NewProcess, ProcessEnd, ProcessOrigin, ProcessState, StoredProcess, result_id
from bot.domain.revisions import BY_ITSELF
from bot.domain.turn import AttemptRecord, ToolCallRecord, TurnEnd, TurnStatus
from bot.ports.channels import AdapterView
from bot.text.times import plain_times
from tests.bot.diagnostics.scenarios import PRIVATE
from tests.dialogs.online import Stopwatch
from tests.fakes import values as v
from tests.fakes.clock import START, FakeClock, FakeEntropy
from tests.fakes.evidence import beat, bulletin, call, up

OTHER = ChannelKey(MAIN, ChannelId("console:#other"))
SECOND = 1_000


ITSELF = v.author("0", "glassmind", AuthorKind.SELF)


def helper(row: int, kind: ProcessKind) -> NewProcess:
    return NewProcess(
        agent=MAIN,
        channel=v.GENERAL,
        kind=kind,
        task="Find the tea.",
        name="tea",
        by=Caller(PersonKey("console", UserId("100")), "ann", Authority.EVERYONE),
        parent_turn=1,
        inbound=row,
        origin=ProcessOrigin(platform="console"),
    )


class Nobody:
    """A directory without an active channel."""

    def get(self, key: ChannelKey) -> None:
        return None

    def keys(self) -> tuple[ChannelKey, ...]:
        return ()

    def adapters(self) -> dict[str, AdapterView]:
        return {}

    def in_flight(self, key: ChannelKey) -> None:
        return None

    def queue(self, key: ChannelKey) -> QueueHealth:
        return QueueHealth(waiting=2)


class Bot:
    """A store and what happened in it, step by step; every step takes a second."""

    def __init__(self, store: SqliteStore, clock: FakeClock) -> None:
        self.store = store
        self.clock = clock
        self.config = Config(platforms={"console": PlatformConfig(owner_ids=("1",), allowed_users=("42",))})

    async def hears(self, text: str = "hello", *, row: int = 0, **changes: object) -> int:
        self.clock.advance(1)
        arrival = v.arrival(text, str(row or self.clock.at), at=self.clock.at, **changes)
        (stored,) = await self.store.ledger.arrive([arrival], None)
        assert stored is not None
        return stored

    async def answers(self, *inbounds: int) -> int:
        turn = await self.begins(*inbounds)
        rows = await self.store.journal.end_turn(
            self._end(turn, TurnStatus.REPLIED, outbox=(v.outgoing(inbound=inbounds[-1], turn=turn),))
        )
        done = [Settlement(inbound=inbounds[-1], at=self.clock.at, outcome=Outcome.REPLIED)]
        await self.store.outbox.sending(rows[0].row)
        await self.store.outbox.sent(rows[0].row, Receipt(message_id="m1", at=self.clock.at), [], done)
        return turn

    async def skips(self, *inbounds: int, memories: tuple[int, ...] = ()) -> int:
        turn = await self.begins(*inbounds)
        record = v.request_record(turn, sections=(v.section(), bulletin(*memories)))
        request = await self.store.journal.record_request(record, [])
        await self.store.journal.record_attempt(
            AttemptRecord(request=request, number=1, at=self.clock.at, duration_ms=5.0, response=v.llm_response(""))
        )
        said: ToolCallRecord = call(arguments='{"reason":"told so","category":"instructed"}')
        await self.store.journal.record_calls(v.KEY, turn, [said.replace(record_id=0)])
        done = (Settlement(inbound=inbounds[-1], at=self.clock.at, outcome=Outcome.SKIPPED, reason="told so"),)
        await self.store.journal.end_turn(self._end(turn, TurnStatus.SKIPPED, settlements=done))
        return turn

    async def fails(self, inbound: int, reason: str) -> None:
        turn = await self.begins(inbound)
        done = (Settlement(inbound=inbound, at=self.clock.at, outcome=Outcome.FAILED, reason=reason),)
        await self.store.journal.end_turn(self._end(turn, TurnStatus.FAILED, reason=reason, settlements=done))

    async def comes_back(self, row: int, kind: ProcessKind, **ended: object) -> StoredProcess:
        """Have a helper that somebody's message began come back to the channel."""
        begun = await self.store.processes.begin(helper(row, kind), self.clock.at)
        self.clock.advance(1)
        text, name = "It stands in the kitchen.", result_id(begun.id)
        back = v.arrival(text, name, at=self.clock.at, kind=InboundKind.RESULT, author=ITSELF, mentions_bot=False)
        base: dict[str, object] = {"state": ProcessState.DONE, "result": text, "at": self.clock.at, "arrival": back}
        done = await self.store.processes.end(
            ProcessEnd.model_validate({"id": begun.id, "version": begun.version, **base, **ended})
        )
        assert done is not None
        return done[0]

    async def begins(self, *inbounds: int) -> int:
        self.clock.advance(1)
        return await self.store.journal.begin_turn(v.turn_start(inbounds=inbounds, at=self.clock.at), [])

    def collector(self, *, live: bool = True) -> EvidenceCollector:
        alive = LiveSources(Nobody(), lambda: (up(last_event_at=self.clock.at),), lambda: ()) if live else None
        return EvidenceCollector(self.store, self.clock, self.config, alive)

    async def asked(self, *, live: bool = True, **ask: object) -> Evidence:
        return await self.collector(live=live).collect(v.KEY, "#general", EvidenceQuery(**ask))

    def _end(self, turn: int, status: TurnStatus, **changes: object) -> TurnEnd:
        base = {"turn": turn, "agent": MAIN, "channel": v.GENERAL, "at": self.clock.at, "status": status, "rounds": 1}
        return TurnEnd(**{**base, **changes})


@pytest.fixture
async def bot(tmp_path: Path) -> AsyncIterator[Bot]:
    clock = FakeClock()
    store = await create(StoreSettings(tmp_path / "data", clock, FakeEntropy(), low_water=0, ballast=0))
    await store.channels.meet(v.KEY, "#general", v.GUILD, ChannelSettings(mode=ResponseMode.ACTIVE))
    yield Bot(store, clock)
    await store.close()


def about(evidence: Evidence) -> int:
    return evidence.target.about.inbound.id if evidence.target.about else 0


def rules(evidence: Evidence) -> list[str]:
    return [finding.rule for finding in diagnose(evidence).findings]


async def test_an_answered_message_is_healthy(bot: Bot) -> None:
    row = await bot.hears()
    await bot.answers(row)
    evidence = await bot.asked()
    assert rules(evidence) == []
    assert (about(evidence), evidence.target.about_why) == (row, "newest")
    assert evidence.last_answer is not None
    assert (evidence.last_answer.inbound, evidence.last_answer.delivery) == (row, 1)
    assert plain_times(diagnose(evidence).summary[0]).endswith(f"answered at 08:53 · {handle(HandleKind.DELIVERY, 1)}")
    assert evidence.running
    assert evidence.queue.waiting == 2
    assert evidence.admins == ("1",)


async def test_own_work_over_which_a_turn_failed_is_meant_and_named(bot: Bot) -> None:
    row = await bot.hears()
    await bot.answers(row)
    work = await bot.comes_back(row, ProcessKind.WORKER)
    await bot.fails(work.row, "provider: auth: HTTP 401")
    evidence = await bot.asked()
    assert (about(evidence), evidence.target.about_why) == (work.row, "newest_failed_work")
    assert evidence.work is not None and evidence.work.handle == work.handle
    assert rules(evidence) == ["LLM-AUTH"]
    assert diagnose(evidence).summary == (f"The turn was about the result of worker {work.handle}.",)


async def test_own_work_that_was_told_of_leaves_the_message_in_its_place(bot: Bot) -> None:
    row = await bot.hears()
    await bot.answers(row)
    work = await bot.comes_back(row, ProcessKind.BRANCH, state=ProcessState.FAILED, reason="provider: rate")
    await bot.answers(work.row)
    evidence = await bot.asked()
    assert (about(evidence), evidence.target.about_why, evidence.work) == (row, "newest", None)
    asked = await bot.asked(inbound=work.row)
    assert diagnose(asked).summary[1] == f"The turn was about branch {work.handle}, which failed: provider: rate."


async def test_a_channel_that_nobody_knows_is_collected_too(bot: Bot) -> None:
    evidence = await bot.collector().collect(OTHER, "#other", EvidenceQuery())
    assert evidence.target.about is None
    assert evidence.target.settings.mode is ResponseMode.MENTION_ONLY
    assert rules(evidence) == []


async def test_a_gate_is_read_back_from_the_ledger(bot: Bot) -> None:
    stop = v.stopped("sender", "user_denied", store_text=False, list="allowed_users", entries="42", user_id="100")
    await bot.hears(verdicts=(v.passed("author"), stop), disposition=ArrivalDisposition.DROP)
    evidence = await bot.asked()
    assert rules(evidence) == ["GATE-USER"]
    assert evidence.counts[0].count == 1
    assert parse_gate(diagnose(evidence).findings[0].evidence[0].handle)


def parse_gate(name: str) -> bool:
    return name.startswith("g")


async def test_an_id_of_another_kind_is_recognised(bot: Bot) -> None:
    bot.config = Config(platforms={"console": PlatformConfig(allowed_users=("42", "1"))})
    stop = v.stopped("sender", "user_denied", list="allowed_users", entries="42, 1", user_id="100")
    await bot.hears(verdicts=(stop,), disposition=ArrivalDisposition.DROP)
    assert rules(await bot.asked()) == ["AUTH-KIND"]


async def test_the_pause_of_now_is_seen_in_an_inactive_channel(bot: Bot) -> None:
    row = await bot.hears()
    await bot.answers(row)
    pause = ChannelPause(by=UserId("1"), by_role="admin", at=bot.clock.at, inbound=row)
    await bot.store.channels.set_settings(v.KEY, ChannelSettings(pause=pause), BY_ITSELF)
    assert rules(await bot.asked()) == ["PAUSED"]


async def test_a_memory_that_the_request_showed_is_named_and_then_forgotten(bot: Bot) -> None:
    (memory,) = await bot.store.memories.add([v.memory("Do not answer ann.")])
    row = await bot.hears()
    await bot.skips(row, memories=(memory,))
    evidence = await bot.asked()
    (finding,) = diagnose(evidence).findings
    assert finding.rule == "MEM-DIRECTIVE"
    assert finding.fix is not None
    assert finding.quotes[0].text == "Do not answer ann."


async def test_a_silence_without_a_memory_is_the_models_choice(bot: Bot) -> None:
    await bot.skips(await bot.hears())
    assert rules(await bot.asked()) == ["DEC-SILENT"]


async def test_the_message_replied_to_is_meant(bot: Bot) -> None:
    first = await bot.hears(row=7)
    await bot.answers(first)
    second = await bot.hears(row=8)
    await bot.skips(second)
    evidence = await bot.asked(replied_message_id="7")
    assert (about(evidence), evidence.target.about_why) == (first, "replied_to")
    assert about(await bot.asked()) == second
    assert about(await bot.asked(inbound=first)) == first
    assert about(await bot.asked(replied_message_id="404")) == second


async def test_a_reply_to_our_answer_means_what_it_answered(bot: Bot) -> None:
    first = await bot.hears()
    await bot.answers(first)
    await bot.skips(await bot.hears())
    assert about(await bot.asked(replied_message_id="m1")) == first


async def test_a_coalesced_message_stands_for_the_one_that_was_answered(bot: Bot) -> None:
    first, second = await bot.hears(row=7), await bot.hears(row=8)
    await bot.skips(first, second)
    await bot.store.ledger.settle([Settlement(inbound=first, at=bot.clock.at, outcome=Outcome.SUPERSEDED)])
    assert about(await bot.asked(replied_message_id="7")) == second


async def test_the_askers_own_message_comes_first(bot: Bot) -> None:
    mine = await bot.hears()
    await bot.skips(mine)
    await bot.skips(await bot.hears(author=v.author("200", "bob")))
    assert about(await bot.asked(asker=PersonKey("console", UserId("100")))) == mine
    later = await bot.asked(asker=PersonKey("console", UserId("100")), since=bot.clock.at - SECOND)
    assert about(later) != mine


async def test_from_outside_a_dead_process_is_recognised_by_its_heartbeat(bot: Bot) -> None:
    await bot.answers(await bot.hears())
    assert rules(await bot.asked(live=False)) == ["NOT-RUNNING"]
    await bot.store.beat(beat(at=bot.clock.at, adapters=(up(),)))
    fresh = await bot.asked(live=False)
    assert (fresh.running, fresh.live, rules(fresh)) == (True, False, [])
    assert fresh.adapter == up()
    bot.clock.advance(FRESH_HEARTBEAT_MS / 1000 + 1)
    assert rules(await bot.asked(live=False)) == ["NOT-RUNNING"]


async def test_a_store_that_can_only_be_read_is_enough(bot: Bot, tmp_path: Path) -> None:
    await bot.skips(await bot.hears())
    await bot.store.beat(beat(at=bot.clock.at, exit_reason="SIGKILL"))
    readonly = await open_readonly(tmp_path / "data")
    try:
        evidence = await EvidenceCollector(readonly, bot.clock, bot.config).collect(v.KEY, "", EvidenceQuery())
    finally:
        await readonly.close()
    assert rules(evidence) == ["NOT-RUNNING"]
    assert evidence.target.name == "#general"


async def test_a_platform_that_is_off_is_the_cause(bot: Bot) -> None:
    bot.config = Config(platforms={"console": PlatformConfig(enabled=False)})
    assert rules(await bot.asked()) == ["NOT-RUNNING"]


async def test_looking_changes_nothing(bot: Bot) -> None:
    await bot.skips(await bot.hears())
    before = await bot.store.channels.load(v.KEY)
    first, second = await bot.asked(), await bot.asked()
    assert first == second
    assert await bot.store.channels.load(v.KEY) == before


async def test_the_next_context_comes_from_whoever_can_assemble_it(bot: Bot) -> None:
    asked: list[ChannelKey] = []

    async def preview(key: ChannelKey) -> None:
        asked.append(key)

    live = LiveSources(Nobody(), lambda: (), lambda: (), preview)
    await EvidenceCollector(bot.store, bot.clock, bot.config, live).collect(v.KEY, "#general", EvidenceQuery())
    assert asked == [v.KEY]


async def test_silent_channels_are_grouped_for_the_host(bot: Bot) -> None:
    await bot.store.channels.meet(OTHER, "#other", ChannelPlace(guild_id="2"), ChannelSettings())
    stop = v.stopped("pause", "paused")
    for channel in (v.GENERAL, OTHER.channel):
        await bot.hears(verdicts=(stop,), disposition=ArrivalDisposition.DROP, channel=channel)
    (group,) = await bot.collector(live=False).silent_channels((MAIN,), START)
    assert (group.outcome, group.reason) == (Outcome.GATED, "pause")
    assert [(channel.name, channel.guild_id) for channel in group.channels] == [("#other", "2"), ("#general", "1")]


async def test_the_platform_is_asked_about_the_channel(bot: Bot) -> None:
    asked: list[ChannelId] = []

    async def probe(channel: ChannelId) -> tuple[ProbeResult, ...]:
        asked.append(channel)
        return (PRIVATE,)

    assert (await probing(bot, probe)).probes == (PRIVATE,)
    assert asked == [v.GENERAL]


async def test_a_platform_that_hangs_costs_a_second_and_no_more(bot: Bot) -> None:
    async def probe(_: ChannelId) -> tuple[ProbeResult, ...]:
        await asyncio.Event().wait()
        return ()

    with Stopwatch() as watch:
        evidence = await probing(bot, probe)
    assert evidence.probes is None
    assert watch.seconds < 2
    assert diagnose(evidence).checks[1].detail.endswith("no answer to a probe")


async def test_a_probe_that_breaks_ends_no_answer(bot: Bot) -> None:
    async def probe(_: ChannelId) -> tuple[ProbeResult, ...]:
        raise KeyError("result")

    assert (await probing(bot, probe)).probes is None


async def test_from_the_machine_nobody_is_asked(bot: Bot) -> None:
    assert (await bot.asked(live=False)).probes == ()


async def probing(bot: Bot, probe: Probing) -> Evidence:
    live = LiveSources(Nobody(), lambda: (up(),), lambda: (), None, probe)
    return await EvidenceCollector(bot.store, bot.clock, bot.config, live).collect(v.KEY, "#general", EvidenceQuery())
