"""What the doctor says of how models want their requests: known beforehand, or learnt, when, and from which words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bot.agent.turn.model_client import ModelClient
from bot.domain.dialect import DialectTrait, meaning
from bot.domain.health import ProbeResult
from bot.domain.llm import ModelName
from bot.text.text import quote_line
from bot.text.times import minute

_TOOLLESS = (
    "Choose a model with tools, or leave it so. If it has tools by now: learn_dialect = false in "
    "[providers.{}], one start, and the line away again."
)


def dialect_rows(models: ModelClient, names: Sequence[ModelName]) -> Iterator[ProbeResult]:
    """Say of each of these models what is written otherwise for it; nothing of those that take everything."""
    for name in names:
        dialect, lessons = models.dialect(name), models.lessons(name)
        if not dialect.traits:
            continue
        learnt = {lesson.trait for lesson in lessons}
        told = [
            f"{meaning(one.trait)} ({one.trait}, learnt {minute(one.at)} UTC from {quote_line(one.words, 60)!r})"
            for one in lessons
        ]
        known = [trait for trait in dialect.traits if trait not in learnt]
        if known:
            told.append(f"{', '.join(known)} (by key, address or name)")
        toolless = DialectTrait.NO_TOOLS in dialect.traits
        yield ProbeResult(
            name=f"requests to {name}",
            state="warning" if toolless else "ok",
            evidence="; ".join(told),
            fix=_TOOLLESS.format(name.provider) if toolless else "",
        )
