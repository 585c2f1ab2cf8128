"""A process that is dead, deaf, or was switched off; asked on the machine where nobody can ask in the chat."""

from __future__ import annotations

from bot.domain.health import AdapterHealth, AdapterState
from bot.domain.ids import ChannelId
from tests.scenarios.holding import Hang
from tests.scenarios.scenario import HEALTHY, Scenario
from tests.scenarios.stage import Stage
from tests.servers.model import Hangs

RULE = "NOT-RUNNING"


async def ann_asks(stage: Stage) -> None:
    await stage.says("ann", "@glassmind are you there?")


async def it_was_stopped(stage: Stage) -> None:
    await ann_asks(stage)
    await stage.ends("stopped by a signal")
    stage.passes(3600)


async def it_vanished(stage: Stage) -> None:
    await ann_asks(stage)
    await stage.ends("")
    stage.passes(3600)


async def the_adapter_is_off(stage: Stage) -> None:
    await ann_asks(stage)
    await stage.ends("stopped by a signal")
    stage.bot.set("console", enabled=False)
    await stage.begins()


async def the_adapter_is_down(stage: Stage) -> None:
    await ann_asks(stage)
    stage.terminal.ill = ill(stage, AdapterState.DOWN, "connection refused")
    stage.passes(300)


async def two_programs_listen(stage: Stage) -> None:
    await ann_asks(stage)
    stage.terminal.ill = ill(stage, AdapterState.CONFLICT, "another program reads the updates")
    stage.passes(300)


async def it_ended_over_a_command(stage: Stage) -> None:
    hang = stage.terminal.hanging[ChannelId("console:dm:1")] = Hang()
    await stage.says_on("root", "!cortex why")
    await hang.begun.wait()
    stage.replied = stage.message_id("!cortex why")
    await stage.bot.restart()
    await stage.bot.app.settled()


async def it_ends_over_and_over(stage: Stage) -> None:
    await stage.says_on("ann", "@glassmind are you there?")
    for _ in range(3):
        await stage.server.hung()
        await stage.restart()
    await stage.settles()


def ill(stage: Stage, state: AdapterState, detail: str) -> AdapterHealth:
    since = stage.bot.clock.now()
    return AdapterHealth(name="console", state=state, since=since, last_event_at=since, detail=detail)


SCENARIOS = (
    Scenario("it was stopped", RULE, it_was_stopped, ("stopped by a signal", "glassmind run"), on_host=True),
    Scenario("it vanished", RULE, it_vanished, ("without recording why", "glassmind run"), on_host=True),
    Scenario("the adapter is off", RULE, the_adapter_is_off, ("[platforms.console]", "enabled = true"), on_host=True),
    Scenario("the adapter is down", RULE, the_adapter_is_down, ("connection refused", "doctor")),
    Scenario("two programs listen", "TG-409", two_programs_listen, ("Each gets only part", "Stop the other program")),
    Scenario(
        "it ends over and over",
        RULE,
        it_ends_over_and_over,
        ("restarted", "every time it worked on", "running again since"),
        script=(Hangs(), Hangs(), Hangs()),
    ),
    Scenario(
        "it ended over a command",
        RULE,
        it_ended_over_a_command,
        ("restarted", "running again since"),
        why="/reply {replied} !cortex why",
    ),
    Scenario("it runs, seen from the machine", HEALTHY, ann_asks, ("was answered",), on_host=True),
)
