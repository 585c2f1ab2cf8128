"""Name what went wrong between us and a service, for every adapter that speaks HTTP."""

from __future__ import annotations

import re

import aiohttp

from bot.domain.health import SILENT
from bot.sentences import ENGLISH, Words, said_in, say

_KINDS = {
    "dns": "machine.dns",
    "tls": "machine.tls",
    "proxy": "machine.proxy",
    "timeout": "machine.timeout",
    "connect": "machine.connect",
    "answer": "machine.answer",
    "cut": "machine.cut",
    "internal": "machine.internal",
}
"""The sentence of each kind of failure of the network."""
_KEPT = re.compile(r"(?P<kind>[a-z]+): (?P<call>[A-Z]+ [^ ]+: |\w+: )?(?P<words>[^:]+) (?P<error>\(\w+\))")
"""How a failure is kept: its kind, which call it was, our words in English, and the library's name of it."""
_IN_TIME = re.compile(r"no answer within ([\d.]+) s")
_UNCONNECTED = "no connection in time"


def failure_words(error: Exception) -> tuple[str, str]:
    """Say what kind of failure of the network it is: in one word, and in words that hold no address.

    They are English, and are kept so: `failure_said` says them to who reads.
    """
    kind = _kind(error)
    return kind, said_in(ENGLISH, lambda: say(_KINDS[kind]))


def call_words(error: Exception, seconds: float, *, sent: bool) -> tuple[str, str]:
    """Say the same of a call that may take so many seconds."""
    kind, words = failure_words(error)
    if kind == "timeout":
        words = f"no answer within {seconds:g} s" if sent else _UNCONNECTED
    return kind, words


def failure_said(kept: str) -> str:
    """Say a failure that is kept behind its kind in the language that is spoken now; other words stay."""
    found = _KEPT.fullmatch(kept)
    if found is None or found["kind"] not in _KINDS:
        return kept
    within, words = _IN_TIME.fullmatch(found["words"]), found["words"]
    if within is not None:
        words = say("machine.no-answer-within", seconds=within[1])
    elif words == _UNCONNECTED:
        words = say("machine.no-connection-in-time")
    elif words == said_in(ENGLISH, lambda: say(_KINDS[found["kind"]])):
        words = say(_KINDS[found["kind"]])
    return f"{found['kind']}: {found['call'] or ''}{words} {found['error']}"


def spoken(detail: str | Words, subject: str) -> str:
    """Say how a connection is: kept as words, as a sentence's name in a subject, or as a failure of the network."""
    if not isinstance(detail, str):
        return detail()
    return say(detail) if detail == SILENT or detail.startswith(subject) else failure_said(detail)


def _kind(error: Exception) -> str:
    match error:
        case aiohttp.ClientConnectorDNSError():
            return "dns"
        case aiohttp.ClientConnectorCertificateError() | aiohttp.ClientSSLError():
            return "tls"
        case aiohttp.ClientProxyConnectionError() | aiohttp.ClientHttpProxyError():
            return "proxy"
        case TimeoutError():
            return "timeout"
        case aiohttp.ClientConnectorError():
            return "connect"
        case aiohttp.ClientResponseError() | ValueError():
            return "answer"
        case aiohttp.ClientError() | OSError():
            return "cut"
        case _:
            return "internal"
