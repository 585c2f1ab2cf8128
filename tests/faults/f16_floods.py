"""F16: models that never stop, commands without end, floods of messages: what is spent on them has an end.

`models/`: ten runaway models a case. `spam/`: ten thousand commands in ten seconds beside ordinary talk. `flood/`: a
flood of messages.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from tests.faults.family import Family, Size, Verdict, seed_of
from tests.faults.runaway.flood import play_flood
from tests.faults.runaway.models import play_models
from tests.faults.runaway.spam import play_spam


async def _play(key: str, directory: Path) -> Verdict:
    what, _, which = key.partition("/")
    return await {"models": play_models, "spam": play_spam, "flood": play_flood}[what](seed_of(which), directory)


def _cases(size: Size) -> Iterable[str]:
    models, commands, messages = {
        Size.SLICE: (1, 40, 200),
        Size.NIGHTLY: (12, 2_000, 20_000),
        Size.RELEASE: (100, 10_000, 200_000),
    }[size]
    yield from (f"models/seed{number}" for number in range(models))
    yield f"spam/commands{commands}"
    yield f"flood/messages{messages}"


FAMILY = Family("F16", "runaway models, spam, floods", _cases, _play, seconds=2400, alone=True)
