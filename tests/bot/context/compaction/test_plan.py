"""What may be compacted, in which order, and what never is: the promises hold for any conversation."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from bot.context.compaction import STRATEGIES, CompactionThresholds, CompactionView, RequestFullness, next_plan, view_of
from bot.context.compaction.plan import VERBATIM_MESSAGES, is_block, is_goal_batch, level_of, standing_for
from bot.domain.channel import Turn, TurnsCompacted, apply
from bot.domain.compaction import CompactionLevel, SummaryType
from bot.domain.messages import Message, Role
from tests.bot.context.compaction.talks import done, exchange, shortened, view_by
from tests.fakes import values as v
from tests.fakes.lengths import whole_or


def view(turns: tuple[Turn, ...], percent: float, room: int = 100_000) -> CompactionView:
    return view_of(turns, RequestFullness(round(room * percent / 100), room), CompactionThresholds())


def plain(count: int, pairs: int = 0, text: str = "some words", *, begin: int = 1) -> tuple[Turn, ...]:
    return tuple(
        Turn(id=number, messages=exchange(number, pairs, text, 0, answered=True))
        for number in range(begin, begin + count)
    )


def messages(turns: tuple[Turn, ...]) -> list[Message]:
    return [message for turn in turns for message in turn.messages]


def only_whole_contiguous_turns_are_taken(seen: CompactionView) -> None:
    plan = next_plan(seen)
    if plan is None:
        return
    ids = [turn.id for turn in seen.turns]
    begin = ids.index(plan.ids[0])
    assert tuple(seen.turns[begin : begin + len(plan.taken)]) == plan.taken
    assert plan.taken[-1] is not seen.turns[-1], "the newest turn is sacred"


def below_the_aggressive_level_the_newest_twenty_messages_stay_verbatim(seen: CompactionView) -> None:
    plan = next_plan(seen)
    if plan is not None and plan.level in {CompactionLevel.EARLY, CompactionLevel.BACKGROUND}:
        newest = messages(seen.turns)[-VERBATIM_MESSAGES:]
        assert not {id(m) for m in messages(plan.taken)} & {id(m) for m in newest}
        assert messages(done(seen, plan))[-VERBATIM_MESSAGES:] == newest


def no_call_is_parted_from_its_result(seen: CompactionView) -> None:
    plan = next_plan(seen)
    if plan is None:
        return
    after = messages(done(seen, plan))
    calls = [call.call_id for message in after for call in message.calls]
    assert calls == [result.call_id for message in after for result in message.results]
    for before, message in zip([None, *after], after, strict=False):
        assert not message.results or (before is not None and before.calls)


def goal_batches_are_never_compacted_again_but_in_an_emergency(seen: CompactionView) -> None:
    plan = next_plan(seen)
    if plan is not None and plan.type in {SummaryType.HALF, SummaryType.GOAL_BATCH}:
        assert not any(is_goal_batch(turn) for turn in plan.taken)
    if plan is not None and plan.type is SummaryType.GOAL_BATCH:
        assert 3 <= len(plan.taken) <= 6 and all(turn.is_shortened for turn in plan.taken)


def tool_calls_go_and_what_was_said_stays(seen: CompactionView) -> None:
    plan = next_plan(seen)
    if plan is None or plan.type is not SummaryType.TOOL_CALLS:
        return
    after = done(seen, plan)
    assert [turn.id for turn in after] == [turn.id for turn in seen.turns]
    spoken = [m for m in messages(seen.turns) if not m.calls and m.role is not Role.TOOL]
    names = [m.digest for m in spoken]
    assert [m.digest for m in messages(after) if m.digest in set(names)] == names
    for turn in after:
        assert sum(m.summary is not None and m.summary.type is SummaryType.TOOL_CALLS for m in turn.messages) <= 1


def a_summary_says_what_it_stands_for(seen: CompactionView) -> None:
    plan = next_plan(seen)
    if plan is None:
        return
    before, after = messages(plan.taken), messages(shortened(plan.type, plan.taken))
    old, new = {m.digest for m in before}, {m.digest for m in after}
    fresh = [m.summary for m in after if m.summary is not None and m.digest not in old]
    taken = [m for m in before if m.digest not in new]
    assert [name for summary in fresh for name in summary.sources] == [m.digest for m in taken]
    ids = {m.message_id for m in taken if m.message_id}
    inside = {one for m in taken if m.summary for one in m.summary.source_ids}
    assert {one for summary in fresh for one in summary.source_ids} == ids | inside
    for summary in fresh:
        assert summary.type is plan.type and summary.count >= 0 and summary.method and summary.created_at
        assert plan.type is not SummaryType.TOOL_CALLS or summary.count == len(summary.sources)
    after_it = done(seen, plan)
    for one in ids | inside:
        assert standing_for(after_it, one) or plan.type is SummaryType.TOOL_CALLS


def the_event_does_what_the_plan_says_and_undoes_it(seen: CompactionView) -> None:
    plan = next_plan(seen)
    if plan is None:
        return
    state = v.channel(turns=seen.turns)
    turns = shortened(plan.type, plan.taken)
    after = apply(state, TurnsCompacted(taken=plan.ids, turns=turns))
    assert after.turns == done(seen, plan)
    assert apply(after, TurnsCompacted(taken=tuple(turn.id for turn in turns), turns=plan.taken)) == state


def older_than_twenty_messages(seen: CompactionView) -> list[Turn]:
    """The page's words, counted from each turn on; in haste all but the newest turn."""
    if seen.level in {CompactionLevel.AGGRESSIVE, CompactionLevel.EMERGENCY}:
        return list(seen.turns[:-1])
    return [turn for at, turn in enumerate(seen.turns) if len(messages(seen.turns[at + 1 :])) >= VERBATIM_MESSAGES]


def tool_calls_are_taken_from_ten_pairs_on_or_forty_messages_back(seen: CompactionView) -> None:
    wanted = [turn for turn in older_than_twenty_messages(seen) if turn.quarter_bytes_of_calls >= 120]
    pairs = sum(len(message.results) for message in messages(tuple(wanted)))
    back = len(messages(seen.turns[seen.turns.index(wanted[0]) :])) if wanted else 0
    due, plan = pairs >= 10 or back >= 40, next_plan(seen)
    if plan is not None and plan.type is SummaryType.TOOL_CALLS:
        assert due and plan.taken[0] == wanted[0] and plan.taken[-1] == wanted[:12][-1]
    elif seen.level in {CompactionLevel.EARLY, CompactionLevel.BACKGROUND} and seen.percent >= 30:
        assert not due, "nothing is tried before it"


def half_is_the_older_half_of_what_no_block_stands_for(seen: CompactionView) -> None:
    blocks = [at for at, turn in enumerate(seen.turns) if is_block(turn)]
    begin = blocks[-1] + 1 if blocks else 0
    may_go = older_than_twenty_messages(seen)[begin:]
    half, plan = (len(seen.turns) - begin + 1) // 2, next_plan(seen)

    def is_enough(turns: Sequence[Turn]) -> bool:
        weight = sum(turn.quarter_bytes for turn in turns)
        return len(messages(tuple(turns))) >= 4 and weight >= 0.03 * seen.room

    if plan is not None and plan.type is SummaryType.HALF:
        assert list(plan.taken) == may_go[: len(plan.taken)] and is_enough(plan.taken)
        # more than half goes only where half of it would have been too little, fewer where the rest is too new
        assert len(plan.taken) == min(half, len(may_go)) or not is_enough(plan.taken[:-1])
    elif seen.level is CompactionLevel.BACKGROUND and (plan is None or plan.type is SummaryType.GOAL_BATCH):
        assert not is_enough(may_go)


def a_goal_batch_is_the_oldest_stretch_of_three_to_six_that_are_over(seen: CompactionView) -> None:
    def is_over(turn: Turn) -> bool:
        kinds = {message.summary.type for message in turn.messages if message.summary is not None}
        ends = turn.messages[-1].role is Role.ASSISTANT or SummaryType.HALF in kinds
        calls = any(message.calls for message in turn.messages)
        return bool(kinds) and ends and not calls and not kinds & {SummaryType.GOAL_BATCH, SummaryType.EMERGENCY}

    old = older_than_twenty_messages(seen)
    begins = [at for at in range(len(old)) if len(old[at : at + 3]) == 3 and all(map(is_over, old[at : at + 3]))]
    plan = next_plan(seen)
    if plan is not None and plan.type is SummaryType.GOAL_BATCH:
        stretch = list(takewhile(is_over, old[begins[0] :]))
        assert list(plan.taken) == stretch[:6]
    elif plan is None and seen.percent >= 60:
        assert not begins


def thresholds_hold(seen: CompactionView) -> None:
    plan = next_plan(seen)
    least = {"tool_calls": 30, "goal_batch": 60, "half": 80, "emergency": 95}
    if plan is not None:
        assert seen.percent >= least[plan.type.value] and plan.level is level_of(seen.percent, CompactionThresholds())
    if seen.percent < 30:
        assert plan is None


def an_emergency_frees_room_until_it_fits_or_nothing_may_go(seen: CompactionView) -> None:
    if level_of(seen.percent, CompactionThresholds()) is not CompactionLevel.EMERGENCY:
        return
    plan = next_plan(seen)
    if plan is None or plan.type is not SummaryType.EMERGENCY:
        assert sum(turn.quarter_bytes for turn in seen.turns[:-1]) <= 80
        return
    left = seen.tokens - sum(turn.quarter_bytes + 4 * len(turn.messages) for turn in plan.taken)
    assert left <= 0.7 * seen.room or len(plan.taken) == len(seen.turns) - 1


PROMISES = (
    only_whole_contiguous_turns_are_taken,
    below_the_aggressive_level_the_newest_twenty_messages_stay_verbatim,
    no_call_is_parted_from_its_result,
    goal_batches_are_never_compacted_again_but_in_an_emergency,
    tool_calls_go_and_what_was_said_stays,
    a_summary_says_what_it_stands_for,
    the_event_does_what_the_plan_says_and_undoes_it,
    tool_calls_are_taken_from_ten_pairs_on_or_forty_messages_back,
    half_is_the_older_half_of_what_no_block_stands_for,
    a_goal_batch_is_the_oldest_stretch_of_three_to_six_that_are_over,
    thresholds_hold,
    an_emergency_frees_room_until_it_fits_or_nothing_may_go,
)


@settings(max_examples=whole_or(200, 50), deadline=None, derandomize=True, phases=[Phase.generate])
@given(st.integers(0, 10**9))
def test_every_promise_holds_for_any_conversation(seed: int):
    seen = view_by(seed)
    for promise in PROMISES:
        promise(seen)


def test_the_conversations_lead_to_everything_that_can_be_planned():
    planned = {next_plan(view_by(seed)) for seed in range(80)}
    kinds = {(plan.type, plan.level) for plan in planned if plan is not None}
    assert {kind for kind, _ in kinds} == set(SummaryType) and {level for _, level in kinds} == set(CompactionLevel)


def test_turns_that_were_left_out_of_the_request_count():
    turns = plain(40, text="long " * 100)
    full = view_of(turns, RequestFullness(60_000, 100_000, dropped=20), CompactionThresholds())
    assert full.tokens == 60_000 + sum(turn.quarter_bytes for turn in turns[:20])


def test_tool_calls_wait_for_ten_pairs_or_until_they_are_far_back():
    few, tail = plain(2, pairs=3, text="words " * 20), plain(10, begin=50)
    assert next_plan(view((*few, *tail), 50)) is None
    more = plain(4, pairs=3, text="words " * 20)
    found = next_plan(view((*more, *tail), 50))
    assert found is not None and found.ids == (1, 2, 3, 4)
    far = next_plan(view((*few, *plain(20, begin=50)), 50))
    assert far is not None and (far.type, far.ids) == (SummaryType.TOOL_CALLS, (1, 2))


def test_calls_that_would_not_become_shorter_stay():
    small = tuple(
        Turn(id=n, messages=(v.message("?"), v.call("react", call_id=f"c{n}"), v.result("ok", f"c{n}"), v.said("!")))
        for n in range(1, 30)
    )
    assert next_plan(view(small, 79)) is None


def test_half_takes_the_older_half_behind_what_was_summarised():
    turns = plain(40, text="words " * 100)
    (block,) = shortened(SummaryType.HALF, turns[:4])
    found = next_plan(view((block, *turns[4:]), 80, 20_000))
    assert found is not None and (found.type, found.level) == (SummaryType.HALF, CompactionLevel.BACKGROUND)
    assert found.ids == tuple(turn.id for turn in turns[4:22])


def test_at_least_four_messages_and_some_share_of_the_room():
    turns = plain(11)
    assert next_plan(view(turns, 80, 1_000_000)) is None
    assert next_plan(view(turns[:1], 86, 100)) is None
    found = next_plan(view(turns[:3], 86, 100))
    assert found is not None and len(messages(found.taken)) == 4


def test_three_to_six_summarised_turns_become_a_goal_batch():
    blocks = tuple(shortened(SummaryType.HALF, (turn,))[0] for turn in plain(8, text="words " * 30))
    tail = plain(12, begin=50)
    found = next_plan(view((*blocks, *tail), 60))
    assert found is not None and (found.type, len(found.taken)) == (SummaryType.GOAL_BATCH, 6)
    (batch,) = shortened(SummaryType.GOAL_BATCH, found.taken)
    assert next_plan(view((batch, *blocks[6:], *tail), 60)) is None
    summary = batch.messages[0].summary
    assert summary is not None and summary.count == 6 and batch.messages[0].text.startswith("[GOAL BATCH]")
    assert set(summary.turns) == set(range(1, 7))


def test_from_the_aggressive_level_on_half_comes_first():
    turns = plain(30, pairs=2, text="words " * 40)
    kinds = {percent: next_plan(view(turns, percent, 10_000)) for percent in (50, 80, 85, 95)}
    assert [plan.type for plan in kinds.values() if plan] == [
        *(SummaryType.TOOL_CALLS, SummaryType.TOOL_CALLS, SummaryType.HALF, SummaryType.EMERGENCY)
    ]


def test_every_kind_of_summary_has_one_strategy():
    assert {strategy.type for strategy in STRATEGIES} == set(SummaryType) and len(STRATEGIES) == len(SummaryType)
