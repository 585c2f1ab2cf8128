"""Name what went wrong: from a status, a body or an exception to a ProviderError that says what to do."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

import aiohttp

from adapters.model_http.refusal_words import RefusalText, read_body, read_value
from adapters.model_http.refusals import RefusalMeaning, meaning
from adapters.model_http.waits import wait_of
from bot.errors import ProviderError, ProviderFault
from bot.text.redaction import Redactor

MAX_ERROR_CHARS = 300
MAX_ID_CHARS = 64
_NO_WORDS = "no explanation"
_STATUSES = (500, 400, 401, 402, 403, 404, 429)
"""The numbers that an error without one might have had, by which its words are looked up."""
_OF_ONE = re.compile(r"requested:?\s*\d", re.IGNORECASE)
_MEASURED_FAULTS = frozenset({ProviderFault.CONTEXT_LENGTH, ProviderFault.TOO_LARGE})
_WAITING_FAULTS = frozenset(
    {
        ProviderFault.RATE,
        ProviderFault.OVERLOADED,
        ProviderFault.LOADING,
        ProviderFault.SERVER,
        ProviderFault.TIMEOUT,
        ProviderFault.NO_ANSWER,
    }
)
"""Faults after which a time that the service names is one to wait for."""
_BY_TYPE = {
    "invalid_request_error": ProviderFault.BAD_REQUEST,
    "permission_error": ProviderFault.REFUSED,
    "not_found_error": ProviderFault.NOT_FOUND,
    "timeout_error": ProviderFault.TIMEOUT,
}
"""What an error inside a stream is, where no status says it (https://platform.claude.com/docs/en/api/errors)."""

_KEY_LIKE = re.compile(r"\b(?:sk|pk|gsk|xai|key)-[^\s\"'`,;)]{3,200}|\bBearer\s+[^\s\"']{1,400}", re.IGNORECASE)
_MARKER = re.compile(r"\[redacted:key\d{1,3}:\d{1,5}\]")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+|\s+")

Clean = Callable[[str], str]
_N = r"(\d{1,3}(?:[,_. ]\d{3})+|\d{1,12})(?!\d)"
_T = r"(?:\s*tokens?)?"
_BOTH = tuple(
    re.compile(pattern.replace("N", _N).replace("~T", _T), re.IGNORECASE)
    for pattern in (
        # Anthropic: 208310 tokens > 200000 maximum; 199759 + 8192 > 200000
        r"N(?:\s*\+\s*N)~T\s*>\s*N",
        r"N~T\s*>\s*N",
    )
)
_LIMIT = tuple(
    re.compile(pattern.replace("N", _N).replace("~T", _T), re.IGNORECASE)
    for pattern in (
        # Groq, OpenAI by the minute
        r"\blimit:?\s*N\b",
        # OpenAI, Azure, vLLM, DeepSeek, OpenRouter, xAI, Fireworks
        r"max(?:imum)?\s+(?:context|prompt|input|sequence|model|total)\s*(?:length|size|window|tokens)?\s*(?:is|of|:|=)\s*(?:only\s+)?N",
        # Mistral: too large for model with 32768 maximum context length
        r"(?:model|with|than|of)\s+N\s+max(?:imum)?",
        # Gemini: exceeds the maximum number of tokens allowed (1048576)
        r"max(?:imum)?\s+(?:number\s+of\s+)?(?:input\s+|context\s+|prompt\s+)?(?:tokens?|length|size)(?:\s+(?:allowed|limit|of|is))?\s*[(:=]?\s*N",
        # llama.cpp, LM Studio, Ollama
        r"context\s+(?:size|length|window)\s*(?:of|is|limit)?\s*(?:only)?\s*[(:=]?\s*N",
        r"\bn_ctx\W{1,4}N",
        # TGI, Together
        r"(?:must\s+(?:be|have)|have)\s*(?:<=?|less\s+than|at\s+most)\s*N",
        r"(?:cannot|can't|may\s+not|must\s+not)\s+(?:exceed|be\s+(?:more|longer|larger)\s+than)\s*N",
        r"(?:exceeds?|exceeded|over|above)\s+(?:the\s+)?(?:token\s+|model\s+|context\s+)?(?:limit|maximum)\s*(?:of|:|is)?\s*[(]?N",
        r"(?:maxLength|max_input_tokens|max_total_tokens|max_model_len|max_seq_len)\W{1,4}N",
        r"(?:up\s+to|at\s+most|only\s+afford|no\s+more\s+than)\s+N",
    )
)
_SIZE = tuple(
    re.compile(pattern.replace("N", _N).replace("~T", _T), re.IGNORECASE)
    for pattern in (
        r"\brequested:?\s*(?:about\s+)?N",
        r"(?:resulted\s+in|contains?|containing|has|have|received|given:?|got|actual:?)\s+(?:at\s+least\s+|about\s+)?N",
        r"(?:count|tokens?|length|size)\s+(?:of\s+)?[(:=]?\s*N\)?\s+(?:tokens?\s+)?exceed",
        r"request\s*\(N~T\)",
        r"\bn_prompt_tokens\W{1,4}N",
        r"(?:first|too\s+long:?|requested\s+up\s+to)\s+N",
        r"\bN\s+(?:input\s+|prompt\s+)?tokens",
    )
)


class NotTheProtocol(Exception):
    """What came is nothing that the protocol allows; the text ends "the service sent ..."."""


class ErrorInside(Exception):
    """The service told of an error in the middle of an answer; `value` is its error object."""

    def __init__(self, value: object) -> None:
        super().__init__("an error inside the answer")
        self.value = value


def cleaner(secrets: tuple[str, ...]) -> Clean:
    """Return a function that makes a text fit for an error: one line, bounded, without the key or its like."""
    redactor = Redactor.of({f"key{number}": secret for number, secret in enumerate(secrets)})

    def clean(text: str) -> str:
        for secret in secrets:
            text = text.replace(secret, "[key]")
        # a service may repeat what it was sent in another spelling, such as base64
        text = _MARKER.sub("[key]", redactor.redact(text[: 20 * MAX_ERROR_CHARS]).text)
        text = _CONTROL.sub(" ", _KEY_LIKE.sub("[key]", text[: 20 * MAX_ERROR_CHARS])).strip()
        return text if len(text) <= MAX_ERROR_CHARS else text[: MAX_ERROR_CHARS - 1] + "…"

    return clean


def of_status(status: int, headers: Mapping[str, str], body: bytes, clean: Clean) -> ProviderError:
    """Name an answer with an error status."""
    if 300 <= status < 400:
        where = clean(headers.get("Location", "nowhere"))
        return ProviderError(
            f"HTTP {status}: the address redirects to {where}; set base_url to the final address",
            fault=ProviderFault.NOT_FOUND,
            status=status,
        )
    told = read_body(body, headers.get("Content-Type", ""))
    found = _named_meaning(status, told)
    words = clean(f"HTTP {status}: {told.words or _NO_WORDS}") + _request(headers, clean)
    return _error(words, found, status, wait_of(headers, told), told)


def of_event(error: object, clean: Clean, partial_text: str) -> ProviderError:
    """Name an error that came inside an answer, after a 200 was out."""
    told = read_value(error if isinstance(error, dict | list) else {"message": str(error)})
    statuses = (told.status,) if told.status else _STATUSES
    found = next(
        (named for status in statuses if (named := _named_meaning(status, told)).by_row),
        _named_meaning(statuses[0], told),
    )
    if told.status is None and "timeout_error" in told.all:
        found = RefusalMeaning(ProviderFault.TIMEOUT, True)
    if not found.by_row and (fault := next((_BY_TYPE[word] for word in _BY_TYPE if word in told.all), None)):
        found = RefusalMeaning(fault, fault is not ProviderFault.BAD_REQUEST)
    words = clean(f"error inside the answer: {told.words or 'no text'}")
    return _error(words, found, told.status, wait_of({}, told), told, partial_text)


def of_refusal_inside(body: bytes, clean: Clean) -> ProviderError | None:
    """Name what came with a 200 instead of an answer; None where it says nothing of itself."""
    told = read_body(body)
    if isinstance(told.value, dict) and not told.value.get("error") and told.value.get("choices") == []:
        if not told.words:
            return no_answer("a body whose list of choices is empty")
    elif not isinstance(told.value, dict | list):
        return None
    return of_event(told.value, clean, "") if told.words else None


def no_answer(what: str) -> ProviderError:
    """Name an answer that holds neither words nor calls nor an error, and says so by its form."""
    return ProviderError(f"the service answered without an answer: {what}", fault=ProviderFault.NO_ANSWER)


def of_exception(error: Exception, clean: Clean, partial_text: str) -> ProviderError:
    """Name what the HTTP client raised."""
    fault, words = _client_fault(error)
    detail = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    return ProviderError(clean(f"{words} ({detail})"), fault=fault, partial_text=partial_text)


def _client_fault(error: Exception) -> tuple[ProviderFault, str]:
    match error:
        case aiohttp.ClientConnectorCertificateError() | aiohttp.ClientSSLError():
            return ProviderFault.UNREACHABLE, "the TLS connection could not be made"
        case aiohttp.ClientConnectorDNSError():
            return ProviderFault.UNREACHABLE, "the host name cannot be resolved"
        case aiohttp.ClientProxyConnectionError():
            return ProviderFault.UNREACHABLE, "the proxy cannot be reached"
        case aiohttp.ClientConnectorError():
            return ProviderFault.UNREACHABLE, "no connection"
        case aiohttp.ConnectionTimeoutError():
            return ProviderFault.TIMEOUT, "no connection in time (connect_timeout)"
        case aiohttp.ClientHttpProxyError():
            return ProviderFault.UNREACHABLE, "the proxy refused"
        case aiohttp.ClientResponseError() | aiohttp.http_exceptions.HttpProcessingError() | ValueError():
            return ProviderFault.GARBAGE, "what came back is not HTTP"
        case _:
            return ProviderFault.CUT, "the connection was cut before the answer was complete"


def _named_meaning(status: int, told: RefusalText) -> RefusalMeaning:
    found = meaning(status, told.all)
    if told.is_page and not found.by_row and status in (400, 401, 403):
        return RefusalMeaning(ProviderFault.GARBAGE, False)
    limit, size = sizes(told.all) if found.fault is ProviderFault.RATE else RefusedSizes()
    # a limit by the minute that one request alone is beyond never lets it through, however long one waits
    return RefusalMeaning(ProviderFault.TOO_LARGE, True) if 0 < limit < size and _OF_ONE.search(told.all) else found


def _error(
    words: str, found: RefusalMeaning, status: int | None, wait: float | None, told: RefusalText, partial_text: str = ""
) -> ProviderError:
    measured = sizes(told.all) if found.fault in _MEASURED_FAULTS else RefusedSizes()
    return ProviderError(
        words,
        fault=found.fault,
        status=status,
        retry_after=wait if found.fault in _WAITING_FAULTS else None,
        partial_text=partial_text,
        named=found.by_row,
        limit=measured.limit,
        size=measured.size,
    )


def _request(headers: Mapping[str, str], clean: Clean) -> str:
    """Name the request as the service knows it; its support asks for that."""
    name = next((headers[key] for key in ("request-id", "x-request-id") if headers.get(key)), "")
    return f" (request {clean(name[:MAX_ID_CHARS])})" if name else ""


class RefusedSizes(NamedTuple):
    """Tokens (or bytes) that are taken at most, and that were sent; 0 where the words do not say it."""

    limit: int = 0
    size: int = 0


def sizes(words: str) -> RefusedSizes:
    """Return what is taken and what was sent, as far as the words say it."""
    for pattern in _BOTH:
        if found := pattern.search(words):
            *parts, limit = (_whole(group) for group in found.groups())
            return RefusedSizes(limit, sum(parts))
    limit, at = _first(_LIMIT, words, (0, 0))
    size, _ = _first(_SIZE, words, at)
    return RefusedSizes(limit, size)


def _first(patterns: tuple[re.Pattern[str], ...], words: str, taken: tuple[int, int]) -> tuple[int, tuple[int, int]]:
    """Return the number of the first pattern that finds one which is not taken, and where it stands."""
    for pattern in patterns:
        for found in pattern.finditer(words):
            if found.span(1) != taken and (number := _whole(found[1])):
                return number, found.span(1)
    return 0, (0, 0)


def _whole(digits: str) -> int:
    return int(re.sub(r"\D", "", digits))
