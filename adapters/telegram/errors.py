"""Say what a refused or failed call means for a delivery."""

from __future__ import annotations

import re
from typing import NamedTuple

from telegram.error import BadRequest, ChatMigrated, Forbidden, InvalidToken, NetworkError, TelegramError

from adapters.telegram.request import FloodWait, TelegramCallLost, TelegramCallUnsent
from bot.errors import DeliveryError

_MAX_ERROR_CHARS = 300
_FLOOD_SECONDS = 5.0
_NAME = re.compile(r"[A-Za-z0-9]+(?:_[A-Za-z0-9]+)+", re.ASCII)
MARKUP, MESSAGE_GONE, NOT_MODIFIED, TOPIC_GONE = "markup", "message_gone", "unchanged", "topic_gone"
TOO_OLD, CHAT_MIGRATED, SLOW_MODE = "too_old", "migrated", "slow_mode"
TOO_LONG, EMPTY_TEXT = "too_long", "empty"
UNKNOWN = "refused"
"""What a platform refuses in words that no row of the table knows."""
OF_THE_FORM = frozenset({MARKUP, TOO_LONG, EMPTY_TEXT, UNKNOWN})
"""What is refused for how a message is written, as far as anybody knows: in another form it may be taken."""
# the words of the API are its only codes (https://core.telegram.org/api/errors, and telegram-bot-api's own texts)
_REFUSALS = {
    re.compile(words, re.IGNORECASE): code
    for words, code in (
        (r"message is not modified", NOT_MODIFIED),
        (r"can't parse entities|entity|ENTITIES_|ENTITY_|RICH_(?:MESSAGE|VALIDATE)_|rich message", MARKUP),
        (r"message is too long|caption is too long|MESSAGE_TOO_LONG|MEDIA_CAPTION_TOO_LONG", TOO_LONG),
        (r"(?:message )?text (?:is|must be) (?:empty|non-empty)|MESSAGE_EMPTY", EMPTY_TEXT),
        (r"TOPIC_CLOSED|topic closed", "topic_closed"),
        (r"message thread not found|TOPIC_DELETED|TOPIC_ID_INVALID|TOPIC_NOT", TOPIC_GONE),
        (r"message to (?:edit|delete|react|be replied)[\w ]* not found", MESSAGE_GONE),
        # its time is over, but it is still there
        (r"message can't be (?:edited|deleted)", TOO_OLD),
        (r"there is no text in the message to edit", MESSAGE_GONE),
        (r"MESSAGE_ID_INVALID|message identifier", MESSAGE_GONE),
        (r"blocked by the user|USER_IS_BLOCKED|user is deactivated|can't initiate|PEER_ID_INVALID", "dm_closed"),
        (r"INPUT_USER_DEACTIVATED", "dm_closed"),
        (r"not a member|was kicked|kicked from|CHANNEL_PRIVATE", "not_member"),
        # the bot may well be an administrator there (https://github.com/tdlib/telegram-bot-api/issues/863)
        (r"CHAT_RESTRICTED", "chat_restricted"),
        (r"GUEST_SEND_FORBIDDEN", "join_first"),
        (r"ALLOW_PAYMENT_REQUIRED|PAID_MESSAGE|PREMIUM_REQUIRED", "paid_messages"),
        (r"FROZEN_", "account_frozen"),
        (r"SLOWMODE_WAIT", SLOW_MODE),
        (r"not enough rights|have no rights|need administrator|CHAT_\w*FORBIDDEN|ADMIN_REQUIRED", "no_rights"),
        (r"chat was deleted|chat is deactivated", "chat_deleted"),
        (r"chat not found|user not found|CHAT_ID_INVALID", "chat_not_found"),
        (r"REACTION_INVALID|reaction", "unsupported_emoji"),
        (r"file is too big|too large|PHOTO_\w*INVALID", "file_too_large"),
        (r"BUTTON_", "buttons"),
    )
}

_NO_METHOD = re.compile(r"\ANot Found|method (?:is )?not (?:found|supported)|unknown method", re.IGNORECASE)


class _ErrorMeaning(NamedTuple):
    """What a failure comes to."""

    code: str
    uncertain: bool = False
    permanent: bool = False
    retry_after: float | None = None


def delivery_error(error: TelegramError, *, is_private: bool = False) -> DeliveryError:
    """Turn a failure of the Bot API into what the outbox decides by; its text holds no address and no token."""
    meaning = _error_meaning(error, is_private)
    return DeliveryError(
        words_of(error),
        code=meaning.code,
        uncertain=meaning.uncertain,
        permanent=meaning.permanent,
        retry_after=meaning.retry_after,
    )


def words_of(error: TelegramError) -> str:
    """Return what the platform said; the library writes `CHAT_RESTRICTED` as `Chat_restricted`."""
    said = error.message[:_MAX_ERROR_CHARS]
    return said.upper() if _NAME.fullmatch(said) else said


def code_of(error: TelegramError) -> str:
    """Return the platform's own code of a refusal, such as `RICH_MESSAGE_URL_INVALID`, else ours; never other words."""
    return error.message.upper() if _NAME.fullmatch(error.message) else refusal(error)


def _error_meaning(error: TelegramError, is_private: bool) -> _ErrorMeaning:
    match error:
        case TelegramCallUnsent():
            return _ErrorMeaning("unreachable")
        case TelegramCallLost():
            return _meaning_of_loss(error)
        case FloodWait():
            return _ErrorMeaning("flood", retry_after=error.seconds)
        case InvalidToken():
            return _ErrorMeaning("token")
        case Forbidden() | BadRequest():
            return _meaning_of_refusal(error, is_private)
        case NetworkError():
            # the API says that something broke inside it: nobody knows how far it had got
            return _ErrorMeaning("server_error", uncertain=True)
        case _:
            return _ErrorMeaning(CHAT_MIGRATED if isinstance(error, ChatMigrated) else UNKNOWN, permanent=True)


def _meaning_of_refusal(error: TelegramError, is_private: bool) -> _ErrorMeaning:
    code = refusal(error, is_private=is_private)
    if code != SLOW_MODE:
        return _ErrorMeaning(code, permanent=True)
    said = re.search(r"SLOWMODE_WAIT_?(\d{1,6})", error.message)
    return _ErrorMeaning(code, retry_after=float(said[1]) if said else _FLOOD_SECONDS)


def _meaning_of_loss(error: TelegramCallLost) -> _ErrorMeaning:
    """What something in between refused was never carried out; nobody knows of all else."""
    if error.status == 429:
        return _ErrorMeaning("flood", retry_after=_FLOOD_SECONDS)
    if error.status == 413:
        return _ErrorMeaning("file_too_large", permanent=True)
    code = f"http_{error.status}" if error.status else error.kind
    return _ErrorMeaning(code, uncertain=not 300 <= error.status < 500)


def is_unknown_method(error: TelegramError) -> bool:
    """Say whether a server does not know what it was asked for; one without the method may say so of a wrong token."""
    return isinstance(error, BadRequest | InvalidToken) and _NO_METHOD.search(error.message) is not None


def is_of_the_poll(error: TelegramError, *, is_private: bool = False) -> bool:
    """Say whether words may be taken where a poll was refused: it needs a right of its own, and servers that know it.

    To a wrong token a server says the same as of a method that it does not know; the words are refused for it again.
    """
    if isinstance(error, InvalidToken):
        return is_unknown_method(error)
    return is_unknown_method(error) or refusal(error, is_private=is_private) in {*OF_THE_FORM, "no_rights"}


def refusal(error: TelegramError, *, is_private: bool = False) -> str:
    """Name a refusal in one word; that it is forbidden alone says nothing of why."""
    found = next((code for words, code in _REFUSALS.items() if words.search(error.message)), UNKNOWN)
    return "dm_closed" if is_private and found in {"chat_not_found", "not_member"} else found
