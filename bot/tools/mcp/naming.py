"""Names that models and providers take, and that can stand for nothing of ours."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from bot.domain.base import digest_text

PREFIX = "mcp"
LONGEST = 64
"""Characters; what OpenAI and Anthropic both take."""
_OTHER = re.compile(r"[^A-Za-z0-9_-]+")
_DIGEST = 6


def offered_names(server: str, names: Iterable[str]) -> Mapping[str, str]:
    """Return each of a server's names with the one that models see, `mcp_<server>_<tool>`.

    Names that become the same are told apart by a piece of their digest, all but the first; so is a name that is cut.
    A name that stands twice is one.
    """
    taken: set[str] = set()
    found: dict[str, str] = {}
    for name in dict.fromkeys(names):
        wanted = f"{PREFIX}_{server}_{_OTHER.sub('_', name) or 'tool'}"
        if len(wanted) > LONGEST or wanted in taken:
            wanted = f"{wanted[: LONGEST - _DIGEST - 1]}_{digest_text(name)[-_DIGEST:]}"
        if wanted not in taken:
            taken.add(wanted)
            found[name] = wanted
    return found
