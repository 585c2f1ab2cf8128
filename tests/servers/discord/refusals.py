"""How the API says no: the status, the code, the words; and the form errors with their paths."""

from __future__ import annotations

from typing import Any

import orjson


class Refused(Exception):
    """An answer that is an error."""

    def __init__(self, status: int, code: int, message: str, **more: Any) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.more = more

    def body(self) -> dict[str, Any]:
        """Write the answer."""
        return {"message": self.message, "code": self.code} | self.more


def dumped(value: Any) -> bytes:
    """Write JSON; half an emoji becomes a replacement character, as orjson would refuse it."""
    try:
        return orjson.dumps(value)
    except TypeError:
        return orjson.dumps(_whole(value))


def invalid(field: str, code: str, words: str) -> Refused:
    """Refuse a form because of one field, named by its path, such as `embeds.0.title`."""
    errors: dict[str, Any] = {"_errors": [{"code": code, "message": words}]}
    for part in reversed(field.split(".")):
        errors = {part: errors}
    return Refused(400, 50035, "Invalid Form Body", errors=errors)


def unknown(what: str) -> Refused:
    """Refuse because something is not there."""
    return Refused(404, UNKNOWN[what], f"Unknown {what}")


UNKNOWN = {
    "Account": 10001,
    "Application": 10002,
    "Channel": 10003,
    "Guild": 10004,
    "Member": 10007,
    "Message": 10008,
    "Role": 10011,
    "User": 10013,
    "Emoji": 10014,
    "Webhook": 10015,
    "interaction": 10062,
    "application command": 10063,
}
UNAUTHORIZED = (401, 0, "401: Unauthorized")
NOT_FOUND = (404, 0, "404: Not Found")
MISSING_ACCESS = (403, 50001, "Missing Access")
MISSING_PERMISSIONS = (403, 50013, "Missing Permissions")
NOT_THE_AUTHOR = (403, 50005, "Cannot edit a message authored by another user")
EMPTY = (400, 50006, "Cannot send an empty message")
CLOSED = (403, 50007, "Cannot send messages to this user")
STRANGERS = (403, 50278, "Cannot send messages to this user due to having no mutual guilds")
NO_TEXT_CHANNEL = (400, 50008, "Cannot send messages in a non-text channel")
SYSTEM_MESSAGE = (403, 50021, "Cannot execute action on a system message")
BAD_TOKEN = (401, 50027, "Invalid Webhook Token")
ARCHIVED = (400, 50083, "Thread is archived")
BAD_JSON = (400, 50109, "The request body contains invalid JSON.")
HAS_THREAD = (400, 160004, "A thread has already been created for this message")
LOCKED = (403, 160005, "Thread is locked")
TOO_LARGE = (413, 40005, "Request entity too large")
ACKNOWLEDGED = (400, 40060, "Interaction has already been acknowledged.")
DAILY_CREATES = "Max number of daily application command creates has been reached (200)"


def _whole(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, dict):
        return {_whole(key): _whole(one) for key, one in value.items()}
    return [_whole(one) for one in value] if isinstance(value, list | tuple) else value
