"""A conversation of which parts have been compacted already."""

from __future__ import annotations

from hypothesis import strategies as st

from bot.domain.base import digest_text
from bot.domain.channel import ChannelState, Turn
from bot.domain.compaction import CompactionSummary, SummaryType
from bot.domain.messages import Message, Role, TextPart
from tests.bot.context.shown import talk
from tests.bot.context.talk import WORDS, states
from tests.fakes.clock import START
from tests.fakes.contexts import says
from tests.fakes.values import said


def block(kind: SummaryType, text: str, compaction: int, count: int, before: int) -> Message:
    """A message that stands for others."""
    mark = "[GOAL BATCH]" if kind is SummaryType.GOAL_BATCH else "[SUMMARIZED]"
    summary = CompactionSummary(
        type=kind,
        compaction=compaction,
        count=count,
        method="rules" if kind is SummaryType.EMERGENCY else "model",
        model="" if kind is SummaryType.EMERGENCY else "simulated/small",
        created_at=START + compaction,
        sources=tuple(digest_text(f"{compaction}.{n}") for n in range(count)),
        source_ids=tuple(str(100 * compaction + n) for n in range(count)),
        turns=(compaction,),
        tokens_before=before,
        tokens_after=len(text.split()),
    )
    return Message(role=Role.USER, parts=(TextPart(text=f"{mark} {text}"),), at=START, summary=summary)


def shortened() -> ChannelState:
    """Ann's talk behind a goal batch, a summary of half of the turns, and a turn without its tool calls."""
    batch = block(SummaryType.GOAL_BATCH, "The garden was planned, planted and paid for.", 1, 3, 3000)
    half = block(SummaryType.HALF, "Ann asked for tea; green, no sugar, at four.", 2, 14, 1200)
    calls = block(SummaryType.TOOL_CALLS, "Two notes about ann were found.", 3, 4, 800)
    before = (
        Turn(id=1, messages=(batch,)),
        Turn(id=7, messages=(half,)),
        Turn(id=12, messages=(says("what is on?", 30), calls, said("Two notes."))),
    )
    state = talk()
    after = tuple(turn.model_copy(update={"id": 13}) for turn in state.turns)
    return state.replace(turns=(*before, *after))


@st.composite
def shortened_states(draw: st.DrawFn) -> ChannelState:
    """Random channels with summaries of every kind between and in their turns."""
    state = draw(states())
    turns: list[Turn] = []
    for turn in state.turns:
        for number in range(draw(st.integers(0, 2))):
            kind = draw(st.sampled_from(list(SummaryType)))
            made = block(kind, draw(WORDS), 100 * turn.id + number, draw(st.integers(1, 9)), draw(st.integers(0, 9999)))
            inside = draw(st.booleans()) and number == 0
            if inside:
                turn = Turn(id=turn.id, messages=(turn.messages[0], made, *turn.messages[1:]))
            else:
                turns.append(Turn(id=100 * turn.id + number, messages=(made,)))
        turns.append(turn)
    return state.replace(turns=tuple(turns))
