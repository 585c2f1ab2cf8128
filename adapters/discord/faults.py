"""Say what a refused or failed call means for a delivery."""

from __future__ import annotations

from typing import NamedTuple

from discord.errors import DiscordException, HTTPException, LoginFailure, RateLimited

from adapters.discord.rest import Lost, Unsent
from bot.errors import DeliveryError

_LONGEST_ERROR = 300
_FLOOD_SECONDS = 5.0
_LONGEST_WAIT = 24 * 3600.0
GONE, UNKNOWN_EMOJI, LATE = "message_gone", "unsupported_emoji", "too_late"
ARCHIVED, ACKNOWLEDGED, UNKNOWN_CHANNEL, MISSING_ACCESS = 50083, 40060, 10003, 50001
# https://discord.com/developers/docs/topics/opcodes-and-status-codes#json
_REFUSALS = {
    10003: "chat_not_found",
    10004: "not_member",
    10007: "not_member",
    10008: GONE,
    10013: "dm_closed",
    10014: UNKNOWN_EMOJI,
    10015: "dm_closed",  # an interaction whose fifteen minutes are over
    10062: LATE,
    20009: "content_filter",
    30010: "reactions_full",
    30034: "commands_quota",
    40001: "token",
    40005: "too_large",
    40060: "acknowledged",
    50001: "rights",
    50005: GONE,  # somebody else's message: there is nothing of the bot to change
    50006: "empty",
    50007: "dm_closed",
    50008: "no_text_channel",
    50013: "rights",
    50021: GONE,
    50024: "no_text_channel",
    50027: "dm_closed",
    50068: "unsupported_message",
    50033: "dm_closed",
    50083: "archived",
    50278: "dm_closed",
    90001: "rights",
    160002: "rights",  # to answer a message one has to be allowed to read it
    160005: "locked",
    200000: "automod",
    200001: "automod",
    240000: "harmful_link",
    20022: "flood",
    20028: "flood",
    20016: "flood",
    40003: "flood",
    40004: "flood",
}
_FORM = {
    "content": "too_long",
    "components": "buttons",
    "files": "too_large",
    "attachments": "too_large",
    "message_reference": GONE,
    "emoji": UNKNOWN_EMOJI,
}
"""What a form error is about, by the first field that it names."""
_IN_PRIVATE = frozenset({"chat_not_found", "rights", "not_member"})


class _Meaning(NamedTuple):
    """What a failure comes to."""

    code: str
    uncertain: bool = False
    permanent: bool = False
    retry_after: float | None = None


def failed(error: Exception, *, is_private: bool = False) -> DeliveryError:
    """Turn one of `rest.Failure` into what the outbox decides by; its text holds no address and no token."""
    meaning = _meaning(error, is_private)
    return DeliveryError(
        words_of(error),
        code=meaning.code,
        uncertain=meaning.uncertain,
        permanent=meaning.permanent,
        retry_after=meaning.retry_after,
    )


def words_of(error: Exception) -> str:
    """Say what happened, as far as the platform itself says it."""
    if isinstance(error, HTTPException):
        said = error.text if error.code else "no answer of Discord"
        return f"HTTP {error.status}, code {error.code}: {' '.join(said.split())}"[:_LONGEST_ERROR]
    return str(error)[:_LONGEST_ERROR]


def refusal(error: Exception) -> int:
    """Return the platform's own number of a refusal; 0 for everything else."""
    return error.code if isinstance(error, HTTPException) else 0


def is_about_answering(error: Exception) -> bool:
    """Say whether a message was refused only because of the one that it answers."""
    is_form = isinstance(error, HTTPException) and error.code == 50035 and "In message_reference" in error.text
    return is_form or refusal(error) == 160002


def code_of(error: Exception) -> str:
    """Name a failure in one word."""
    return _meaning(error, is_private=False).code


def _meaning(error: Exception, is_private: bool) -> _Meaning:
    match error:
        case Unsent():
            return _Meaning("unreachable")
        case Lost():
            return _lost(error)
        case RateLimited():
            return _Meaning("flood", retry_after=min(error.retry_after, _LONGEST_WAIT))
        case LoginFailure():
            return _Meaning("token")
        case HTTPException():
            return _refused(error, is_private)
        case DiscordException():
            return _Meaning("refused", permanent=True)
        case _:
            return _Meaning("internal", uncertain=True)


def _lost(error: Lost) -> _Meaning:
    """What something in between refused was never carried out; nobody knows of all else."""
    if error.status == 429:
        return _Meaning("flood", retry_after=_FLOOD_SECONDS)
    if error.status == 413:
        return _Meaning("too_large", permanent=True)
    code = f"http_{error.status}" if error.status >= 300 else error.kind
    return _Meaning(code, uncertain=not 300 <= error.status < 500)


def _refused(error: HTTPException, is_private: bool) -> _Meaning:
    """Read a status and a code. Only what Discord itself refuses is settled; a page in between may pass."""
    if error.status == 429:
        return _Meaning("flood", retry_after=_wait(error))
    if error.status >= 500:
        return _Meaning("server_error" if error.code else f"http_{error.status}", uncertain=True)
    if error.status == 401:
        return _Meaning("token")
    if error.status == 413:
        return _Meaning("too_large", permanent=True)
    code = _form(error) if error.code == 50035 else _REFUSALS.get(error.code, "")
    if is_private and code in _IN_PRIVATE:
        return _Meaning("dm_closed", permanent=True)
    if code == "flood":
        return _Meaning(code, retry_after=_wait(error))
    if not code and not error.code:
        return _Meaning(f"http_{error.status}")
    return _Meaning(code or ("rights" if error.status == 403 else "refused"), permanent=True)


def _form(error: HTTPException) -> str:
    """Say what a form error is about; the library writes `In content: Must be 2000 or fewer in length.`"""
    for line in error.text.splitlines():
        field = line.removeprefix("In ").partition(":")[0].partition(".")[0]
        if line.startswith("In ") and field in _FORM:
            is_required = field == "content" and "BASE_TYPE_REQUIRED" in line
            return "empty" if is_required else _FORM[field]
    return "refused"


def _wait(error: HTTPException) -> float:
    """Read how long to wait from the header: what the body says is dropped by the library."""
    said = error.response.headers.get("Retry-After", "")
    try:
        seconds = float(said)
    except ValueError:
        return _FLOOD_SECONDS
    return min(max(seconds, 0.0), _LONGEST_WAIT) if seconds == seconds else _FLOOD_SECONDS
