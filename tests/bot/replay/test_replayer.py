"""A recorded request is asked again as it was; what is no longer there is said, and nothing is done for it."""

from __future__ import annotations

import pytest

from bot.agent.turn.model_client import ModelClient
from bot.config import ModelConfig
from bot.context.assemble import assemble
from bot.context.sections import ORDER
from bot.context.tokens import by_bytes
from bot.domain.channel import ProcessKind
from bot.domain.llm import FinishReason, ModelName
from bot.domain.turn import AttemptRecord, MarkKind, RequestMark, StoredRequest
from bot.errors import ProviderFault, UserError
from bot.replay.replayed_decision import DecisionKind, ReplayedDecision, decision_of
from bot.replay.replayer import KnownNow, Replayer, ReplayRun
from bot.replay.request_parts import PartChange
from tests.bot.replay.test_recorded_inputs import record_of, sent
from tests.fakes.clock import FakeClock
from tests.fakes.contexts import says as heard
from tests.fakes.contexts import trigger
from tests.fakes.journal import FakeJournal
from tests.fakes.provider import ScriptedProvider, calls, fails, says
from tests.fakes.values import channel

KNOWN = KnownNow({"skip", "reply"}, frozenset())
SKIP = calls(("skip", {"reason": "told to", "category": "instructed"}))
MODEL = ModelName(provider="scripted", model="one")
RUN = ReplayRun(turn=7, number=0)


def desk(*script, model="scripted/one"):
    provider = ScriptedProvider(*script)
    models = ModelClient({"scripted": provider}, ModelConfig(name=model, retries=0), FakeClock())
    return Replayer(models, FakeJournal(), FakeClock()), provider


def stored(replayer, answer=SKIP, *, model=MODEL, **changes) -> StoredRequest:
    before = sent(channel(), trigger(heard("are you there?")))
    limits = before.inputs.limits.replace(model=model)
    inputs = before.inputs.model_copy(update={"limits": limits})
    snapshot = assemble(inputs, ORDER[ProcessKind.CHANNEL], by_bytes)
    wire = replayer.models.encode(snapshot.request) if model.provider == "scripted" else None
    record = record_of(snapshot, wire.sha256 if wire else "").replace(encoder="scripted/1")
    attempt = AttemptRecord(request=1, number=1, at=0, duration_ms=100.0, response=answer)
    return StoredRequest(id=1, record=record, attempts=(attempt,) if answer else (), **changes)


async def test_as_it_was_is_posted_byte_for_byte_and_kept_as_a_replay():
    replayer, provider = desk(SKIP)
    request = stored(replayer)
    replay = replayer.prepared(request, KNOWN)
    assert replay.exact and not replay.notes
    assert await replayer.run(replay, RUN) == ReplayedDecision(DecisionKind.SKIPPED, "instructed")
    (kept,) = replayer.journal.requests
    assert (kept.record.digest, kept.record.wire_sha256) == (request.record.digest, request.record.wire_sha256)
    assert kept.record.kind is ProcessKind.REPLAY and kept.record.turn == 7
    assert kept.response == SKIP and not replayer.journal.calls
    assert provider.requests[0].digest == request.record.digest
    assert replayer.decided(kept, "") == replay.decision()


async def test_a_part_can_be_left_out_or_say_something_else():
    replayer, provider = desk(says("yes"))
    replay = replayer.prepared(stored(replayer), KNOWN)
    change = PartChange(("section:silence_rules",), {"section:identity": "You are a parrot."})
    await replayer.run(replay, RUN, change)
    asked = {block.name: block.text for block in provider.requests[0].system}
    assert asked["identity"] == "You are a parrot." and "silence_rules" not in asked
    with pytest.raises(ValueError, match="section:none"):
        replay.parts.with_change(PartChange(("section:none",)))


async def test_what_is_neutral_takes_up_the_room_of_what_is_left_out():
    replayer, _ = desk(says("yes"))
    replay = replayer.prepared(stored(replayer), KNOWN)
    bare = replay.parts.with_change(PartChange(("section:operating_contract",)))
    padded = replay.parts.with_change(PartChange(("section:operating_contract",), {}, 500))
    assert 350 <= padded.stats.total - bare.stats.total <= 550


def test_the_tool_of_a_decision_stays_whatever_is_left_out():
    replayer, _ = desk(says("yes"))
    silent = replayer.prepared(stored(replayer), KNOWN)
    every = tuple(part.id for part in silent.parts.every)
    left = silent.parts.with_change(PartChange(every)).request
    assert [tool.name for tool in left.tools] == ["skip"]
    assert [message.text for message in left.messages] == [message.text for message in silent.parts.recorded.messages]
    answered = replayer.prepared(stored(replayer, says("yes")), KNOWN)
    assert not answered.parts.with_change(PartChange(every)).request.tools


def test_a_model_that_is_gone_is_said_and_another_one_stands_in():
    replayer, _ = desk(SKIP)
    gone = stored(replayer, model=ModelName(provider="elsewhere", model="old"))
    replay = replayer.prepared(gone, KNOWN)
    assert str(replay.model) == "scripted/one" and not replay.exact
    assert replay.notes == ("elsewhere/old is not configured any more. scripted/one was asked instead.",)
    with pytest.raises(UserError, match="elsewhere/old is not configured any more"):
        replayer.prepared(stored(replayer), KNOWN, ModelName(provider="elsewhere", model="old"))


async def test_another_model_can_be_asked():
    replayer, provider = desk(says("yes"))
    replay = replayer.prepared(stored(replayer), KNOWN, ModelName(provider="scripted", model="two"))
    assert await replayer.run(replay, RUN) == ReplayedDecision(DecisionKind.REPLIED)
    assert provider.requests[0].model.model == "two"


def test_tools_that_are_gone_are_said():
    replayer, _ = desk(SKIP)
    replay = replayer.prepared(stored(replayer), KnownNow({"skip"}, ()))
    assert replay.notes == ("No longer there: reply. The record of it was used.",)


@pytest.mark.parametrize(
    ("kind", "words"),
    [(MarkKind.ROOM, "its words are not kept"), (MarkKind.REDACTED, "words of somebody were erased")],
)
def test_what_is_not_on_record_as_it_was_is_not_asked_again(kind, words):
    replayer, _ = desk(SKIP)
    with pytest.raises(UserError, match=words):
        replayer.prepared(stored(replayer, mark=RequestMark(kind=kind, at=1)), KNOWN)


async def test_a_service_that_refuses_is_a_decision_and_one_that_fails_is_none():
    replayer, _ = desk(fails(ProviderFault.FLAGGED), fails(ProviderFault.AUTH))
    replay = replayer.prepared(stored(replayer), KNOWN)
    assert await replayer.run(replay, RUN) == ReplayedDecision(DecisionKind.REFUSED)
    assert replayer.decided(replayer.journal.requests[0], "") == ReplayedDecision(DecisionKind.REFUSED)
    with pytest.raises(Exception, match="it broke"):
        await replayer.run(replay, RUN)
    assert replayer.decided(replayer.journal.requests[1], "") is None


@pytest.mark.parametrize(
    ("answer", "words", "name"),
    [
        (SKIP, "", "skipped"),
        (says("yes"), "", "replied"),
        (says("We raid on FRIDAY at 9 pm."), "friday", "replied:with the words"),
        (says("We raid at 9 pm."), "21:00", "replied:with the words"),
        (says("I do not know."), "friday", "replied:without the words"),
        (says("  "), "friday", "empty"),
        (says("NO_REPLY"), "", "empty"),
        (says("", finish=FinishReason.CONTENT_FILTER), "", "refused"),
        (calls(("memory_save", {"content": "x"})), "", "called:memory_save"),
        (calls(("reply", {"text": "on friday"}), ("skip", {})), "", "skipped"),
        (calls(("reply", {"text": "on friday"})), "friday", "replied:with the words"),
        (calls(("reply", "not json")), "", "empty"),
    ],
)
def test_every_answer_has_one_class(answer, words, name):
    assert decision_of(answer, ("skip", "reply"), words).name == name
