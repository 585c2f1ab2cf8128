"""When a turn is over."""

from __future__ import annotations

from typing import Any

import pytest

from bot.agent.turn.decision import NextStep, SoFar, decide
from bot.domain.llm import ToolChoice
from bot.domain.turn import TurnStatus
from bot.tools.runtime.effects import AddedReaction, SentMessage, SkippedTurn, TurnEffects
from tests.fakes.provider import calls, says


def so_far(*effects: Any, choice: ToolChoice = ToolChoice.AUTO, **changes: Any) -> SoFar:
    log = TurnEffects()
    for effect in effects:
        log.add(effect)
    base: dict[str, Any] = {"tools": ("skip",), "requests": 3, "emptied": False, "corrected": False}
    return SoFar(choice=choice, effects=log, **{**base, **changes})


NONE = ToolChoice.NONE
SKIPPED = SkippedTurn("a reason", "not_for_me")
CALL = '<tool_call>{"name": "skip"'
SAID = SentMessage("hi", ("p1",))


@pytest.mark.parametrize(
    ("response", "seen", "outcome"),
    [
        (says("hello"), so_far(), (TurnStatus.REPLIED, "", "hello")),
        (says(" hello\n"), so_far(), (TurnStatus.REPLIED, "", "hello")),
        (says("\u200b\u2060"), so_far(AddedReaction("👍")), (TurnStatus.SKIPPED, "reacted: with 👍", "")),
        (says("more"), so_far(SAID), (TurnStatus.REPLIED, "sent by the reply tool", "")),
        (calls(("skip", {})), so_far(SKIPPED), (TurnStatus.SKIPPED, "not_for_me: a reason", "")),
        (says(""), so_far(AddedReaction("👍")), (TurnStatus.SKIPPED, "reacted: with 👍", "")),
        (
            says(""),
            so_far(emptied=True),
            (TurnStatus.FAILED, "empty: no text, twice (the model stopped with stop)", ""),
        ),
        (
            calls(("skip", {})),
            so_far(choice=NONE),
            (TurnStatus.FAILED, "rounds: no answer after 3 rounds; the model wanted more tools", ""),
        ),
        (calls(("skip", {}), text="well"), so_far(choice=NONE), (TurnStatus.REPLIED, "", "well")),
        (says("SKIP"), so_far(corrected=True), (TurnStatus.REPLIED, "", "SKIP")),
        (says(CALL), so_far(corrected=True), (TurnStatus.FAILED, "markup: a tool call came as text", "")),
        (says(CALL), so_far(choice=NONE), (TurnStatus.FAILED, "markup: a tool call came as text", "")),
        (says(CALL), so_far(choice=NONE, tools=()), (TurnStatus.REPLIED, "", CALL)),
        (says(f"```\n{CALL}\n```"), so_far(), (TurnStatus.REPLIED, "", f"```\n{CALL}\n```")),
        (says("SKIP"), so_far(choice=NONE), (TurnStatus.REPLIED, "", "SKIP")),
        (calls(("skip", {})), so_far(SAID, SKIPPED), (TurnStatus.REPLIED, "sent by the reply tool", "")),
    ],
)
def test_a_turn_ends(response, seen, outcome):
    ending = decide(response, seen)
    assert (ending.status, ending.reason, ending.text) == outcome


@pytest.mark.parametrize(
    ("response", "seen", "step"),
    [
        (calls(("skip", {})), so_far(), NextStep.SHOW_RESULTS),
        (says(""), so_far(), NextStep.ASK_AGAIN),
        (says("SKIP"), so_far(), NextStep.CORRECT),
    ],
)
def test_a_turn_goes_on(response, seen, step):
    assert decide(response, seen) is step
