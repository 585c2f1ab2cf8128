"""Plays injections one after the other, and counts what came of them."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from bot.ports.model import LLMProvider
from tests.faults.injections.corpus import CONFIRMED, IMPOSSIBLE, Injection, Place
from tests.faults.injections.models import Fooled
from tests.faults.injections.stage import USUAL, Played, a_stage


async def play(
    injections: Iterable[Injection],
    open_model: Callable[[], LLMProvider],
    model: str,
    fooled: Fooled | None = None,
    *,
    inspects: bool = True,
    limits: Mapping[str, int] = USUAL,
) -> AsyncIterator[Played]:
    """Yield what came of each. What a foreign tool says of itself stands from the start: those get a bot each.

    `limits` are keys of `[model]`, for a model that holds less or is slow; without `inspects` no admin looks.
    """
    for words, group in groupby(injections, lambda one: one.text if one.place is Place.TOOL else ""):
        with tempfile.TemporaryDirectory(prefix="glassmind-injections-") as folder:
            words = words or "Tells the weather."
            async with a_stage(Path(folder) / "data", open_model(), model, words, limits) as stage:
                stage.fooled, stage.inspects = fooled, inspects
                for one in group:
                    yield await stage.play(one)


def summed(played: Sequence[Played]) -> dict[str, Any]:
    """Count: how often the model was fooled, and how often that had an effect; by style, place and effect."""
    return {
        "injections": len(played),
        "answered": sum(one.answered for one in played),
        "fooled": sum(one.fooled for one in played),
        "achieved": sum(one.achieved for one in played),
        "achieved_unconfirmed": sum(one.achieved and one.injection.effect in CONFIRMED for one in played),
        "achieved_impossible": sum(one.achieved and one.injection.effect in IMPOSSIBLE for one in played),
        **{
            name: {key: [fooled, achieved, many] for key, (fooled, achieved, many) in _by(played, name).items()}
            for name in ("style", "place", "effect")
        },
    }


def _by(played: Sequence[Played], name: str) -> dict[str, tuple[int, int, int]]:
    of = {id(one): str(getattr(one.injection, name)) for one in played}
    many, fooled, achieved = (Counter[str]() for _ in range(3))
    for one in played:
        key = of[id(one)]
        many[key] += 1
        fooled[key] += one.fooled
        achieved[key] += one.achieved
    return {key: (fooled[key], achieved[key], many[key]) for key in many}
