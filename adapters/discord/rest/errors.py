"""Say what a refused or failed call means for a delivery."""

from __future__ import annotations

import re
from typing import NamedTuple

from discord.errors import DiscordException, HTTPException, LoginFailure, RateLimited

from adapters.discord.rest.client import DiscordCallLost, DiscordCallUnsent
from adapters.discord.rest.refusals import (
    FLOOD,
    MESSAGE_GONE,
    NO_HISTORY,
    PASSING_CAUSES,
    RIGHTS,
    UNKNOWN_EMOJI,
    WAITING_CAUSES,
    cause,
)
from bot.errors import DeliveryError

_MAX_ERROR_CHARS = 300
_FLOOD_SECONDS = 5.0
_NUMBER_AND_NAME = re.compile(r"\d{3}: [A-Za-z ]{2,40}", re.ASCII)
_MAX_WAIT_SECONDS = 24 * 3600.0
_FORM = {
    "content": "too_long",
    "components": "buttons",
    "files": "too_large",
    "attachments": "too_large",
    "message_reference": MESSAGE_GONE,
    "emoji": UNKNOWN_EMOJI,
}
"""What a form error is about, by the first field that it names."""
_IN_PRIVATE = frozenset({"chat_not_found", "no_access", "rights", "not_member"})
UNKNOWN = "refused"
"""What a platform refuses for a reason that no row of the table knows."""


class _ErrorMeaning(NamedTuple):
    """What a failure comes to."""

    code: str
    uncertain: bool = False
    permanent: bool = False
    retry_after: float | None = None


def delivery_error(error: Exception, *, is_private: bool = False) -> DeliveryError:
    """Turn one of `rest.Failure` into what the outbox decides by; its text holds no address and no token."""
    meaning = _error_meaning(error, is_private)
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
        # a page of something in between may repeat the address
        is_said = error.code or _NUMBER_AND_NAME.fullmatch(error.text)
        said = error.text if is_said else "no answer of Discord"
        return f"HTTP {error.status}, code {error.code}: {' '.join(said.split())}"[:_MAX_ERROR_CHARS]
    return str(error)[:_MAX_ERROR_CHARS]


def refusal(error: Exception) -> int:
    """Return the platform's own number of a refusal; 0 for everything else."""
    return error.code if isinstance(error, HTTPException) else 0


def is_about_answering(error: Exception) -> bool:
    """Say whether a message was refused only because of the one that it answers."""
    is_form = isinstance(error, HTTPException) and error.code == 50035 and "In message_reference" in error.text
    return is_form or refusal(error) == NO_HISTORY


def is_of_the_form(error: Exception) -> bool:
    """Say whether the same words may be taken in a plainer form: it was refused for its form, or for lack of a right.

    Which right it is, Discord does not say: a card needs one of its own, and so does a poll.
    """
    failed = delivery_error(error)
    return failed.permanent and failed.code in {RIGHTS, UNKNOWN, "too_long", "empty", "unsupported_message"}


def code_of(error: Exception) -> str:
    """Name a failure in one word."""
    return _error_meaning(error, is_private=False).code


def _error_meaning(error: Exception, is_private: bool) -> _ErrorMeaning:
    match error:
        case DiscordCallUnsent():
            return _ErrorMeaning("unreachable")
        case DiscordCallLost():
            return _meaning_of_loss(error)
        case RateLimited():
            return _ErrorMeaning(FLOOD, retry_after=min(error.retry_after, _MAX_WAIT_SECONDS))
        case LoginFailure():
            return _ErrorMeaning("token")
        case HTTPException():
            return _meaning_of_refusal(error, is_private)
        case DiscordException():
            return _ErrorMeaning(UNKNOWN, permanent=True)
        case _:
            return _ErrorMeaning("internal", uncertain=True)


def _meaning_of_loss(error: DiscordCallLost) -> _ErrorMeaning:
    """What something in between refused was never carried out; nobody knows of all else."""
    if error.status == 429:
        return _ErrorMeaning(FLOOD, retry_after=_FLOOD_SECONDS)
    if error.status == 413:
        return _ErrorMeaning("too_large", permanent=True)
    code = f"http_{error.status}" if error.status >= 300 else error.kind
    return _ErrorMeaning(code, uncertain=not 300 <= error.status < 500)


def _meaning_of_refusal(error: HTTPException, is_private: bool) -> _ErrorMeaning:
    """Read a code, and a status where no row knows the code. Only what Discord itself refuses is settled."""
    code = _form_fault(error) if error.code == 50035 else cause(error.code)
    if error.status == 429 or code in WAITING_CAUSES:
        return _ErrorMeaning(code if code in WAITING_CAUSES else FLOOD, retry_after=_retry_seconds(error))
    if error.status >= 500:
        return _ErrorMeaning("server_error" if error.code else f"http_{error.status}", uncertain=True)
    if error.status == 401 and not code:
        return _ErrorMeaning("token")
    if error.status == 413:
        return _ErrorMeaning("too_large", permanent=True)
    if is_private and code in _IN_PRIVATE:
        return _ErrorMeaning("dm_closed", permanent=True)
    if code in PASSING_CAUSES:
        return _ErrorMeaning(code)
    if not code and not error.code:
        # a page in between may pass
        return _ErrorMeaning(f"http_{error.status}")
    return _ErrorMeaning(code or UNKNOWN, permanent=code != "token")


def _form_fault(error: HTTPException) -> str:
    """Say what a form error is about; the library writes `In content: Must be 2000 or fewer in length.`"""
    for line in error.text.splitlines():
        field = line.removeprefix("In ").partition(":")[0].partition(".")[0]
        if line.startswith("In ") and field in _FORM:
            is_required = field == "content" and "BASE_TYPE_REQUIRED" in line
            return "empty" if is_required else _FORM[field]
    return UNKNOWN


def _retry_seconds(error: HTTPException) -> float:
    """Read how long to wait from the header: what the body says is dropped by the library."""
    said = error.response.headers.get("Retry-After", "")
    try:
        seconds = float(said)
    except ValueError:
        return _FLOOD_SECONDS
    return min(max(seconds, 0.0), _MAX_WAIT_SECONDS) if seconds == seconds else _FLOOD_SECONDS
