"""Look in a channel for a message that an earlier attempt may have posted, when its nonce may be forgotten."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from adapters.discord.base.rich_body import words_in
from adapters.discord.rest.client import RestClient
from bot.domain.messages import OutgoingMessage, Receipt

EPOCH_MS = 1_420_070_400_000
"""When Discord's ids begin to count (https://discord.com/developers/docs/reference#snowflakes)."""
_SLACK_MS = 300_000
"""How far the clock of this machine may be ahead of the platform's."""
_PAGE_MESSAGES, _MAX_PAGES = 100, 10


class PostedSearch(NamedTuple):
    """What is looked for: a message of the bot, with a nonce or, where Discord does not tell it, the same words."""

    me: int
    message: OutgoingMessage
    wordings: tuple[str, ...]
    nonces: tuple[str, ...]

    def matches(self, found: Mapping[str, Any]) -> bool:
        """Whether a message that was found is the one that was posted."""
        if str(found.get("author", {}).get("id")) != str(self.me):
            return False
        nonce = found.get("nonce")
        if nonce is not None:
            return str(nonce) in self.nonces
        answered = str((found.get("message_reference") or {}).get("message_id") or "")
        answers = self.message.replies_to or self.message.to.thread
        if answered and answered != answers:
            return False
        file = self.message.file
        names = [str(one.get("filename")) for one in found.get("attachments", ())]
        # Discord cuts the space around a text, and rewrites the names of files
        is_said = words_in(found).strip() in {words.strip() for words in self.wordings}
        return is_said and len(names) == (file is not None)


def sent_at(message_id: int) -> int:
    """Read from an id when it was given, in UTC ms."""
    return (message_id >> 22) + EPOCH_MS


def id_at(moment: int) -> int:
    """Return the first id that could be given at a time (UTC ms)."""
    return max(moment - EPOCH_MS, 0) << 22


async def find_posted(rest: RestClient, channel: int, sought: PostedSearch) -> Receipt | None:
    """Return the message if it is there; raise one of `rest.Failure`."""
    after = id_at(sought.message.since - _SLACK_MS)
    for _ in range(_MAX_PAGES):
        page = await rest.call(
            "GET",
            "/channels/{channel_id}/messages",
            channel_id=channel,
            params={"after": after, "limit": _PAGE_MESSAGES},
        )
        for found in page or ():
            if sought.matches(found):
                number = int(found["id"])
                return Receipt(message_id=str(number), at=sent_at(number))
        if len(page or ()) < _PAGE_MESSAGES:
            return None
        after = max(int(found["id"]) for found in page)
    return None
