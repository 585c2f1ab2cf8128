"""What the doctor says of how models want their requests: known beforehand, or learnt, when, and from which words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bot.agent.turn.model_client import ModelClient
from bot.domain.dialect import DialectTrait, meaning
from bot.domain.health import ProbeResult
from bot.domain.llm import ModelName
from bot.sentences import say
from bot.text.text import quote_line
from bot.text.times import minute


def dialect_rows(models: ModelClient, names: Sequence[ModelName]) -> Iterator[ProbeResult]:
    """Say of each of these models what is written otherwise for it; nothing of those that take everything."""
    for name in names:
        dialect, lessons = models.dialect(name), models.lessons(name)
        if not dialect.traits:
            continue
        learnt = {lesson.trait for lesson in lessons}
        told = [
            say(
                "doctor.trait-learnt",
                meaning=meaning(one.trait),
                trait=one.trait,
                time=minute(one.at),
                words=repr(quote_line(one.words, 60)),
            )
            for one in lessons
        ]
        known = [trait for trait in dialect.traits if trait not in learnt]
        if known:
            told.append(say("doctor.traits-known", traits=", ".join(known)))
        toolless = DialectTrait.NO_TOOLS in dialect.traits
        yield ProbeResult(
            name=say("doctor.requests-to", model=str(name)),
            state="warning" if toolless else "ok",
            evidence="; ".join(told),
            fix=say("doctor.no-tools-fix", provider=name.provider) if toolless else "",
        )
