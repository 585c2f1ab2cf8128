"""However much came of a memory, its picture holds a few counts, and no channel that was not named for it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bot.cortex.words.spread_chart import MAX_PLACES, spread_chart
from bot.domain.ids import MAIN, ChannelId, ChannelKey
from bot.domain.spread_items import SpreadItem, SpreadKind
from bot.inspect.charts.memory_values import SpreadLayer, SpreadPlace


def key(number: int) -> ChannelKey:
    return ChannelKey(MAIN, ChannelId(f"console:#c{number}"))


def item(kind: SpreadKind, channel: int = 0, *, direct: bool = True, row: int = 1) -> SpreadItem:
    return SpreadItem(kind, row, direct, key(channel), 0)


def drawn(items, names):
    return spread_chart("What came of m27d4", "a fact by ann", ("m27d4",), items, names, ("also elsewhere",))


def test_layers_lead_from_what_was_told_to_what_was_kept():
    kinds = [
        SpreadKind.REQUEST,
        SpreadKind.REQUEST,
        SpreadKind.ANSWER,
        SpreadKind.SUMMARY,
        SpreadKind.COMPACTION,
        SpreadKind.WORKER,
        SpreadKind.BRANCH,
    ]
    items = [*map(item, kinds), item(SpreadKind.MEMORY, 1, direct=False)]
    chart = drawn(items, {key(0): "#general", key(1): "#second"})
    assert chart.layers == (
        SpreadLayer("requests", 2, 0),
        SpreadLayer("answers", 1, 0),
        SpreadLayer("summaries", 1, 0),
        SpreadLayer("memories", 0, 1),
        SpreadLayer("work", 2, 0),
    )
    assert chart.places == (SpreadPlace("#general", (2, 1, 1, 0, 2)), SpreadPlace("#second", (0, 0, 0, 1, 0)))
    assert chart.notes == ("including 1 worker, 1 branch, 1 compaction", "also elsewhere")


@given(st.lists(st.tuples(st.sampled_from(SpreadKind), st.integers(0, 40), st.booleans()), max_size=300))
def test_counts_add_up_and_places_are_few(rows):
    items = [item(kind, channel, direct=direct) for kind, channel, direct in rows]
    chart = drawn(items, {key(number): f"#c{number}" for number in range(41)})
    assert len(chart.places) <= MAX_PLACES + 1
    shown = [one for one in items if one.kind is not SpreadKind.COMPACTION]
    assert sum(layer.total for layer in chart.layers) == len(shown)
    for number, layer in enumerate(chart.layers):
        assert sum(place.counts[number] for place in chart.places) == layer.total


def test_private_chats_are_one_row():
    items = [item(SpreadKind.REQUEST, number) for number in range(3)]
    chart = drawn(items, {key(0): "a private chat", key(1): "a private chat"})
    assert [(place.name, place.counts[0]) for place in chart.places] == [("a private chat", 2), ("elsewhere", 1)]
