"""How a conversation's state changes, where no dialog shows it by itself."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bot.domain.channel import (
    ChannelEvent,
    ChannelState,
    FinishedProcess,
    ProcessEnded,
    ProcessKind,
    ProcessStarted,
    ResultsRead,
    RunningProcess,
    Turn,
    TurnsCompacted,
    apply,
)
from bot.domain.compaction import CompactionSummary, SummaryType
from bot.domain.ids import ChannelId
from bot.domain.messages import Message, Role, TextPart


def turn(number: int, text: str = "hello") -> Turn:
    return Turn(id=number, messages=(Message(role=Role.USER, parts=(TextPart(text=text),)),))


def talk(turns: int) -> ChannelState:
    return ChannelState(
        agent="main", id=ChannelId("console:#a"), name="#a", turns=tuple(map(turn, range(1, turns + 1)))
    )


@given(st.data())
def test_a_compaction_takes_the_place_of_its_turns_and_can_be_undone(data: st.DataObject) -> None:
    before = talk(data.draw(st.integers(1, 9)))
    first = data.draw(st.integers(0, len(before.turns) - 1))
    last = data.draw(st.integers(first + 1, len(before.turns)))
    taken = before.turns[first:last]
    block = turn(taken[0].id, "[SUMMARIZED] they greeted each other")
    after = apply(before, TurnsCompacted(taken=tuple(t.id for t in taken), turns=(block,)))
    assert after.turns == (*before.turns[:first], block, *before.turns[last:])
    assert apply(after, TurnsCompacted(taken=(block.id,), turns=taken)) == before


def test_turns_that_do_not_stand_there_any_more_are_left_alone() -> None:
    state = talk(4)
    for taken in ((1, 3), (4, 5), (2, 1), ()):
        assert apply(state, TurnsCompacted(taken=taken, turns=(turn(1, "x"),))) == state


def test_a_message_without_a_summary_keeps_the_name_that_it_always_had() -> None:
    message = turn(1).messages[0]
    assert "summary" not in message.json_text
    summary = CompactionSummary(
        type=SummaryType.HALF, compaction=1, count=1, method="model", created_at=1, sources=(message.digest,)
    )
    marked = message.replace(summary=summary)
    assert marked.digest != message.digest
    assert Message.model_validate_json(marked.json_text) == marked


WORK = st.lists(
    st.tuples(st.sampled_from(["starts", "ends", "is read", "is not said"]), st.integers(1, 3)), max_size=12
)


@given(WORK)
def test_hearing_of_work_twice_changes_nothing(happened: list[tuple[str, int]]) -> None:
    once = twice = talk(1)
    for what, number in happened:
        event = of_work(what, number)
        once, twice = apply(once, event), apply(apply(twice, event), event)
        assert once == twice
        assert len({one.id for one in once.running}) == len(once.running)


def of_work(what: str, number: int) -> ChannelEvent:
    name, kind = f"w000{number}", ProcessKind.WORKER
    match what:
        case "starts":
            return ProcessStarted(process=RunningProcess(id=name, kind=kind, task="count", started=1))
        case "ends":
            found = FinishedProcess(
                id=name, row=number, kind=kind, task="count", state="done", ended=2, text="40", waits=False
            )
            return ProcessEnded(process_id=name, finished=found)
        case "is read":
            return ResultsRead(rows=(number,))
        case _:
            return ResultsRead(rows=(), unsaid=(number,))


def test_what_nobody_spoke_of_waits() -> None:
    state = apply(talk(1), of_work("ends", 1))
    assert not state.finished[0].waits
    assert apply(state, of_work("is not said", 1)).finished[0].waits
    assert not apply(state, of_work("is read", 1)).finished
