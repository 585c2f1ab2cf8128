"""How late the event loop is while a crowd is answered and an export of a megabyte is made."""

from __future__ import annotations

from tests.bench._chats import prose
from tests.bench._loopback import a_loopback
from tests.bench.telegram import OWNER, a_bot
from tests.faults.family import Verdict

PEOPLE = 200
MEGABYTE = 1_000_000
LONGEST = 700
"""Words of what the owner writes, which Telegram just lets through."""


def lag(people: int, messages: int, said: int) -> Verdict:
    """Let the owner have said so much; then measure while everybody writes and the owner exports."""
    with a_loopback() as loopback, a_bot(loopback, full=True) as bot:
        for number in range(said):
            loopback.order("says", person=OWNER, number=number, text=prose(LONGEST, number), delay=0.0)
        bot.lag()
        done = loopback.order(
            "crowd_and_exports",
            pid=bot.pid,
            people=[*range(people)],
            messages=messages,
            owner=OWNER,
            exported=3,
            delay=1.0,
        )
        assert done["largest"] >= MEGABYTE, f"the export has {done['largest']:,} bytes, which is less than a megabyte"
        worst, p99, own = bot.lag()
    return Verdict(
        n=people * messages,
        counts={"lost": done["lost"], "twice": done["twice"]},
        figures={
            "lag_p99_ms": p99,
            "lag_max_ms": worst,
            "lag_own_p99_ms": own,
            "export_mb": done["largest"] / MEGABYTE,
        },
    )
