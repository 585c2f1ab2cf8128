"""Conversations of any kind: people, tools, failures, older summaries. A number names one for ever."""

from __future__ import annotations

from random import Random

from bot.context.compaction import (
    BY_TYPE,
    CompactionPlan,
    CompactionThresholds,
    CompactionView,
    RequestFullness,
    view_of,
)
from bot.context.compaction.block import WrittenSummary, block_of
from bot.domain.channel import Turn
from bot.domain.compaction import SummaryType
from bot.domain.messages import Message
from tests.fakes import values as v
from tests.fakes.clock import START

WORDS = ["hi", "a word or two", "something longer " * 12, "grüße, 你好", "long " * 120]
PERCENT = [0, 10, 29.9, 30, 31, 50, 59.9, 60, 61, 75, 79.9, 80, 81, 84.9, 85, 86, 90, 94.9, 95, 96, 100, 120]


def exchange(number: int, pairs: int, text: str, ambient: int, *, answered: bool) -> tuple[Message, ...]:
    """Ambient talk, a question, calls with their results, and perhaps an answer."""
    base = {"at": START + number}
    overheard = [v.message(f"{text} {n}", ambient=True, message_id=f"a{number}-{n}", **base) for n in range(ambient)]
    tools: list[Message] = []
    for n in range(pairs):
        name = f"c{number}-{n}"
        tools += [v.call("look", f'{{"q": "{n}"}}', name), v.result(f"{text} {n} " * 6, name)]
    asked = v.message(f"{text}?", message_id=f"m{number}", **base)
    return (*overheard, asked, *tools, *([v.said(f"{text}!")] if answered else ()))


def talk(chance: Random, most: int = 40) -> tuple[Turn, ...]:
    """Turns with rising numbers, some of them shortened already."""
    numbers = sorted(chance.sample(range(1, 500), chance.randrange(most)))
    turns = [_turn(chance, number) for number in numbers]
    for _ in range(chance.randrange(9)):
        if turns:
            kind = chance.choice([SummaryType.HALF, SummaryType.GOAL_BATCH, SummaryType.TOOL_CALLS])
            begin = chance.randrange(len(turns))
            taken = tuple(turns[begin : begin + chance.randint(1, 3)])
            turns[begin : begin + len(taken)] = shortened(kind, taken)
    if chance.random() < 0.4:
        for index in range(min(len(turns), chance.randint(3, 8))):
            kind = chance.choice([SummaryType.HALF, SummaryType.TOOL_CALLS])
            turns[index : index + 1] = shortened(kind, (turns[index],))
    return tuple(turns)


def _turn(chance: Random, number: int) -> Turn:
    pairs = chance.choice([0, 0, 1, 3])
    answered = not pairs or chance.random() < 0.8
    text, ambient = chance.choice(WORDS), chance.choice([0, 0, 1, 3])
    return Turn(id=number, messages=exchange(number, pairs, text, ambient, answered=answered))


def shortened(kind: SummaryType, taken: tuple[Turn, ...]) -> tuple[Turn, ...]:
    """What a compaction puts in the place of turns, with its number."""
    strategy = BY_TYPE[kind]
    blocks = [
        block_of(kind, piece, WrittenSummary(f"summary of {piece.turns}", "simulated/echo", START), 50)
        for piece in strategy.pieces(taken)
    ]
    return strategy.replaced(taken, [numbered(block) for block in blocks]) if blocks else taken


def numbered(block: Message) -> Message:
    assert block.summary is not None
    return block.replace(summary=block.summary.replace(compaction=7))


def view_by(seed: int) -> CompactionView:
    """A conversation and how full its last request was."""
    chance = Random(seed)
    turns = talk(chance)
    room = max(2000, chance.choice([1, 2, 5]) * sum(one.quarter_bytes for one in turns))
    dropped = chance.randint(0, len(turns)) if chance.random() < 0.2 else 0
    return view_of(
        turns, RequestFullness(round(room * chance.choice(PERCENT) / 100), room, dropped), CompactionThresholds()
    )


def done(view: CompactionView, plan: CompactionPlan) -> tuple[Turn, ...]:
    """The conversation after a plan was carried out."""
    begin = next(index for index, one in enumerate(view.turns) if one.id == plan.ids[0])
    return (*view.turns[:begin], *shortened(plan.type, plan.taken), *view.turns[begin + len(plan.taken) :])
