"""A captured history in pieces that can be read by their names: what a part of it says, and what it may have done."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bot.context.transcript import spoken_words
from bot.domain.messages import Role, TextPart
from bot.inspect.capture.reader_view import ShownMessage

MAX_MESSAGES = 12
MAX_CHARS = 1_600
"""A piece ends at either; so a cause that stands in one message does not drag a whole conversation along."""


def name_of(piece: Sequence[ShownMessage]) -> str:
    """Return the part of `read_channel_context` that shows exactly these messages."""
    return f"history:{piece[0].index}-{piece[-1].index}"


def said_in(shown: ShownMessage) -> str:
    """Return what was said, a person's words under their header; files, calls and results are only named here."""
    message = shown.message
    words = message.text
    if message.role is Role.USER and message.parts and isinstance(message.parts[-1], TextPart):
        # before the words stand files, and sections in the newest message
        words = message.parts[-1].text
    called = [f"[calls {call.name}]" for call in message.calls]
    returned = [f"[result of {result.call_id}, {'ok' if result.ok else 'failed'}]" for result in message.results]
    return "\n".join(filter(None, (words, *called, *returned)))


def written_message(shown: ShownMessage) -> str:
    """Write a message as the pages of the history do."""
    return f"[{shown.index}] {shown.message.role.value}\n{said_in(shown)}"


def own_words(shown: ShownMessage) -> str:
    """Return only what the person wrote."""
    return spoken_words(shown.message)


def pieces(messages: Sequence[ShownMessage]) -> Iterator[tuple[ShownMessage, ...]]:
    """Cut a history into pieces of neighbours; a long message is a piece of its own."""
    piece: list[ShownMessage] = []
    size = 0
    for shown in messages:
        length = len(said_in(shown))
        follows = not piece or shown.index == piece[-1].index + 1
        if piece and (not follows or len(piece) == MAX_MESSAGES or size + length > MAX_CHARS):
            yield tuple(piece)
            piece, size = [], 0
        piece.append(shown)
        size += length
    if piece:
        yield tuple(piece)
