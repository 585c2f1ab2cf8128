"""What each kind of failure must be called: to people, by the rules, and in what is recorded.

The words stand here once more, on purpose: a message that follows the product's own mapping proves nothing about it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from tests.faults.provider.kinds import KINDS
from tests.faults.provider.positions import POSITIONS


@dataclass(frozen=True)
class Reason:
    """One reason. `told` follows "I could not answer: "; `found` is what `!cortex why` must say, all of it.

    `noted` stands in what admins are told, and in the reason that a turn, a process or a compaction ended with. `each`
    is what the rules say of each model, where several failed.
    """

    told: str
    found: tuple[str, ...]
    noted: str
    each: str = ""


def _away(found: str, noted: str) -> Reason:
    return Reason("the model service is not reachable", ("model service unreachable", found), f"unreachable: {noted}")


def _service(told: str, found: str, noted: str, each: str) -> Reason:
    return Reason(f"the model service {told}", (found, each), noted, each)


SLOW_TO_BEGIN = _service(
    "did not answer in time", "the service is too slow", "timeout: no first token within", "no answer in time"
)
SLOW_TO_GO_ON = _service(
    "did not answer in time", "the service is too slow", "timeout: nothing for 0.2 s", "no answer in time"
)
CUT = _service("broke off", "the answer was cut off", "cut: the connection was cut", "answer cut off")
RATE = _service("is busy", "the service rate-limits us", "HTTP 429: Rate limit reached", "rate limit (HTTP 429)")
SLOW_DOWN = _service("is busy", "the service rate-limits us", "HTTP 429: slow", "rate limit (HTTP 429)")
QUOTA = _service(
    "refuses me", "the account is out of credit", "HTTP 429: You exceeded your current", "out of credit (HTTP 429)"
)
BROKEN = _service(
    "is failing", "the service is failing", "HTTP 500: The server had an error", "server error (HTTP 500)"
)
GATEWAY = _service(
    "is failing", "the service is failing", "HTTP 502: Provider returned error", "server error (HTTP 502)"
)
OVERLOADED = _service("is busy", "the service is overloaded", "HTTP 503: The engine is cur", "overloaded (HTTP 503)")
OVERLOADED_529 = _service("is busy", "the service is overloaded", "HTTP 529: Overloaded", "overloaded (HTTP 529)")
PAGE = _service(
    "sent something that I cannot read",
    "the answer was unreadable",
    "the service sent an HTML page",
    "unreadable answer",
)
HTML_502 = _service("is failing", "the service is failing", "HTTP 502: an HTML page", "server error (HTTP 502)")
KEY = _service("refuses me", "the service rejects our key", "HTTP 401: Incorrect API key", "key rejected (HTTP 401)")
CREDIT = _service(
    "refuses me", "the account is out of credit", "HTTP 402: Insufficient credits", "out of credit (HTTP 402)"
)
_LONG = "this is more text than the model can read"
TOO_LONG = Reason(_LONG, ("the prompt is too long",), "HTTP 400: This model's maximum context length")
NO_ROOM = Reason(_LONG, ("the prompt is too long",), "can read, with nothing left to leave out")
_NOTHING = "the model gave me nothing to say, twice"
EMPTY = Reason(
    _NOTHING, ("the answer was empty", "stopped with `stop`"), "no text, twice (the model stopped with stop)"
)
THOUGHT = Reason(
    _NOTHING, ("it thought and said nothing", "900 of them reasoning"), "no text, twice (the model stopped with length)"
)
_IN_MESSAGES = {"with stop)": "with end_turn)", "with `stop`": "with `end_turn`", "with length)": "with max_tokens)"}
"""How Anthropic's protocol calls the same: what is told are the service's own words."""
UNSAID = Reason("", (), "it ended without saying how it went")
"""Of a worker that was answered in mere words: nobody hears of it but the channel's model."""
ROUNDS = Reason("I got stuck in a loop", ("it used up its rounds",), "rounds")

REASONS: Mapping[str, tuple[Reason, ...]] = {
    "refused": (_away("Nothing answers at its address", "no connection"),),
    "dns": (_away("Its host name is not found", "the host name cannot be resolved"),),
    "tls": (_away("The TLS connection fails", "the TLS connection could not be made"),),
    "hangs_before_headers": (SLOW_TO_BEGIN,),
    "hangs_in_the_stream": (SLOW_TO_GO_ON, SLOW_TO_BEGIN),
    "cut": (CUT,),
    "429": (RATE, QUOTA),
    "429_for_so_long": (RATE, SLOW_DOWN),
    "5xx": (BROKEN, GATEWAY, OVERLOADED, OVERLOADED_529),
    "html": (PAGE, HTML_502),
    "401_402": (KEY, CREDIT),
    "too_long": (TOO_LONG,),
    "empty": (EMPTY, THOUGHT),
    "blank": (EMPTY,),
    "results_too_large": (NO_ROOM,),
    "endless": (ROUNDS,),
    "clock": (UNSAID, SLOW_DOWN),
}
"""By kind, in the order of its variants; the others are answers, or calls of tools that a model may think better of."""


def reason_of(kind: str, position: str) -> Reason:
    """Return the one reason that may be named in a cell."""
    if KINDS[kind].once and (kind not in REASONS or not POSITIONS[position].tools):
        return ROUNDS  # a model that calls tools where it may not: whatever it calls, that is all that is wrong
    variants = REASONS.get(kind, (UNSAID,))
    return variants[list(POSITIONS).index(position) % len(variants)]


def in_messages(reason: Reason) -> Reason:
    """Return a reason in the words of Anthropic's protocol."""
    noted, found = reason.noted, list(reason.found)
    for ours, theirs in _IN_MESSAGES.items():
        noted, found = noted.replace(ours, theirs), [words.replace(ours, theirs) for words in found]
    return replace(reason, noted=noted, found=tuple(found))
