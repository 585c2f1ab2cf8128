"""Find text that something puts into every message: the history fills up with it, and so does every later request."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import NamedTuple

from bot.diagnostics.evidence.model import Evidence
from bot.diagnostics.evidence.reader import last_request
from bot.domain.messages import Message, Role, Text

_NEWEST, _CHARACTERS = 24, 1_000
"""How many messages are looked at, and how much of each: a question must not wait for this."""
_RUN = 12
"""So many words in a row are not written again and again by chance."""
_LEAST = 4
"""From how many messages with the same words on it counts."""
_SHARE = 0.3


class Injected(NamedTuple):
    """Words that come with every message: in how many of those looked at, and which part of their words it is."""

    text: str
    messages: int
    of: int
    share: float


def injected(evidence: Evidence) -> Injected | None:
    """Return what most of the newest messages of people repeat, the newest of them included; None: nothing."""
    request = last_request(evidence)
    messages = reversed(request.record.request.messages) if request else ()
    said = [words for words in islice((_words(m) for m in messages if m.role is Role.USER), _NEWEST) if words]
    runs = [_runs(words) for words in said]
    counts = Counter(run for found in runs for run in set(found))
    usual = {run for run, count in counts.items() if count >= _LEAST}
    if not said or usual.isdisjoint(runs[0]):
        return None
    first = next(place for place, run in enumerate(runs[0]) if run in usual)
    covered = [_covered(found, usual) for found in runs]
    share = sum(covered) / sum(map(len, said))
    if share < _SHARE:
        return None
    text = " ".join(said[0][first : first + _RUN])
    return Injected(text, sum(map(bool, covered)), len(said), share)


def _words(message: Message) -> list[str]:
    """Return what somebody wrote: the last part, without the line that we put before it."""
    last = message.parts[-1] if message.parts else None
    if message.summary is not None or not isinstance(last, Text):
        return []
    first, newline, rest = last.text.partition("\n")
    written = rest if newline and first.startswith('{"at":') else last.text
    return written[:_CHARACTERS].split()


def _runs(words: list[str]) -> list[tuple[str, ...]]:
    return list(zip(*(words[start:] for start in range(_RUN)), strict=False))


def _covered(runs: list[tuple[str, ...]], usual: set[tuple[str, ...]]) -> int:
    places = {place + step for place, run in enumerate(runs) if run in usual for step in range(_RUN)}
    return len(places)
