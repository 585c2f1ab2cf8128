"""Turn where a memory went into what its picture shows: counts, however much there is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from bot.domain.ids import ChannelKey
from bot.domain.spread_items import SpreadItem, SpreadKind
from bot.inspect.charts.memory_values import SpreadChart, SpreadLayer, SpreadPlace
from bot.sentences import say

MAX_PLACES = 6
_LAYERS = {
    "requests": (SpreadKind.REQUEST,),
    "answers": (SpreadKind.ANSWER,),
    "summaries": (SpreadKind.SUMMARY,),
    "memories": (SpreadKind.MEMORY,),
    "work": (SpreadKind.BRANCH, SpreadKind.WORKER),
}
"""From what was told to what was kept; a compaction is there by its summaries."""


def spread_chart(
    title: str,
    subtitle: str,
    seed: Sequence[str],
    items: Sequence[SpreadItem],
    names: Mapping[ChannelKey, str],
    notes: Iterable[str],
) -> SpreadChart:
    """Return the picture of records that somebody may see, with the names of their channels."""
    layers = tuple(
        SpreadLayer(name, sum(_counts(items, kinds, is_direct=True)), sum(_counts(items, kinds, is_direct=False)))
        for name, kinds in _LAYERS.items()
    )
    return SpreadChart(title, subtitle, tuple(seed), layers, tuple(_places(items, names)), (*_work(items), *notes))


def _counts(items: Iterable[SpreadItem], kinds: Sequence[SpreadKind], *, is_direct: bool) -> Iterator[bool]:
    return (item.kind in kinds and item.is_direct is is_direct for item in items)


def _places(items: Iterable[SpreadItem], names: Mapping[ChannelKey, str]) -> Iterator[SpreadPlace]:
    """Name the channels where most of it is; channels that are called the same, such as private ones, are one."""
    kinds = {kind: number for number, several in enumerate(_LAYERS.values()) for kind in several}
    found: dict[str, Counter[int]] = {}
    for item in items:
        if item.kind in kinds:
            found.setdefault(names.get(item.key) or say("spread_chart.elsewhere"), Counter())[kinds[item.kind]] += 1
    most = sorted(found.items(), key=lambda one: (-one[1].total(), one[0]))
    shown = MAX_PLACES if len(most) > MAX_PLACES + 1 else len(most)
    for name, counts in most[:shown]:
        yield SpreadPlace(name, _row(counts))
    if rest := most[shown:]:
        name = say("spread_chart.other-places", count=len(rest))
        yield SpreadPlace(name, _row(sum((one for _, one in rest), Counter())))


def _row(counts: Counter[int]) -> tuple[int, ...]:
    return tuple(counts[number] for number in range(len(_LAYERS)))


def _work(items: Iterable[SpreadItem]) -> Iterator[str]:
    """Say what stands behind the layers that hold more than their name says."""
    many = Counter(item.kind for item in items)
    words = {
        SpreadKind.WORKER: "spread_chart.workers",
        SpreadKind.BRANCH: "spread_chart.branches",
        SpreadKind.COMPACTION: "spread_chart.compactions",
    }
    named = [say(word, count=many[kind]) for kind, word in words.items() if many[kind]]
    if named:
        yield say("spread_chart.among-it", named=", ".join(named))
