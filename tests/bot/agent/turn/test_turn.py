"""The loop itself, where a channel does not show it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from structlog.testing import capture_logs

from bot.agent.turn.turn import MAX_FOUND, MAX_TRIES, TurnLimits, clean_response, find_culprits
from bot.config import ModelConfig
from bot.domain.ledger import LedgerStage
from bot.domain.messages import Role
from bot.errors import ProviderFault
from tests.bot.agent.room import Room
from tests.fakes.provider import ScriptedProvider, calls, fails, says


async def test_what_is_in_flight_can_be_seen_while_it_runs():
    room = Room(lambda request: says(f"{room.channel.in_flight.digest == request.digest}"))
    await room.hears()
    assert room.said == ["True"]
    assert room.channel.in_flight is None


async def test_every_round_extends_the_one_before_it():
    look = ("memory_recall", {"query": "tea"})
    room = Room(calls(look), calls(look, text="let me look again"), says("no tea"))
    await room.hears()
    one, two, three = room.provider.requests
    assert two.messages[: len(one.messages)] == one.messages
    assert three.messages[: len(two.messages)] == two.messages
    assert [m.role for m in three.messages[-4:]] == [Role.ASSISTANT, Role.TOOL] * 2
    assert [r.record.round for r in room.journal.requests] == [0, 1, 2]
    assert [r.record.digest for r in room.journal.requests] == [r.digest for r in room.provider.requests]
    stages = [row.stage for row in room.journal.stages]
    assert stages == [LedgerStage.TURN, *[LedgerStage.ASSEMBLED, LedgerStage.REQUESTED] * 3]


async def test_a_skip_beside_other_calls_ends_the_turn_after_all_of_them_ran():
    skip = ("skip", {"reason": "they talk to bob", "category": "not_for_me"})
    room = Room(calls(("memory_save", {"content": "bob is here", "type": "fact"}), skip))
    await room.hears(mentions_bot=False)
    assert [m.content for m in room.end.memories] == ["bob is here"]
    assert [r.tool_name for r in await room.journal.calls_of_turn(1)] == ["memory_save", "skip"]


async def test_a_correction_is_not_repeated_to_the_model_after_it_listened():
    room = Room(says("NO_REPLY"), calls(("memory_recall", {})), says("fine"))
    await room.hears()
    assert [m.text for m in room.provider.requests[2].messages if "NO_REPLY" in m.text] == []
    assert room.said == ["fine"]


async def test_records_survive_a_service_that_fails_later():
    room = Room(calls(("memory_recall", {})), fails(ProviderFault.SERVER))
    await room.hears()
    assert len(await room.journal.calls_of_turn(1)) == 1
    assert [m.role for m in room.state.history] == [Role.USER, Role.ASSISTANT, Role.TOOL]


async def test_after_a_reply_a_failure_is_no_failure_for_the_people():
    room = Room(calls(("reply", {"text": "here it is"})), fails(ProviderFault.SERVER))
    await room.hears()
    assert room.said == ["here it is"]
    assert room.end.reason == "sent by the reply tool; then provider: server: it broke"


async def test_a_smaller_fallback_gets_a_request_of_its_own_size():
    spare = ScriptedProvider(says("small but kind"), name="spare")
    config = ModelConfig(name="scripted/scripted-1", fallbacks=("spare/tiny",), retries=0, context_window=128_000)
    room = Room(fails(ProviderFault.RATE), config=config, others=[spare])
    await room.hears()
    assert spare.requests[0].max_output_tokens == room.models.limits(room.models.chain()[1]).max_output
    assert room.said == ["small but kind"]


@pytest.mark.parametrize("rounds", [1, 2])
async def test_the_last_round_may_be_the_first(rounds):
    room = Room(says("short"), limits=TurnLimits(rounds=rounds, seconds=5))
    await room.hears()
    assert room.provider.requests[0].tool_choice.value == ("none" if rounds == 1 else "auto")


async def test_broken_characters_of_a_model_go_nowhere():
    room = Room(calls(("reply\x00", '{"text": "\ud83d"}')), says("a\x00b\ud83d"))
    with capture_logs() as logs:
        await room.hears()
    assert [entry for entry in logs if entry["log_level"] != "info"] == []
    assert room.said == ["a\ufffdb\ufffd"]
    assert clean_response(says("fine")) == says("fine")


@pytest.mark.parametrize(("warn", "block"), [(2, 4), (3, 5), (4, 7)])
async def test_how_often_a_call_may_be_repeated_is_a_limit_of_the_turn(warn, block):
    limits = TurnLimits(rounds=10, seconds=5, warn_at=warn, block_at=block)
    room = Room(calls(("memory_recall", {"query": "tea"})), limits=limits)
    await room.hears()
    texts = [record.result_output for record in await room.journal.calls_of_turn(1)]
    assert next(n for n, text in enumerate(texts, 1) if "was not run" in text) == block
    shown = [result.text for message in room.provider.requests[-1].messages for result in message.results]
    assert next(n for n, text in enumerate(shown, 1) if "the same result as before" in text) == warn


class Filter:
    """Lets everything through but requests with any of these."""

    def __init__(self, *flagged: int) -> None:
        self.flagged = set(flagged)
        self.tries = 0

    async def passes(self, left_out: Sequence[int]) -> bool:
        self.tries += 1
        return self.flagged <= set(left_out)


@given(st.integers(1, 1000), st.data())
async def test_one_message_is_found_wherever_it_stands(count: int, data: st.DataObject):
    culprit = data.draw(st.integers(0, count - 1))
    guard = Filter(culprit)
    assert await find_culprits(range(count), guard.passes) == (culprit,)
    assert guard.tries <= MAX_TRIES


@pytest.mark.parametrize("flagged", [(0, 1), (3, 7), (0, 4, 9)])
async def test_several_are_found(flagged: tuple[int, ...]):
    guard = Filter(*flagged)
    found = await find_culprits(range(10), guard.passes)
    assert (set(found) == set(flagged)) or (found == () and guard.tries == MAX_TRIES)
    assert len(found) <= MAX_FOUND


async def test_a_question_and_what_repeats_it_are_found_together():
    guard = Filter(50, 51, 52)
    assert set(await find_culprits(range(100), guard.passes)) == {50, 51, 52}
    guard = Filter(4, 5, 6, 7)
    assert set(await find_culprits(range(10), guard.passes)) == {4, 5, 6, 7}


async def test_the_newest_message_costs_one_request():
    guard = Filter(99)
    assert await find_culprits(range(10), guard.passes) == () and guard.tries == 1


async def test_nothing_to_leave_out_costs_none():
    guard = Filter(99)
    assert await find_culprits((), guard.passes) == () and guard.tries == 0
