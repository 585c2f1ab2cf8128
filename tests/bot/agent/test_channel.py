"""A channel's turns, from the message to the one outcome."""

from __future__ import annotations

import asyncio
from itertools import count

import pytest

from bot.agent.turn.turn import TurnLimits
from bot.config import ModelConfig
from bot.domain.channel import LastTurn
from bot.domain.handles import HandleKind, handle
from bot.domain.ledger import LedgerStage, Outcome
from bot.domain.messages import ChannelPlace, Role
from bot.domain.turn import TurnStatus
from bot.errors import DeliveryError, ProviderFault, StoreError
from tests.bot.agent.room import Room
from tests.fakes.provider import ScriptedProvider, calls, fails, says


def outcomes(room: Room) -> list[tuple[int, Outcome, str]]:
    return [(s.inbound, s.outcome, s.reason) for s in room.end.settlements]


def shape(room: Room) -> list[Role]:
    return [message.role for message in room.state.history]


async def test_a_question_is_answered():
    room = Room(says("yes"))
    await room.hears("are you there?")
    assert room.said == ["yes"]
    assert (room.end.status, room.end.rounds) == (TurnStatus.REPLIED, 1)
    assert outcomes(room) == []  # the delivery settles it, when the platform has it
    (reply,) = room.delivery.sent
    assert (reply.kind, reply.inbound, reply.turn, reply.replies_to) == ("reply", 1, 1, "x1")
    assert shape(room) == [Role.USER, Role.ASSISTANT]
    assert [stream.stopped for stream in room.delivery.streams] == [True]
    assert room.channel.in_flight is None


async def test_the_trail_tells_every_stage_and_the_request_is_kept_before_it_is_sent():
    room = Room(lambda request: says(f"{[row.stage for row in room.journal.stages]}"))
    await room.hears()
    assert room.said == [f"{[LedgerStage.TURN, LedgerStage.ASSEMBLED, LedgerStage.REQUESTED]}"]
    assert [row.stage for row in room.end.stages] == [LedgerStage.DECIDED]


async def test_the_state_after_a_turn_is_what_was_committed():
    room = Room(calls(("memory_recall", {})), says("nothing yet"))
    await room.hears("what do you know?")
    (turn,) = room.state.turns
    assert turn.messages == room.end.messages
    assert [m.role for m in turn.messages] == [Role.USER, Role.ASSISTANT, Role.TOOL, Role.ASSISTANT]
    assert room.state.last == LastTurn(outcome="replied", at=room.end.at, context_tokens=100)


async def test_coalesced_messages_are_answered_together_and_the_newest_speaks_for_them():
    room = Room(says("both"))
    await room.channel.take([room.arrives("one"), room.arrives("two")])
    assert room.said == ["both"]
    newest = handle(HandleKind.INBOUND, 2)
    assert outcomes(room) == [(1, Outcome.SUPERSEDED, f"coalesced into {newest}")]
    assert [row.stage for row in room.journal.stages][:2] == [LedgerStage.COALESCED, LedgerStage.TURN]
    assert len(room.state.turns[0].messages) == 3


async def test_what_is_skipped_carries_the_models_reason():
    room = Room(calls(("skip", {"reason": "two people talk with each other", "category": "not_for_me"})))
    await room.hears("hi bob", mentions_bot=False)
    assert room.said == []
    assert outcomes(room) == [(1, Outcome.SKIPPED, "not_for_me: two people talk with each other")]
    assert shape(room) == [Role.USER, Role.ASSISTANT, Role.TOOL]
    assert len(room.provider.requests) == 1


@pytest.mark.parametrize(
    "changes", [{"mentions_bot": True}, {"place": ChannelPlace(is_dm=True), "mentions_bot": False}]
)
async def test_whoever_speaks_to_the_bot_is_not_skipped_for_convenience(changes):
    skip = calls(("skip", {"reason": "nothing to add here", "category": "nothing_to_add"}))
    room = Room(skip, says("you are welcome"))
    await room.hears("thanks", **changes)
    assert room.said == ["you are welcome"]
    assert "Write your answer to them now" in room.provider.requests[1].messages[-1].results[0].text


async def test_an_instruction_may_silence_even_then_and_is_recorded():
    room = Room(calls(("skip", {"reason": "memory m27d4 says not to answer ann", "category": "instructed"})))
    await room.hears("hello?")
    assert outcomes(room) == [(1, Outcome.SKIPPED, "instructed: memory m27d4 says not to answer ann")]


async def test_who_skips_behind_a_reply_has_answered():
    skip = calls(("skip", {"reason": "all is said", "category": "nothing_to_add"}))
    room = Room(calls(("reply", {"text": "it is done"})), skip, says("never asked for"))
    await room.hears()
    assert room.said == ["it is done"] and len(room.provider.requests) == 2
    assert outcomes(room) == [(1, Outcome.REPLIED, "sent by the reply tool")]


async def test_the_reply_tool_sends_at_once_and_later_text_is_not_sent():
    room = Room(calls(("reply", {"text": "wait a moment"})), says("done"))
    await room.hears()
    assert room.said == ["wait a moment"]
    assert outcomes(room) == [(1, Outcome.REPLIED, "sent by the reply tool")]
    assert shape(room) == [Role.USER, Role.ASSISTANT, Role.TOOL]
    assert room.journal.requests[-1].response.text == "done"


async def test_a_failed_send_is_said_to_the_model_which_may_then_answer():
    room = Room(calls(("reply", {"text": "now"})), says("later"))
    room.delivery.errors = [DeliveryError("no", code="50013", permanent=True)]
    await room.hears()
    assert "50013" in room.provider.requests[1].messages[-1].results[0].text
    assert room.said == ["later"]


async def test_a_send_that_may_have_arrived_is_never_repeated():
    room = Room(calls(("reply", {"text": "now"})), says("now"))
    room.delivery.errors = [DeliveryError("timed out", uncertain=True)]
    await room.hears()
    assert room.said == []
    assert [s.outcome for s in room.end.settlements] == [Outcome.UNCERTAIN]


async def test_a_reaction_is_enough_where_words_are_missing():
    room = Room(calls(("react", {"emoji": "👍"})), says(""))
    await room.hears("thanks!")
    assert room.delivery.reactions == [("console:#general", "x1", "👍")]
    assert outcomes(room) == [(1, Outcome.SKIPPED, "reacted: with 👍")]


async def test_an_empty_answer_is_asked_for_once_more_and_then_said_to_be_empty():
    room = Room(says(" \n"), says("here I am"))
    await room.hears()
    assert room.said == ["here I am"]
    room = Room(says(""))
    await room.hears()
    assert len(room.provider.requests) == 2
    assert room.said[0].startswith("I could not answer: the model gave me nothing to say, twice.")
    assert [s.reason for s in room.end.settlements] == ["empty: no text, twice (the model stopped with stop)"]
    assert room.state.last.error.startswith("empty:")


async def test_the_last_round_keeps_its_tools_and_must_answer():
    room = Room(calls(("memory_recall", {"query": "tea"})), limits=TurnLimits(rounds=3, seconds=5))
    await room.hears()
    assert [r.tool_choice.value for r in room.provider.requests] == ["auto", "auto", "none"]
    assert len({r.tools for r in room.provider.requests}) == 1
    assert outcomes(room)[0][2].startswith("rounds: no answer after 3 rounds")
    assert room.said[0].startswith("I could not answer: I got stuck in a loop")


@pytest.mark.parametrize("fault", list(ProviderFault))
async def test_every_fault_of_the_service_ends_in_one_honest_line(fault):
    room = Room(fails(fault, "secret detail of the operator"))
    await room.hears()
    (line,) = room.said
    assert line.startswith("I could not answer: ") and line.endswith("An admin can ask me why with !cortex.")
    assert "secret detail" not in line
    assert room.delivery.sent[0].kind == "notice"
    ((_, outcome, reason),) = outcomes(room)
    assert outcome is Outcome.FAILED
    assert reason.split(":")[0] == ("too_large" if fault is ProviderFault.CONTEXT_LENGTH else "provider")
    assert fault.value in reason


async def test_what_no_model_takes_does_not_come_back_with_the_next_message():
    room = Room(fails(ProviderFault.BAD_REQUEST), says("fine"))
    await room.hears("poison")
    assert room.state.history == ()
    await room.hears("and now?")
    assert room.said[-1] == "fine"


async def test_what_was_asked_in_vain_stays_in_the_history():
    room = Room(fails(ProviderFault.AUTH))
    await room.hears("remember this")
    assert shape(room) == [Role.USER]


async def test_another_model_answers_when_the_first_one_fails():
    spare = ScriptedProvider(says("from the spare"), name="spare")
    config = ModelConfig(name="scripted/scripted-1", fallbacks=("spare/s-1",), retries=0, context_window=128_000)
    room = Room(fails(ProviderFault.SERVER), config=config, others=[spare])
    await room.hears()
    assert room.said == ["from the spare"]
    first, second = room.journal.requests
    assert (second.record.fallback_of, str(second.record.request.model)) == (first.id, "spare/s-1")
    assert first.attempts[0].fault == "server"


async def test_a_request_that_cannot_fit_is_never_sent():
    config = ModelConfig(name="scripted/scripted-1", retries=0, context_window=600, max_output_tokens=100)
    room = Room(says("?"), config=config)
    await room.hears("word " * 1000)
    assert room.provider.requests == []
    assert outcomes(room)[0][2].startswith("too_large: ")
    assert "more text than the model can read" in room.said[0]


async def test_a_turn_that_takes_too_long_ends_and_says_so():
    async def never(request):
        await asyncio.Event().wait()

    room = Room(never, limits=TurnLimits(rounds=3, seconds=0.05))
    await room.hears()
    assert outcomes(room)[0][2] == "timeout: no answer within 0.05 s"
    assert room.said[0].startswith("I could not answer: it took too long.")
    assert room.journal.requests[0].attempts[0].fault == "cancelled"


async def test_stop_ends_the_turn_and_not_the_channel():
    started = asyncio.Event()

    async def never(request):
        started.set()
        await asyncio.Event().wait()

    room = Room(never, says("back"))
    taking = asyncio.get_running_loop().create_task(room.hears("first"))
    await started.wait()
    assert room.channel.in_flight is not None
    assert room.channel.stop()
    await taking
    assert outcomes(room) == [(1, Outcome.CANCELLED, "stopped")]
    assert room.said == []
    assert not room.channel.stop()
    await room.hears("second")
    assert room.said == ["back"]


async def test_what_people_had_read_when_it_was_stopped_stays_marked():
    started = asyncio.Event()

    async def never(request):
        started.set()
        await asyncio.Event().wait()

    room = Room(never)
    room.delivery.preview = "v1"
    taking = asyncio.get_running_loop().create_task(room.hears())
    await started.wait()
    room.channel.stop()
    await taking
    (cut,) = room.delivery.sent
    assert (cut.kind, cut.text, cut.edits) == ("notice", "⏹", "v1")
    assert outcomes(room) == [(1, Outcome.CANCELLED, "stopped")]


@pytest.mark.parametrize(("step", "kind"), [(says("yes"), "reply"), (fails(), "notice")])
async def test_how_a_turn_ends_takes_the_place_of_what_was_seen(step, kind):
    room = Room(step)
    room.delivery.preview = "v1"
    await room.hears()
    (body,) = room.delivery.sent
    assert (body.kind, body.edits) == (kind, "v1")
    assert not room.delivery.streams[0].withdrawn


@pytest.mark.parametrize(
    "script",
    [
        [calls(("skip", {"reason": "not mine", "category": "instructed"}))],
        [calls(("reply", {"text": "now"}), text="hm"), says("later")],
    ],
)
async def test_what_was_seen_of_nothing_is_taken_back(script):
    room = Room(*script)
    room.delivery.preview = "v1"
    await room.hears()
    assert room.delivery.streams[0].withdrawn
    assert all(not body.edits for body in room.delivery.sent)


async def test_every_round_is_seen_until_something_was_said():
    look, reply = calls(("memory_recall", {}), text="let me see"), calls(("reply", {"text": "now"}), text="hm")
    room = Room(look, reply, says("later"))
    await room.hears()
    assert room.delivery.streams[0].texts == ["let me see", "hm"]
    assert room.delivery.answers[0].asked == ("x1",)


async def test_a_shutdown_leaves_the_turn_to_the_next_start():
    async def never(request):
        await asyncio.Event().wait()

    room = Room(never)
    taking = asyncio.get_running_loop().create_task(room.hears())
    for _ in range(20):
        await asyncio.sleep(0)
    taking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await taking
    assert room.journal.ends == []
    assert [stream.stopped for stream in room.delivery.streams] == [True]


async def test_it_says_which_turn_runs():
    numbers = []
    room = Room(lambda request: numbers.append(room.channel.running_turn) or says("yes"))
    await room.hears()
    assert numbers == [room.end.turn] != [0]
    assert room.channel.running_turn == 0


async def test_a_store_that_fails_is_not_hidden():
    room = Room(says("yes"))

    async def broken(*_):
        raise StoreError("disk full")

    room.journal.record_request = broken
    with pytest.raises(StoreError):
        await room.hears()


async def test_a_defect_of_ours_is_said_and_recorded():
    room = Room(ZeroDivisionError())
    await room.hears()
    assert outcomes(room) == [(1, Outcome.FAILED, "internal: ZeroDivisionError")]
    assert room.said == [
        "I could not answer: something in me broke. It is recorded.\nAn admin can ask me why with !cortex."
    ]


async def test_text_that_was_meant_as_a_call_is_corrected_once():
    room = Room(says("NO_REPLY"), calls(("skip", {"reason": "not for me at all", "category": "not_for_me"})))
    await room.hears("hi bob", mentions_bot=False)
    assert outcomes(room)[0][1] is Outcome.SKIPPED
    assert "looked like a tool call" in room.provider.requests[1].messages[-1].text
    assert shape(room) == [Role.USER, Role.ASSISTANT, Role.TOOL]
    room = Room(says('{"name": "skip", "arguments": {}}'))
    await room.hears()
    assert len(room.provider.requests) == 2 and outcomes(room)[0][1] is Outcome.FAILED
    assert "skip" not in "".join(room.said)


async def test_memories_are_stored_with_the_turn_and_admins_hear_of_silencing_ones():
    wish = {"content": "ann asked the bot to stop responding to her.", "type": "decision"}
    room = Room(
        calls(("memory_save", wish), ("memory_save", {"content": "ann likes tea", "type": "fact"})), says("noted")
    )
    await room.hears("please do not answer me")
    first, second = room.end.memories
    assert (first.type, first.importance, first.subjects) == ("decision", 0.8, ("100",))
    assert (first.provenance.author, first.provenance.message_id, first.provenance.turn) == ("100", "x1", 1)
    assert second.content == "ann likes tea"
    assert [effect.memory for effect in room.bell.rung] == [first]
    assert room.bell.rung[0].silences.target == "her"


async def test_every_request_can_be_rebuilt():
    room = Room(calls(("memory_recall", {})), says("ok"))
    await room.hears()
    assert room.notes.rows == []
    sizes = count(1)
    room.models.encode = lambda request, *_: room.provider.encode(request.replace(max_output_tokens=next(sizes)))
    await room.hears()
    assert {row.reason.split(":")[0] for row in room.notes.rows} == {"drift"}


async def test_an_edited_or_deleted_message_does_not_need_words():
    room = Room(says("ok"))
    await room.hears("")
    assert room.said == ["ok"]
