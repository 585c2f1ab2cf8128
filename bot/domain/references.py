"""Quote what a message refers to: bounded, cleaned like everything that arrives, and taken out with its author."""

from __future__ import annotations

from collections.abc import Iterable

from bot.domain.ids import UserId
from bot.domain.messages import Inbound, LinkPreview, MessageReference, ReferenceKind
from bot.text.text import clean

MAX_QUOTED_CHARS = 1000
"""Characters of somebody's words that stand with a message that refers to them."""
MAX_LINKS = 5
_MAX_TITLE_CHARS, _MAX_URL_CHARS = 160, 500
HEADER_NAMES = {
    ReferenceKind.ANSWERED: "quotes",
    ReferenceKind.STORY: "quotes",
    ReferenceKind.FORWARDED: "forwarded",
    ReferenceKind.THREAD: "thread_began_with",
    ReferenceKind.LINKS: "links",
}
"""What each kind of reference is called in the header of a message; behind `at`, by which a header is known."""


def quotable_text(text: str) -> str:
    """Return somebody's words as they stand in a quotation; what is too long is cut, and says so."""
    words = clean(text[: 2 * MAX_QUOTED_CHARS]).text.strip()
    # the sign at the end is the one behind which the beginning of a secret is looked for
    return words if len(words) <= MAX_QUOTED_CHARS else words[: MAX_QUOTED_CHARS - 1].rstrip() + "…"


def link_previews(found: Iterable[tuple[str, str]]) -> tuple[LinkPreview, ...]:
    """Return addresses with their titles, each address once; those that are no use to anybody are left out."""
    kept: dict[str, LinkPreview] = {}
    for url, title in found:
        address = clean(url).text.strip()
        if not address or len(address) > _MAX_URL_CHARS or len(kept) == MAX_LINKS:
            continue
        words = " ".join(clean(title[: 4 * _MAX_TITLE_CHARS]).text.split())
        words = words if len(words) <= _MAX_TITLE_CHARS else words[: _MAX_TITLE_CHARS - 1].rstrip() + "…"
        kept.setdefault(address, LinkPreview(url=address, title=words))
    return tuple(kept.values())


def reference_of_links(found: Iterable[tuple[str, str]]) -> tuple[MessageReference, ...]:
    """Return the reference for the links of a message; nothing where there are none."""
    kept = link_previews(found)
    return (MessageReference(kind=ReferenceKind.LINKS, links=kept),) if kept else ()


def is_forward_of(inbound: Inbound, user: UserId) -> bool:
    """Say whether the text of a message is what somebody wrote elsewhere."""
    return any(one.kind is ReferenceKind.FORWARDED and one.is_by(user) for one in inbound.refers)


def tells_of_writing_here(one: MessageReference, user: UserId) -> bool:
    """Say whether a reference shows that somebody wrote in the very channel in which it stands."""
    if one.kind not in {ReferenceKind.ANSWERED, ReferenceKind.THREAD} or one.place:
        return False
    return one.author is not None and one.author.user_id == user


def without_quoted(inbound: Inbound, user: UserId) -> Inbound:
    """Return a message that does not refer to anything of somebody any more."""
    return inbound.replace(refers=tuple(one for one in inbound.refers if not one.is_by(user)))
