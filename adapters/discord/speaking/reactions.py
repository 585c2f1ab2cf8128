"""Write emoji as Discord knows them."""

from __future__ import annotations

_COLOURED = "\ufe0f"


def spellings(emoji: str) -> tuple[str, ...]:
    """Return how an emoji may be spelt: Discord knows some only with, and some only without, the mark for colour."""
    emoji = emoji.strip()
    bare = emoji.replace(_COLOURED, "")
    if not bare or bare.isascii():
        return (emoji,) if bare else ()
    return (emoji, bare + _COLOURED if emoji == bare else bare)
