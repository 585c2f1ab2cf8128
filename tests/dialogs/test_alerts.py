"""Who hears, and how, when the bot cannot hear, was away, or can reach nobody."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import structlog

from adapters.webhook import create as web
from bot.cli.host_queries import HostQueries
from bot.domain.health import AdapterHealth, AdapterState
from bot.ports.caller import WebhookCaller
from bot.runtime.logs import as_line
from bot.text.redaction import Redactor
from tests.dialogs.bot import Bot, a_bot
from tests.fakes import values as v
from tests.fakes.caller import FakeCaller
from tests.fakes.clock import START, FakeClock
from tests.fakes.platform import FakePlatform
from tests.golden.golden import matches
from tests.servers.hook import PATH, Answer, HookServer, hook_server

CONFIG = """
[platforms.discord]
kind = "console"
script = "nobody-types.txt"
owner_ids = [11]
admin_ids = [12]
moderator_ids = [13]
[alerts]
webhook = "{webhook}"
heartbeat_url = "{heartbeat}"
"""
NOBODY = {"11", "12"}


class Discord(FakePlatform):
    """A chat service whose connection becomes what it is told."""

    def __init__(self, clock: FakeClock) -> None:
        super().__init__("discord")
        self.clock = clock
        self.word = AdapterHealth(name="discord", state=AdapterState.UP, since=START)

    def becomes(self, state: AdapterState, detail: str = "", fix: str = "") -> None:
        now = self.clock.now()
        self.word = AdapterHealth(name="discord", state=state, since=now, detail=detail, fix=fix)

    def goes_deaf(self) -> None:
        self.becomes(AdapterState.DOWN, "the gateway closed with 4004", "Put a new token into the configuration")

    def health(self) -> AdapterHealth:
        return self.word


class Talk:
    """A bot on two platforms, and the time that passes."""

    def __init__(self, bot: Bot, discord: Discord) -> None:
        self.bot, self.discord = bot, discord

    @property
    def heard(self) -> list[tuple[str, str]]:
        """Everything that the discord people were told, by id."""
        return [(str(sent.to.private_to), sent.text) for sent in self.discord.sent]

    def told(self, person: str) -> list[str]:
        return [text for who, text in self.heard if who == person]

    @property
    def terminal(self) -> list[str]:
        return [line for line in self.bot.private() if "needs an admin" in line]

    async def passes(self, seconds: float) -> None:
        """Let time pass, look by look."""
        for _ in range(round(seconds / 10)):
            self.bot.clock.advance(10)
            self.bot.app.watch.look()
            await self.bot.app.settled()

    async def beats(self, seconds: float) -> None:
        """Let time pass with the sign of life that a running bot keeps."""
        for _ in range(round(seconds / 10)):
            await self.passes(10)
            await self.bot.app.maintenance.beat()

    async def comes_back(self, seconds: float) -> None:
        """Start again after a time, and let the terminal be there."""
        self.bot.clock.advance(seconds)
        await self.bot.open()
        await self.bot.says("ann", "hi")


@asynccontextmanager
async def talk(
    data: Path, *, webhook: str = "", heartbeat: str = "", caller: WebhookCaller | None = None
) -> AsyncIterator[Talk]:
    more = CONFIG.format(webhook=webhook, heartbeat=heartbeat)
    async with a_bot(data, more=more) as bot:
        await bot.close()
        discord = Discord(bot.clock)
        bot.others, bot.caller = {"discord": discord}, caller
        await bot.open()
        here = Talk(bot, discord)
        await bot.says("ann", "hi")
        await here.passes(10)
        yield here


@pytest.fixture
async def caller() -> AsyncIterator[WebhookCaller]:
    made = web({})
    yield made
    await made.close()


@pytest.fixture
async def here(tmp_path: Path) -> AsyncIterator[Talk]:
    async with talk(tmp_path) as found:
        yield found


async def test_a_deaf_platform_tells_its_owners_and_admins_once_and_once_again_when_it_hears(here, request):
    here.discord.goes_deaf()
    await here.passes(90)
    assert here.heard == []
    await here.passes(10)
    assert [who for who, _ in here.heard] == ["11", "12"]
    await here.passes(3600)
    assert len(here.heard) == 2
    here.discord.becomes(AdapterState.UP)
    await here.passes(30)
    assert len(here.heard) == 2
    await here.passes(3600)
    assert [who for who, _ in here.heard] == ["11", "12"] * 2
    assert matches(request.config, "alerts/deaf_and_back", "\n\n".join(here.told("11")))
    assert here.terminal == []


async def test_another_platform_carries_what_the_deaf_one_cannot(tmp_path):
    async with talk(tmp_path, webhook=f"http://127.0.0.1:9{PATH}", caller=FakeCaller()) as here:
        here.discord.closed_dms = NOBODY
        here.discord.goes_deaf()
        await here.passes(100)
        root, mod = here.terminal
        assert root.startswith("[dm root ▸ Glassmind needs an admin]") and mod.startswith("[dm mod ▸ ")
        assert "discord has heard nothing since 2025-10-09 08:53 UTC" in root
        assert here.bot.caller.posted == []


async def test_the_webhook_carries_what_no_chat_can(tmp_path, request, caller):
    async with hook_server() as hook, talk(tmp_path, webhook=hook.url, caller=caller) as here:
        here.discord.closed_dms = NOBODY
        await here.bot.types("/closedm root", "/closedm mod")
        detail = f"<!here> POST {hook.url} said 401, api_key=hunter2hunter2"
        here.discord.becomes(AdapterState.CONFLICT, detail)
        with structlog.testing.capture_logs() as logged:
            await here.passes(300)
        (body,) = hook.posted
        assert matches(request.config, "alerts/webhook", "\n".join(f"{key}: {value}" for key, value in body.items()))
        lines = [as_line(Redactor.of(here.bot.config.secrets))(None, "", line) for line in logged]
        for shown in (str(body), *lines):
            assert PATH not in shown and hook.url not in shown and "hunter2" not in shown
        assert body["allowed_mentions"] == {"parse": []} and "<" not in body["text"]


async def test_what_reached_nobody_is_in_the_log_and_the_doctors_row_and_is_tried_again(tmp_path, caller):
    async with hook_server(Answer(500), Answer(500)) as hook, talk(tmp_path, webhook=hook.url, caller=caller) as here:
        here.discord.closed_dms = NOBODY
        await here.bot.types("/closedm root", "/closedm mod")
        here.discord.goes_deaf()
        with structlog.testing.capture_logs() as logged:
            await here.passes(110)
        critical = [line for line in logged if line["log_level"] == "critical"]
        assert [line["event"] for line in critical] == ["alert_reached_nobody"]
        assert critical[0]["webhook"] == "127.0.0.1 answered 500" and "discord has heard" in critical[0]["text"]
        await here.bot.types("/opendm root")
        await here.bot.says("root", "!cortex doctor")
        row = re.compile(
            r"✗ alerts: since 08:5.:.. UTC alerts have reached nobody; the webhook: 127.0.0.1 answered 500\n"
        )
        assert row.search(here.bot.private()[-1])
        await here.passes(300)
        assert [line.split("]")[0] for line in here.terminal] == ["[dm root ▸ Glassmind needs an admin"]
        assert len(hook.knocks) == 1
        await here.bot.says("root", "!cortex doctor")
        assert "✓ alerts: sent to owners and admins in private (2" in here.bot.private()[-1]


async def test_a_platform_that_comes_and_goes_is_told_of_once_in_ten_minutes(here):
    for _ in range(30):
        here.discord.goes_deaf()
        await here.passes(100)
        here.discord.becomes(AdapterState.UP)
        await here.passes(40)
    told = here.told("11")
    assert 12 <= len(told) <= 14
    assert {"nothing since" in text for text in told[::2]} == {True}
    assert {"hearing again" in text for text in told[1::2]} == {True}


async def test_a_platform_that_recovers_in_time_is_not_talked_about(here):
    for state in (AdapterState.DOWN, AdapterState.STARTING, AdapterState.CONFLICT, AdapterState.DEGRADED):
        here.discord.becomes(state)
        await here.passes(80)
        here.discord.becomes(AdapterState.UP)
        await here.passes(20)
    assert here.heard == []


async def test_worse_is_told_and_better_is_told_but_the_reason_alone_is_no_news(here, request):
    steps = [
        (AdapterState.DEGRADED, "the message intent was refused", "Allow it in the developer portal."),
        (AdapterState.DOWN, "", ""),
        (AdapterState.CONFLICT, "", "Stop the other program."),
        (AdapterState.DEGRADED, "the message intent was refused", "Allow it in the developer portal."),
        (AdapterState.UP, "", ""),
        (AdapterState.CONFLICT, "", ""),
    ]
    for state, detail, fix in steps:
        here.discord.becomes(state, detail, fix)
        await here.passes(840)
    assert matches(request.config, "alerts/worse_and_better", "\n\n".join(here.told("11")))


async def test_a_connection_that_ended_is_deaf_whatever_it_says(here):
    async def breaks(ears: object) -> None:
        raise RuntimeError("a bug")

    here.discord.run = breaks
    with pytest.raises(RuntimeError):
        await here.bot.app.watch.listen("discord", here.bot.app.manager)
    await here.passes(100)
    assert "its connection ended, and nothing in me restarts it." in here.told("11")[0]


async def test_an_adapter_that_fails_in_any_way_does_not_keep_the_alert_back(here):
    async def breaks(person: object, title: str) -> None:
        raise AssertionError("not logged in")

    here.discord.open_thread = breaks
    here.discord.goes_deaf()
    await here.passes(100)
    assert len(here.terminal) == 2


async def test_an_alert_that_is_stuck_is_overtaken_and_nothing_piles_up_behind_it(tmp_path, monkeypatch):
    monkeypatch.setattr("bot.cortex.alerts.admin_alerts._ROUTE_TIMEOUT_SECONDS", 0.05)
    async with talk(tmp_path) as here:
        free, opened = asyncio.Event(), here.discord.open_thread

        async def hangs(person, title):
            await free.wait()
            return await opened(person, title)

        here.discord.open_thread = hangs
        await here.bot.types("/closedm root", "/closedm mod")
        here.discord.goes_deaf()
        for _ in range(100):
            here.bot.clock.advance(10)
            here.bot.app.watch.look()
            await asyncio.sleep(0.005)
        monkeypatch.undo()
        free.set()
        await here.bot.app.settled()
        assert len(here.told("11")) == 1
        await here.passes(600)
        assert len(here.told("11")) == 1  # the next try says the same: it is counted in the message that stands
        await here.passes(3600)
        assert len(here.told("11")) == 1


async def test_alerts_do_not_pile_up_for_a_platform_that_cannot_be_reached(here):
    await here.bot.types("/closedm root", "/closedm mod")
    here.discord.away = "unreachable"
    here.discord.goes_deaf()
    await here.passes(7200)
    waiting = await here.bot.store.outbox.pending()
    assert sorted(str(row.body.to.private_to) for row in waiting) == ["11", "12"]
    here.discord.away = ""
    trying = asyncio.get_running_loop().create_task(here.bot.app.sender.queues.keep_trying())
    async with asyncio.timeout(10):
        while await here.bot.store.outbox.pending():  # noqa: ASYNC110 - it goes out by itself
            await asyncio.sleep(0)
    trying.cancel()
    assert [len(here.told(person)) for person in ("11", "12")] == [1, 1]


async def test_after_a_kill_and_a_silence_the_admins_get_an_account(here, request):
    bot = here.bot
    await here.beats(60)
    waiting = v.arrival("@glassmind are you there?", "w1", at=bot.clock.now(), sent_at=bot.clock.now())
    await bot.store.ledger.arrive([waiting], None)
    await bot.dies()
    since = bot.clock.now()
    await here.comes_back(3 * 3600 + 31 * 60)
    here_again = bot.app.watch.ears(bot.app.manager)
    for n in range(3):
        late = v.inbound(f"late {n}", f"l{n}", sent_at=since + 60_000 * (n + 1), mentions_bot=False)
        await here_again.receive([late], None)
        await here_again.receive([late], None)
    await here.passes(50)
    assert here.heard == []
    await here.beats(20)
    assert [who for who, _ in here.heard] == ["11", "12"] and len(here.terminal) == 2
    assert matches(request.config, "alerts/killed", here.told("11")[0])
    await here.passes(3600)
    assert len(here.heard) == 2
    await bot.close()
    await here.comes_back(200)
    await here.passes(120)
    assert len(here.heard) == 2


async def test_after_a_stop_and_a_silence_the_admins_get_the_reason(here, request):
    await here.bot.close()
    await here.comes_back(301)
    await here.passes(60)
    assert matches(request.config, "alerts/stopped", here.told("12")[0])


async def test_a_short_stop_is_not_talked_about(here):
    for seconds in (0, 60, 299):
        await here.bot.close()
        await here.comes_back(seconds)
        await here.beats(120)
    await here.bot.dies()
    await here.comes_back(250)
    await here.beats(120)
    assert here.heard == [] and here.terminal == []


async def test_a_start_that_does_not_live_long_enough_leaves_the_report_to_the_next(here, request):
    await here.beats(10)
    await here.bot.dies()
    await here.comes_back(3600)
    for _ in range(3):
        await here.beats(40)
        await here.bot.dies()
        await here.comes_back(5)
    assert here.heard == []
    await here.beats(60)
    assert matches(request.config, "alerts/crash_loop", here.told("11")[0])
    await here.bot.close()
    await here.comes_back(5)
    await here.beats(120)
    assert len(here.told("11")) == 1


async def test_two_alerts_at_once_reach_the_same_people(here):
    await here.beats(10)
    await here.bot.dies()
    here.discord.goes_deaf()
    await here.comes_back(3600)
    here.bot.clock.advance(40)
    here.bot.app.watch.look()
    await here.passes(90)
    assert sorted(text.split()[0] for text in here.told("11")) == ["I", "discord"]


async def test_the_monitor_outside_is_called_only_while_every_platform_hears(tmp_path, caller):
    async with hook_server() as hook, talk(tmp_path, heartbeat=hook.url, caller=caller) as here:
        clock, stop = here.bot.clock, asyncio.Event()
        clock.auto = False
        here.bot.console.run = here.discord.run = lambda ears: asyncio.Event().wait()
        async with asyncio.TaskGroup() as group:
            group.create_task(here.bot.app.run(stop))
            await until_called(hook, clock, 3)
            assert {(knock.method, knock.path) for knock in hook.knocks} == {("GET", PATH)}
            for state in (AdapterState.DOWN, AdapterState.CONFLICT, AdapterState.STARTING):
                here.discord.becomes(state)
                await minutes(clock, 3)
                assert len(hook.knocks) == 3
            assert "discord has heard nothing" in here.told("11")[0]
            here.discord.becomes(AdapterState.DEGRADED)
            await until_called(hook, clock, 4)
            hook.answers += [Answer(500)] * 2
            with structlog.testing.capture_logs() as logged:
                await until_called(hook, clock, 8)
            failures = [line["error"] for line in logged if line["event"] == "monitor_not_called"]
            assert failures == ["127.0.0.1 answered 500"]
            stop.set()
        clock.auto = True
        await here.bot.app.edges.store.close()
        await here.bot.open()


async def until_called(hook: HookServer, clock: FakeClock, count: int) -> None:
    """Let minutes pass until so many calls have come; no more than one comes in a minute."""
    passed, before = 0, len(hook.knocks)
    while len(hook.knocks) < count:
        await minutes(clock, 1)
        passed += 1
        assert len(hook.knocks) - before <= passed < 60


async def minutes(clock: FakeClock, count: int) -> None:
    for _ in range(count * 6):
        clock.advance(10)
        await asyncio.sleep(0.02)


async def test_status_and_doctor_say_who_would_hear(tmp_path):
    async with talk(tmp_path, webhook="https://hooks.example/secret-path", heartbeat="https://up.example/x") as here:
        host = HostQueries(here.bot.store, here.bot.config.config, here.bot.clock)
        shown = await host.status()
        line = (
            "sent to owners and admins in private (2 on console, 2 on discord), or else the webhook; "
            "heartbeat to a monitor: every 60 s"
        )
        assert f"alerts: {line}" in shown.text and shown.value["alerts"] == line
        await here.bot.says("root", "!cortex doctor")
        assert f"✓ alerts: {line}" in here.bot.private()[-1]


async def test_without_anybody_to_tell_the_doctor_warns(tmp_path):
    async with a_bot(tmp_path, more='[alerts]\nwebhook = ""') as bot:
        lonely = bot.config.config.model_copy(update={"platforms": {}})
        assert "alerts: nobody is told" in (await HostQueries(bot.store, lonely, bot.clock).status()).text
