"""Write how much of a request came from the provider's cache, and what broke it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from bot.context.usage_figures import percent, short_number, tokens
from bot.cortex.pages.diff_page import epoch_text, epoch_values, side_line
from bot.domain.channel import ProcessKind
from bot.domain.handles import HandleKind, handle
from bot.domain.turn import UsageRow
from bot.inspect.diff.change_events import EpochEvent
from bot.inspect.diff.shared_prefix import PrefixBreak, SharedPrefix
from bot.sentences import say
from bot.text.text import quote_line

_MAX_CAUSES = 3


@dataclass(frozen=True)
class CachedPrefix:
    """A prefix with what caused its end, what both bodies have in common, and what was used so far.

    `wire` is how many bytes both bodies begin with in common, and how many they are; zeros when they are not at hand.
    """

    prefix: SharedPrefix
    causes: tuple[EpochEvent, ...]
    wire: tuple[int, int, int]
    usage: tuple[UsageRow, ...]

    @property
    def so_far(self) -> tuple[int, int]:
        """How many tokens the channel's own requests read from the cache, and how many they read in all."""
        own = [row for row in self.usage if row.kind is ProcessKind.CHANNEL]
        return sum(row.cached for row in own), sum(row.input for row in own)


def cached_text(cached: CachedPrefix, name: str, foot: str) -> str:
    """Write it for a phone: at most 15 lines and 900 characters, with nobody's words in it."""
    prefix = cached.prefix
    of = tokens(prefix.of_after.tokens, prefix.after.stats)
    shared = prefix.shared
    lines = [
        _verdict(prefix, name),
        f"{side_line(prefix.before)} → {side_line(prefix.after)} · {foot}",
        "",
        say(
            "pages.shared",
            tokens=short_number(shared.tokens),
            all=of,
            percent=percent(shared.tokens, prefix.of_after.tokens),
        ),
        say("pages.shared-blocks", blocks=shared.blocks, messages=shared.messages, bytes=shared.octets),
        *_wire(cached.wire),
        *_end(prefix.broke),
        *(say("pages.cause", cause=epoch_text(cause)) for cause in cached.causes[:_MAX_CAUSES]),
        "",
        _reported(prefix),
        *_so_far(*cached.so_far),
    ]
    return "\n".join(lines)


def cached_values(cached: CachedPrefix) -> dict[str, Any]:
    """Return everything as plain values, in a stable order."""
    prefix, broke = cached.prefix, cached.prefix.broke
    read, whole = cached.so_far
    return {
        "well": prefix.well,
        "before": _request(prefix.before.sent.row) or prefix.before.label,
        "after": _request(prefix.after.sent.row) or prefix.after.label,
        "shared": prefix.shared._asdict(),
        "of_before": prefix.of_before._asdict(),
        "of_after": prefix.of_after._asdict(),
        "wire_bytes": dict(zip(("shared", "before", "after"), cached.wire, strict=True)),
        "broke": _broke(broke) if broke else None,
        "causes": [epoch_values(cause) for cause in cached.causes],
        "hit_rate": prefix.hit_rate,
        "usage": prefix.reported.model_dump(mode="json") if prefix.reported else None,
        "so_far": {"cached": read, "input": whole},
    }


def _verdict(prefix: SharedPrefix, name: str) -> str:
    if prefix.broke is None:
        return say("pages.all-shared", place=name)
    if prefix.broke.expected:
        share = percent(prefix.shared.tokens, prefix.of_after.tokens)
        return say("pages.most-shared", place=name, percent=share)
    return say("pages.shared-ends", place=name, where=quote_line(prefix.broke.label, 40))


def _wire(wire: tuple[int, int, int]) -> Iterator[str]:
    shared, _, whole = wire
    if whole:
        yield say("pages.same-bytes", same=shared, all=whole)


def _end(broke: PrefixBreak | None) -> Iterator[str]:
    if broke is None:
        return
    if broke.expected:
        yield say("pages.ends-as-expected")
        return
    nothing = say("pages.nothing")
    was, now = (block.label if block else nothing for block in (broke.before, broke.after))
    yield say("pages.ends-at", where=was) if was == now else say("pages.ends-at-now", where=was, now=now)
    if broke.inside:
        yield say("pages.same-characters", count=broke.inside)


def _reported(prefix: SharedPrefix) -> str:
    usage, rate = prefix.reported, prefix.hit_rate
    if rate is None or usage is None:
        return say("pages.no-cache-told")
    cached, read = short_number(usage.cached or 0), short_number(usage.input or 0)
    return say("pages.provider-read", cached=cached, all=read, share=f"{rate:.0%}")


def _so_far(read: int, whole: int) -> Sequence[str]:
    return [say("pages.so-far", percent=percent(read, whole), tokens=short_number(whole))] if whole else []


def _broke(broke: PrefixBreak) -> dict[str, Any]:
    return {
        "before": broke.before.label if broke.before else None,
        "after": broke.after.label if broke.after else None,
        "same_characters": broke.inside,
        "expected": broke.expected,
    }


def _request(row: int) -> str | None:
    return handle(HandleKind.REQUEST, row) if row else None
