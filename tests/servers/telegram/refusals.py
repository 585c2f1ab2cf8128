"""How the Bot API says no: the code, its exact words, and the parameters that some refusals carry.

Words follow tdlib/telegram-bot-api's Client.cpp and what the hosted API is reported to answer.
"""

from __future__ import annotations

import json
from typing import Any


class Refused(Exception):
    """An answer with `ok: false`."""

    def __init__(self, code: int, description: str, **parameters: Any) -> None:
        super().__init__(description)
        self.code = code
        self.description = description
        self.parameters = parameters

    def body(self) -> dict[str, Any]:
        """Write the answer."""
        body: dict[str, Any] = {"ok": False, "error_code": self.code, "description": self.description}
        return body | ({"parameters": self.parameters} if self.parameters else {})


def dumped(value: Any) -> bytes:
    """Write JSON as the API does: ASCII only, so an emoji is a pair of escapes and half of one can be sent too."""
    return json.dumps(value, separators=(",", ":")).encode()


def bad(words: str, **parameters: Any) -> Refused:
    """Refuse a request as wrong."""
    return Refused(400, f"Bad Request: {words}", **parameters)


def forbidden(words: str) -> Refused:
    """Refuse a request that would be right for somebody else."""
    return Refused(403, f"Forbidden: {words}")


def conflict(words: str) -> Refused:
    """Refuse a request because of another one."""
    return Refused(409, f"Conflict: {words}")


def too_many(retry_after: int) -> Refused:
    """Refuse a request because there were too many."""
    return Refused(429, f"Too Many Requests: retry after {retry_after}", retry_after=retry_after)


UNAUTHORIZED = (401, "Unauthorized")
NOT_FOUND = (404, "Not Found")
CHAT_NOT_FOUND = "chat not found"
NOT_MODIFIED = (
    "message is not modified: specified new message content and reply markup are exactly the same as a current "
    "content and reply markup of the message"
)
OTHER_POLLER = "terminated by other getUpdates request; make sure that only one bot instance is running"
WEBHOOK_ACTIVE = "can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first"
WEBHOOK_SET = "terminated by setWebhook request"
QUERY_TOO_OLD = "query is too old and response timeout expired or query ID is invalid"
UPGRADED = "group chat was upgraded to a supergroup chat"
