"""A bot that has spent its money, stands still, shows a mark for nobody, waits for people, or has a double."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass

from bot.domain.finding import Confidence
from bot.domain.handles import HandleKind, handle
from bot.domain.ledger import Outcome
from bot.domain.memory import MemoryType
from bot.domain.messages import AuthorKind
from bot.domain.turn import OutboxState
from tests.fakes.values import memory
from tests.scenarios.scenario import HEALTHY, Scenario
from tests.scenarios.stage import PATIENCE, Stage
from tests.servers.model import Calls, Hangs, Says
from tests.servers.model.wire import Asked, Wire

PRICED = {"price_input": 1000.0, "price_output": 1000.0}
CAPPED = {"limits": {"daily_cost_usd": 0.01}, "model": PRICED}
SUMMER = handle(HandleKind.MEMORY, 1)


async def ann_asks_twice(stage: Stage) -> None:
    await stage.says("ann", "@glassmind are you there?")
    stage.passes(10)
    await stage.says("ann", "@glassmind are you still there?")


async def a_day_later(stage: Stage) -> None:
    await ann_asks_twice(stage)
    await stage.waits(86_400)


async def a_tool_does_not_let_go(stage: Stage) -> None:
    stage.terminal.on_reacting = lambda: time.sleep(2.1)
    await stage.says("ann", "@glassmind are you there?")
    stage.terminal.on_reacting = lambda: None


async def a_service_does_not_let_go(stage: Stage) -> None:
    watch = asyncio.ensure_future(stage.bot.app.stalls.run())  # noqa: TID251 - cancelled below
    stage.simulation.holds_up = 2.7
    await asyncio.sleep(0.01)
    # no time passes meanwhile on the clock of the bot: it is the real one that the service holds up
    await stage.says_on("ann", "@glassmind are you there?")
    async with asyncio.timeout(PATIENCE):
        while not (stage.bot.app.stalls.found and stage.heard("(simulated)")):  # noqa: ASYNC110 - nothing tells of it
            await asyncio.sleep(0.01)
    stage.simulation.holds_up = 0.0
    watch.cancel()
    await stage.settles()


async def a_tool_takes_a_moment(stage: Stage) -> None:
    stage.terminal.on_reacting = lambda: time.sleep(0.1)
    await stage.says("ann", "@glassmind are you there?")


async def the_model_is_waited_for(stage: Stage) -> None:
    await stage.says_on("ann", "@glassmind are you there?")
    await stage.server.hung()
    stage.passes(2)


async def the_mark_stays(stage: Stage) -> None:
    """An adapter that waits for ever to say that somebody types, and will not hear that it need not."""
    await the_mark_is_shown(stage)
    stage.server.release()
    async with asyncio.timeout(PATIENCE):
        while not stage.heard("late") or stage.bot.app.registry.queue(stage.home).running_turn:  # noqa: ASYNC110 - nothing says that a turn is over
            await asyncio.sleep(0.01)
    await stage.waits(60)


async def the_mark_is_shown(stage: Stage) -> None:
    hang = stage.holds_typing()
    await the_model_is_waited_for(stage)
    await hang.begun.wait()
    await stage.waits(30)


@dataclass(frozen=True)
class Mind:
    """Answers every process of a bot by what it may call and has called: a branch proposes to forget."""

    def wire(self, asked: Asked) -> Wire:
        tools = {tool["function"]["name"] for tool in asked.request.get("tools", ())}
        after = str(asked.request["messages"][-1]["role"]) == "tool"
        if "memory_delete" in tools:
            wish = Calls((("memory_delete", f'{{"memory": "{SUMMER}", "reason": "ann asks for it"}}'),))
            return (Says("It is proposed.") if after else wish).wire(asked)
        if "It is proposed." in str(asked.request):
            return Says("It is proposed to the owners.").wire(asked)
        if after:
            return Says("I am looking into it.").wire(asked)
        return Calls((("branch", '{"task": "forget what ann likes"}'),)).wire(asked)


async def ann_wants_it_forgotten(stage: Stage) -> None:
    await stage.store.memories.add(
        [
            memory(
                stage.setting.words("ann likes summer"),
                type=MemoryType.PREFERENCE,
                scope_id=stage.home.channel,
                channel=stage.home.channel,
            )
        ]
    )
    await stage.says("ann", "@glassmind please forget what I like")
    await stage.waits(720)


async def a_second_program_answers(stage: Stage) -> None:
    """It has the same account and a data directory of its own; what it says comes in like everything else."""
    await stage.says("ann", "@glassmind are you there?")
    stage.passes(2)
    stage.terminal.programs["bo"] = AuthorKind.SELF
    await stage.says("bo", "yes, I am here")


async def a_second_program_replies(stage: Stage) -> None:
    await stage.says("ann", "@glassmind are you there?")
    stage.terminal.programs["bo"] = AuthorKind.SELF
    await stage.bot.types("/as bo", f"/reply {stage.message_id('are you there?')} yes, I am here")


async def its_own_words_come_back(stage: Stage) -> None:
    """Some platforms hand a bot what it has said itself."""
    await stage.says("ann", "@glassmind are you there?")
    said = next(one for one in reversed(stage.terminal.world.said) if one.by_bot)
    stage.terminal.programs["bo"] = AuthorKind.SELF
    stage.terminal.echo_of = said.message_id
    await stage.says("bo", said.text)


async def it_is_sent_twice(stage: Stage) -> None:
    """A faulty program kept the answer twice, and so it went out twice."""
    await stage.says("ann", "@glassmind are you there?")
    # some platforms show a bot what it said itself: that is no message that was answered
    recent = await stage.store.ledger.recent(stage.home, 5)
    answered = next(one for one in recent if one.outcome is Outcome.REPLIED)
    (sent,) = await stage.store.outbox.of_inbound(answered.id)
    assert sent.state is OutboxState.SENT
    rows = await stage.store.outbox.put([sent.body], [], stage.bot.clock.now())
    await stage.bot.app.sender.deliver(rows)


COST = (
    Scenario(
        "the day's money is spent",
        "COST-CAP",
        ann_asks_twice,
        ("of $0.01", "24 h: answers $", "tokens", "daily_cost_usd"),
        script=(Says("yes"),),
        settings=CAPPED,
    ),
    Scenario(
        "the day's money was spent",
        "COST-CAP",
        a_day_later,
        ("was reached", "daily_cost_usd"),
        script=(Says("yes"),),
        settings=CAPPED,
    ),
)
REACTS = Calls((("react", '{"emoji": "👍"}'),))
STANDSTILL = (
    Scenario(
        "a tool does not let go",
        "LOOP-BLOCK",
        a_tool_does_not_let_go,
        ("the whole bot froze", "Tool react blocked it", "Switch off react"),
        script=(REACTS, Says("yes")),
    ),
    Scenario(
        "something beside tools does not let go",
        "LOOP-BLOCK",
        a_service_does_not_let_go,
        ("the whole bot froze", "It froze at complete (stage.py:"),
        sure=Confidence.LIKELY,
    ),
    Scenario("a tool takes a moment", HEALTHY, a_tool_takes_a_moment, ("was answered",), script=(REACTS, Says("yes"))),
)
TYPING = (
    Scenario(
        "the typing mark stays",
        "TYPING",
        the_mark_stays,
        ("typing, but nobody is", "(1 min)", "Restart the bot"),
        script=(Hangs(),),
    ),
    Scenario("the typing mark is there in time", HEALTHY, the_mark_is_shown, ("in progress",), script=(Hangs(),)),
)
APPROVAL = (
    Scenario(
        "an admin has not confirmed yet",
        "APPROVAL",
        ann_wants_it_forgotten,
        ("waits for an approval", f"proposed 12 min ago to forget {SUMMER}", "the owners, in private", "Forget"),
        script=(Mind(),) * 5,
    ),
)
DOUBLES = (
    Scenario(
        "a second program answers, too",
        "OTHER-PROCESS",
        a_second_program_answers,
        ("two programs answer as the bot", "The bot's account spoke once", "one process for each token"),
        sure=Confidence.LIKELY,
    ),
    Scenario(
        "a second program replies, too", "OTHER-PROCESS", a_second_program_replies, ("two programs answer as the bot",)
    ),
    Scenario("its own words come back", HEALTHY, its_own_words_come_back, ("was answered",)),
    Scenario("the answer is sent twice", "DUP", it_is_sent_twice, ("was sent twice", "the second")),
)
SCENARIOS = (*COST, *STANDSTILL, *TYPING, *APPROVAL, *DOUBLES)
