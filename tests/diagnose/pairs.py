"""Two causes at once: what may come behind a scenario, and which scenarios it may come behind."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from typing import Any

from bot.domain.health import AdapterState
from bot.domain.messages import AuthorKind
from tests.diagnose.causes import CONSOLE
from tests.diagnose.rows import DiagnosisRow
from tests.scenarios import decisions, delivery, gates, model, others, pauses, process
from tests.scenarios.scenario import Scenario
from tests.scenarios.stage import Stage


@dataclass(frozen=True)
class SecondCause:
    """Something that goes wrong beside what has gone wrong; `comes_first` where it stands before that in the way."""

    rule: str
    happens: Callable[[Any], Awaitable[None]]
    comes_first: bool


async def the_adapter_goes_down(stage: Stage) -> None:
    stage.terminal.ill = process.ill(stage, AdapterState.DOWN, "connection refused")
    stage.passes(300)


async def another_program_listens(stage: Stage) -> None:
    stage.terminal.ill = process.ill(stage, AdapterState.CONFLICT, "another program reads the updates")
    stage.passes(300)


async def somebody_pauses_it(stage: Stage) -> None:
    stage.passes(30)
    await stage.says("mod", "@glassmind !pause a raid is on")


async def it_goes_out_again(stage: Stage) -> None:
    recent = await stage.store.ledger.recent(stage.home, 1)
    (sent, *_) = await stage.store.outbox.of_inbound(recent[0].id)
    rows = await stage.store.outbox.put([sent.body], [], stage.bot.clock.now())
    await stage.bot.app.sender.deliver(rows)


async def another_program_answers(stage: Stage) -> None:
    stage.terminal.programs["bo"] = AuthorKind.SELF
    asked = next(one for one in reversed(stage.terminal.world.said) if one.name == "ann")
    await stage.bot.types("/as bo", f"/reply {asked.message_id} yes, I am here")


BEHIND = {
    "the adapter goes down": SecondCause("NOT-RUNNING", the_adapter_goes_down, True),
    "another program listens": SecondCause("TG-409", another_program_listens, True),
    "somebody pauses it": SecondCause("PAUSED", somebody_pauses_it, True),
    "the answer goes out again": SecondCause("DUP", it_goes_out_again, False),
    "another program answers, too": SecondCause("OTHER-PROCESS", another_program_answers, False),
}
_ANSWERED = (
    "it claims to have saved",
    "it looks for a tool that is not there",
    "the persona says it twice",
    "somebody has it begin anew",
    "the filter minds what somebody else said",
    "the server reads half a window",
)
"""Scenarios that end in an answer."""
_UNANSWERED = (
    "the key is refused",
    "nothing, twice",
    "all spent on thinking",
    "it skips a question",
    "a memory orders silence",
    "nobody mentions the bot",
    "the sender is not on the list",
    "paused",
    "a message larger than the window",
    "the model is left alone since it failed elsewhere",
    "it wants to skip, may not, and says nothing",
    "the bot may not write there",
)
_FAMILIES = (decisions, delivery, gates, model, others, pauses)
_BY_NAME = {one.name: one for family in _FAMILIES for one in family.SCENARIOS}


def pairs() -> Iterator[DiagnosisRow]:
    """Return what is answered with everything behind it, and what is not with what stands before it."""
    for name in _ANSWERED:
        yield from (DiagnosisRow(_BY_NAME[name], CONSOLE, behind) for behind in BEHIND)
    early = [behind for behind, cause in BEHIND.items() if cause.comes_first and cause.rule != "PAUSED"]
    for name in _UNANSWERED:
        yield from (DiagnosisRow(_BY_NAME[name], CONSOLE, behind) for behind in early)


def first_of(name: str) -> Scenario:
    """Return the scenario of the first cause."""
    return _BY_NAME[name]
