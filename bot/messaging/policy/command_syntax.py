"""Read a command out of a message, by position and words alone; parsing never changes anything."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

_FOLDED = str.maketrans(
    {**dict.fromkeys("“”„‟«»＂", '"'), **dict.fromkeys("‘’‚‛＇", "'"), **dict.fromkeys("‐‑‒–—―−﹣－", "-")}
    | {"！": "!", "／": "/"}
)
ALIASES = {
    "help": "help",
    "start": "start",
    "whoami": "whoami",
    "privacy": "privacy",
    "mydata": "mydata",
    "forgetme": "forgetme",
    "optout": "optout",
    "id": "whoami",
    "status": "status",
    "new": "new",
    "reset": "new",
    "stop": "stop",
    "usage": "usage",
    "model": "model",
    "skills": "skills",
    "timezone": "timezone",
    "tz": "timezone",
    "language": "language",
    "lang": "language",
    "active": "active",
    "mention-only": "mention-only",
    "mention_only": "mention-only",
    "quiet": "quiet",
    "observe": "quiet",
    "pause": "pause",
    "resume": "resume",
    "cortex": "cortex",
    "why": "cortex",
}
"""What may be typed, and the command that is meant."""
STEERING = frozenset({"active", "mention-only", "quiet", "pause", "resume", "model", "skills", "cortex"})
"""The commands of those who steer the bot, which no count ever stops; everybody may use the others."""

_HEAD = re.compile(r"(?P<prefix>[!/])?(?P<word>[A-Za-z][A-Za-z_-]{0,31})(?:@(?P<bot>\w{1,64}))?(?=\s|$)")
_ONE_WORD = frozenset(ALIASES) - {
    *("forgetme", "new", "optout", "model", "pause", "skills", "timezone", "tz", "language", "lang", "cortex", "why")
}
_BARE_REST = {
    "pause": re.compile(r".*", re.DOTALL),
    "model": re.compile(r"(default|[\w.-]+/\S+)?", re.IGNORECASE),
    "skills": re.compile(r"((?:enable|disable)\s+\S+)?", re.IGNORECASE),
    "forgetme": re.compile(r"(now)?", re.IGNORECASE),
    "new": re.compile(r"(undo)?", re.IGNORECASE),
    "optout": re.compile(r"(off)?", re.IGNORECASE),
    **dict.fromkeys(("timezone", "tz"), re.compile(r"(off|utc|[a-z]+(?:/[\w+-]+)+)?", re.IGNORECASE)),
    **dict.fromkeys(("language", "lang"), re.compile(r"(off|[a-z]{2,3}(?:-[a-z]{2,4})?)?", re.IGNORECASE)),
    "cortex": re.compile(r".*", re.DOTALL),
    "why": re.compile(r"([#<@]\S+|\w+:\S+|here)?", re.IGNORECASE),
}
"""Without a prefix, a word is a command only when the whole rest parses; otherwise it is talk."""


class CommandLine(NamedTuple):
    """A command as it was typed. `words` keeps its case; quotes and dashes are folded.

    `prefix` is `!`, `/` or empty; `named`: the bot's name stands in front; `suffix` is the bot of `/x@bot`.
    """

    name: str
    words: str
    prefix: str
    named: bool
    suffix: str = ""

    @property
    def asks_why(self) -> bool:
        """Whether it is the one question to the cortex that members may be allowed."""
        return self.name == "cortex" and self.words.casefold().split()[:1] == ["why"]


def fold(text: str) -> str:
    """Turn the quotes and dashes that phones make into those that people mean."""
    return text if text.isascii() else text.translate(_FOLDED)


def parse_command(text: str, bot_names: tuple[str, ...], added: frozenset[str] = frozenset()) -> CommandLine | None:
    """Return the command that stands at the very beginning of a text (behind the bot's name at most), if one does.

    `added` are commands of plugins, which are written with a prefix.
    """
    folded = fold(text)
    name = _leading_name(bot_names).match(folded) if bot_names else None
    rest = folded[name.end() :] if name else folded
    head = _HEAD.match(rest)
    if head is None:
        return None
    word, words = head["word"].lower(), rest[head.end() :].strip()
    prefix, suffix = head["prefix"] or "", (head["bot"] or "").lower()
    if prefix and word in added:
        return CommandLine(word, words, prefix, name is not None, suffix)
    if word not in ALIASES or (suffix and not prefix) or not (prefix or _is_whole(word, words)):
        return None
    if word == "why":
        words = f"why {words}".rstrip()
    return CommandLine(ALIASES[word], words, prefix, name is not None, suffix)


def _is_whole(word: str, words: str) -> bool:
    return not words if word in _ONE_WORD else _BARE_REST[word].fullmatch(words) is not None


@lru_cache(maxsize=64)
def _leading_name(names: tuple[str, ...]) -> re.Pattern[str]:
    # the longest first, so that `glass` does not hide `glass mind`
    known = "|".join(re.escape(fold(name)) for name in sorted(names, key=len, reverse=True))
    return re.compile(rf"@?(?:{known})(?:[,:]\s*|\s+)", re.IGNORECASE)
