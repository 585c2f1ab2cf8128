"""Name what went wrong: from a status, a body or an exception to a ProviderError that says what to do."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import datetime
from email.utils import parsedate_to_datetime
from typing import Any

import aiohttp
from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from bot.domain.redaction import Redactor
from bot.errors import ProviderError, ProviderFault

LONGEST_ERROR = 300
LONGEST_WAIT = 24 * 3600.0
LONGEST_ID = 64

_BY_STATUS = {
    401: ProviderFault.AUTH,
    402: ProviderFault.CREDIT,
    403: ProviderFault.AUTH,
    404: ProviderFault.NOT_FOUND,
    408: ProviderFault.TIMEOUT,
    413: ProviderFault.CONTEXT_LENGTH,
    429: ProviderFault.RATE,
    503: ProviderFault.OVERLOADED,
    529: ProviderFault.OVERLOADED,
}
_BY_CODE = {
    "context_length_exceeded": ProviderFault.CONTEXT_LENGTH,
    "exceed_context_size_error": ProviderFault.CONTEXT_LENGTH,
    "insufficient_quota": ProviderFault.CREDIT,
    "billing_hard_limit_reached": ProviderFault.CREDIT,
    "insufficient_credits": ProviderFault.CREDIT,
    "invalid_api_key": ProviderFault.AUTH,
    "model_not_found": ProviderFault.NOT_FOUND,
    "rate_limit_exceeded": ProviderFault.RATE,
    "overloaded_error": ProviderFault.OVERLOADED,
}
_BY_TYPE = {
    "invalid_request_error": ProviderFault.BAD_REQUEST,
    "authentication_error": ProviderFault.AUTH,
    "permission_error": ProviderFault.AUTH,
    "billing_error": ProviderFault.CREDIT,
    "not_found_error": ProviderFault.NOT_FOUND,
    "request_too_large": ProviderFault.CONTEXT_LENGTH,
    "rate_limit_error": ProviderFault.RATE,
    "timeout_error": ProviderFault.TIMEOUT,
    "api_error": ProviderFault.SERVER,
}
"""What an error inside a stream is, where no status says it (https://platform.claude.com/docs/en/api/errors)."""
_TOO_LONG = re.compile(
    r"context[ _](?:length|window|size)|maximum context|prompt is too long|too many (?:input )?tokens"
    r"|input is too long|exceed context limit"
    r"|exceeds? the (?:model's )?(?:context|maximum (?:number of )?(?:input )?tokens)",
    re.IGNORECASE,
)
_PAIRING = re.compile(
    r"tool_call_id|tool_use_id|tool_result|'tool_calls' must be followed|must be a response to a prece"
    r"|role 'tool'|did not have response messages",
    re.IGNORECASE,
)
_QUOTA = re.compile(
    r"insufficient.quota|exceeded your current quota|credit balance|insufficient (?:credit|fund|balance)"
    r"|reached your specified (?:API|workspace API) usage limits",
    re.IGNORECASE,
)
_KEY_LIKE = re.compile(r"\b(?:sk|pk|gsk|xai|key)-[^\s\"'`,;)]{3,200}|\bBearer\s+[^\s\"']{1,400}", re.IGNORECASE)
_MARKER = re.compile(r"\[redacted:key\d{1,3}:\d{1,5}\]")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+|\s+")

Clean = Callable[[str], str]


class _Error(BaseModel):
    """The `error` object, or the body itself where a server has no such object."""

    model_config = ConfigDict(extra="ignore", hide_input_in_errors=True)

    message: Any = None
    detail: Any = None
    type: Any = None
    code: Any = None
    error: Any = None

    @property
    def words(self) -> str:
        """The first text that says something."""
        return next((str(text) for text in (self.message, self.detail, self.error, self.type) if text), "")


_ANYTHING: TypeAdapter[Any] = TypeAdapter(Any)


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
        text = _MARKER.sub("[key]", redactor.redact(text[: 20 * LONGEST_ERROR]).text)
        text = _CONTROL.sub(" ", _KEY_LIKE.sub("[key]", text[: 20 * LONGEST_ERROR])).strip()
        return text if len(text) <= LONGEST_ERROR else text[: LONGEST_ERROR - 1] + "…"

    return clean


def of_status(status: int, headers: Mapping[str, str], body: bytes, clean: Clean) -> ProviderError:
    """Name an answer with an error status."""
    error = _read(body)
    html = error is None and b"<" in body[:200]
    fault = ProviderFault.GARBAGE if html and status in (400, 403) else _fault(status, error)
    if 300 <= status < 400:
        where = clean(headers.get("Location", "nowhere"))
        return ProviderError(
            f"HTTP {status}: the address redirects to {where}; set base_url to the final address",
            fault=ProviderFault.NOT_FOUND,
            status=status,
        )
    words = "an HTML page instead of an answer" if html else _said(error, body)
    told = clean(f"HTTP {status}: {words}") + _named(headers, clean)
    return ProviderError(told, fault=fault, status=status, retry_after=retry_after(headers))


def of_event(error: object, clean: Clean, partial_text: str) -> ProviderError:
    """Name an error that came inside a stream, after a 200 was out."""
    value = _error(error)
    status = value.code if isinstance(value.code, int) and 400 <= value.code <= 599 else None
    fault = _fault(status or 500, value)
    if status is None and fault is ProviderFault.SERVER:
        fault = _BY_TYPE.get(str(value.type), fault)
    return ProviderError(
        clean(f"error inside the answer: {value.words or 'no text'}"),
        fault=fault,
        status=status,
        partial_text=partial_text,
    )


def of_exception(error: Exception, clean: Clean, partial_text: str) -> ProviderError:
    """Name what the HTTP client raised."""
    fault, words = _raised(error)
    detail = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    return ProviderError(clean(f"{words} ({detail})"), fault=fault, partial_text=partial_text)


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Read how long to wait, in seconds or as a date; a date is compared with the server's own clock."""
    milliseconds = _number(headers.get("retry-after-ms", ""))
    if milliseconds is not None:
        return milliseconds / 1000
    text = headers.get("Retry-After", "").strip()
    seconds = _number(text)
    if seconds is not None:
        return seconds
    until, now = _date(text), _date(headers.get("Date", ""))
    if until is None or now is None:
        return None
    return min(max(0.0, (until - now).total_seconds()), LONGEST_WAIT)


def _raised(error: Exception) -> tuple[ProviderFault, str]:
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


def _fault(status: int, error: _Error | None) -> ProviderFault:
    if error is not None:
        for code in (error.code, error.type):
            if isinstance(code, str) and code in _BY_CODE:
                return _BY_CODE[code]
        if status in (400, 413, 422, 500) and _TOO_LONG.search(error.words):
            return ProviderFault.CONTEXT_LENGTH
        if status in (400, 422) and _PAIRING.search(error.words):
            return ProviderFault.TOOL_PAIRING
        if status in (400, 429) and _QUOTA.search(error.words):
            return ProviderFault.CREDIT
    return _BY_STATUS.get(status, ProviderFault.SERVER if status >= 500 else ProviderFault.BAD_REQUEST)


def _read(body: bytes) -> _Error | None:
    try:
        value = _ANYTHING.validate_json(body)
    except ValidationError:
        return None
    if isinstance(value, list) and value:
        value = value[0]  # Gemini's compatible endpoint wraps it in a list
    return _error(value.get("error") or value) if isinstance(value, dict) else None


def _error(value: object) -> _Error:
    return _Error.model_validate(value) if isinstance(value, dict) else _Error(message=value)


def _said(error: _Error | None, body: bytes) -> str:
    return (error.words if error else body[:LONGEST_ERROR].decode("utf-8", "replace").strip()) or "no explanation"


def _named(headers: Mapping[str, str], clean: Clean) -> str:
    """Name the request as the service knows it; its support asks for that."""
    name = next((headers[key] for key in ("request-id", "x-request-id") if headers.get(key)), "")
    return f" (request {clean(name[:LONGEST_ID])})" if name else ""


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return min(value, LONGEST_WAIT) if value >= 0 else None


def _date(text: str) -> datetime | None:
    try:
        value = parsedate_to_datetime(text)
    except (ValueError, TypeError):
        return None
    return value if value.tzinfo else None
