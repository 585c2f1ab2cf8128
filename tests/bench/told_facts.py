"""Measure what the facts of an answer cost: `python -m tests.bench.told_facts`, prints JSON (milliseconds).

One request has 200 messages, the other fills a window of 128K tokens; each answer denies something.
"""

from __future__ import annotations

import json
import statistics
import time

from bot.diagnostics.diagnose import diagnose
from bot.diagnostics.evidence.evidence import DroppedMessages, Evidence, SaidMessage
from bot.domain.base import canonical_json
from bot.domain.messages import Message, Role
from tests.fakes.evidence import answered, healthy, requested, sent, turn
from tests.fakes.values import author, llm_request, message

_RUNS = 7
_WORDS = "the map of the old keep shows seven gates and bob thinks that the third one is never guarded at night"
_DENIAL = "I don't know your dog's name. You never told me when the raid starts."


def evidence_with(messages: int, words: int) -> Evidence:
    """Build the evidence of an answer that denies, with so many messages of about so many words."""
    talk: list[Message] = []
    people = ("ann", "bob", "carla")
    for number in range(messages):
        said = " ".join(f"{word}{(number * 7 + place) % 97}" for place, word in enumerate(_words(words)))
        header = canonical_json({"at": "2026-01-01T00:00:00Z", "from": people[number % 3], "id": str(number % 3)})
        is_answer = number % 2
        talk.append(
            message(said, Role.ASSISTANT)
            if is_answer
            else message(f"{header}\n{said}", author=author(str(number % 3), people[number % 3]), inbound=number + 1)
        )
    request = requested(answered(_DENIAL), request=llm_request(messages=tuple(talk)))
    dropped = tuple(SaidMessage(handle="i0000", author="ann", text=" ".join(_words(words))) for _ in range(200))
    return healthy(
        turn=turn(requests=(request,), outbox=(sent(body=sent().body.replace(text=_DENIAL)),)),
        dropped=(DroppedMessages(at=1, messages=dropped, compaction=1),),
        question="why did it forget the meeting time",
    )


def _words(count: int) -> list[str]:
    pool = _WORDS.split()
    return [pool[place % len(pool)] for place in range(count)]


def milliseconds(about: Evidence) -> float:
    """Return the median time of a diagnosis; nothing is kept from one run to the next but small caches."""
    times = []
    for _ in range(_RUNS):
        begun = time.thread_time()
        diagnose(about)
        times.append((time.thread_time() - begun) * 1000)
    return statistics.median(times)


def main() -> None:
    figures = {}
    for name, about in (("of_200_messages", evidence_with(200, 40)), ("of_128k_tokens", evidence_with(1_000, 100))):
        figures[f"{name}_ms"] = round(milliseconds(about), 2)
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
