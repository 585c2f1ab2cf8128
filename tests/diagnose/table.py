"""The table: which cause was taken for which, on which platform, and what to look at."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from tests.diagnose.causes import CAUSE_OF, CAUSES, PLATFORMS
from tests.diagnose.playing import Diagnosed

_FIRST_WIDTH = 46
WAYS = 3
"""In so many ways each cause is to be told on each platform, as to what people, models and services say in it."""


def table(done: Sequence[Diagnosed]) -> str:
    """Write how often each cause was found first, on each platform; then everything that was not."""
    return "\n".join((*_matrix(done), "", *_mistakes(done), *_sums(done)))


def confusion(done: Sequence[Diagnosed]) -> dict[str, dict[str, int]]:
    """Count by what it was and what it was taken for; healthy is the empty name."""
    counted: dict[str, Counter[str]] = {}
    for one in done:
        if not one.trouble:
            first = one.found[0] if one.found else "healthy"
            counted.setdefault(one.wanted[0] if one.wanted else "healthy", Counter())[first] += 1
    return {wanted: dict(taken) for wanted, taken in sorted(counted.items())}


def figures(done: Sequence[Diagnosed]) -> dict[str, int]:
    """Count what there is a bar for."""
    played = [one for one in done if not one.is_terminal_only]
    single = [one for one in played if len(one.wanted) == 1]
    healthy, pairs = [one for one in played if not one.wanted], [one for one in played if len(one.wanted) > 1]
    return {
        "causes": len({CAUSE_OF[one.wanted[0]].number for one in single if one.wanted[0] in CAUSE_OF}),
        "plays": len(single),
        "first": sum(one.found[:1] == one.wanted for one in single),
        "alone": sum(one.holds for one in single),
        "healthy": len(healthy),
        "false_alarms": sum(bool(one.found) for one in healthy),
        "pairs": len(pairs),
        "pairs_in_order": sum(one.holds for one in pairs),
        "falsely_sure": sum(one.is_falsely_sure for one in played),
        "not_played": sum(bool(one.trouble) for one in played),
        "faults": sum(bool(one.faults) for one in played),
    }


def holds(done: Sequence[Diagnosed]) -> bool:
    """Say whether every bar is held."""
    return all(one.holds for one in done if not one.is_terminal_only)


def _matrix(done: Sequence[Diagnosed]) -> Iterator[str]:
    yield f"{'cause':<{_FIRST_WIDTH + 4}}" + "".join(f"{name:>10}" for name in PLATFORMS) + "  taken for"
    single = [one for one in done if len(one.wanted) == 1 and not one.is_terminal_only]
    for cause in CAUSES:
        own = [one for one in single if one.wanted[0] in cause.rules]
        cells = ""
        for platform in PLATFORMS:
            here = [one for one in own if one.platform == platform]
            right = sum(one.found[:1] == one.wanted for one in here)
            cells += f"{f'{right}/{len(here)}' if here else '-':>10}"
        taken = Counter(one.found[0] if one.found else "healthy" for one in own if one.found[:1] != one.wanted)
        others = ", ".join(f"{name} {count}" for name, count in taken.items())
        yield f"{cause.number:>3} {cause.words:<{_FIRST_WIDTH}}{cells}  {others}"


def _mistakes(done: Sequence[Diagnosed]) -> Iterator[str]:
    for one in done:
        if one.holds or one.is_terminal_only:
            continue
        wanted, found = (", ".join(rules) or "healthy" for rules in (one.wanted, one.found))
        why = one.trouble or f"found {found}" + (f" ({'; '.join(one.faults)})" if one.faults else "")
        yield f"✗ {one.platform}, seed {one.seed}: {one.name}: wanted {wanted}, {why}"


def places(done: Sequence[Diagnosed]) -> dict[tuple[int, str], set[tuple[str, ...]]]:
    """Return in which ways each cause was told on each platform: what people, models and services said."""
    ways: dict[tuple[int, str], set[tuple[str, ...]]] = {}
    for one in done:
        if len(one.wanted) == 1 and not one.is_terminal_only and one.wanted[0] in CAUSE_OF:
            ways.setdefault((CAUSE_OF[one.wanted[0]].number, one.platform), set()).add(one.told)
    return ways


def few_ways(done: Sequence[Diagnosed]) -> list[str]:
    """Name the causes that were told in fewer ways than three on a platform, with how many."""
    found = places(done).items()
    return [f"{number} on {platform} ({len(ways)})" for (number, platform), ways in found if len(ways) < WAYS]


def gaps(done: Sequence[Diagnosed]) -> list[str]:
    """Name the platforms on which a cause was not played and of which nothing says why."""
    seen = {(one.wanted[0], one.platform) for one in done if len(one.wanted) == 1 and not one.is_terminal_only}
    return [
        f"{cause.number} on {platform}"
        for cause in CAUSES
        for platform in PLATFORMS
        if not cause.elsewhere and not any((rule, platform) in seen for rule in cause.rules)
    ]


def _sums(done: Sequence[Diagnosed]) -> Iterator[str]:
    known = figures(done)
    terminal = len({(one.platform, one.name) for one in done if one.is_terminal_only})
    yield f"causes: {known['causes']} of {len(CAUSES)}, right first in {known['first']} of {known['plays']} plays"
    yield f"healthy: {known['false_alarms']} false alarms in {known['healthy']} plays"
    yield f"pairs: {known['pairs_in_order']} of {known['pairs']} with both found, in order"
    yield f"confirmed and wrong: {known['falsely_sure']}; could not be played: {known['not_played']}"
    if len(done) > len(CAUSES) * len(PLATFORMS):
        yield f"not played, and nobody says why: {', '.join(gaps(done)) or 'nothing'}"
        yield f"told in fewer than {WAYS} ways: {', '.join(sorted(few_ways(done))) or 'nothing'}"
    yield f"written for the terminal alone, so not played elsewhere: {terminal}"
