"""Say of every key of the configuration what it is and where that comes from; secrets only as that."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import orjson

from bot.config.config_values import flatten
from bot.config.file_privacy import read_text
from bot.config.load import LoadedConfig
from bot.domain.dialect import DialectLesson
from bot.sentences import say
from bot.text.redaction import Redactor
from bot.text.text import visible
from bot.text.times import minute

_COMMON_KEYS = frozenset(
    {
        *("model", "conversation", "attachments", "limits", "calls", "tools", "work", "memory", "cortex"),
        "embeddings",
        *("inspector", "compaction", "retention", "drift", "skills"),
    }
)
"""Tables that hold for every channel; what else there is concerns other people's channels, or the host."""
_SECRET_TEXT = "(secret)"
# a quote that is never closed reaches to the end, so that none behind it is tried again
_PART = r"""(?:[A-Za-z0-9_-]+|"(?:[^"\\]|\\.?)*+(?:"|$)|'[^']*+(?:'|$))"""
_DOTTED = rf"{_PART}(?:\s*\.\s*{_PART})*"
_TABLE = re.compile(rf"\s*\[\s*({_DOTTED})\s*\]\s*(?:#.*)?")
_KEY = re.compile(rf"\s*({_DOTTED})\s*=(.*)")
_MULTILINE = re.compile(r'"""|\'\'\'')


class ExplainedKey(NamedTuple):
    """One key: its value as it may be shown, where it comes from, and what a change of it takes."""

    key: str
    value: str
    origin: str
    takes: str

    def concerns(self, channel: str) -> bool:
        """Say whether it may be told to whoever administers one channel and not the bot."""
        table, _, rest = self.key.partition(".")
        if table == "channels":
            return self.key.startswith(f"channels.{channel}.")
        # which servers there are, and where else a group of tools is open, is not for them
        return table in _COMMON_KEYS and not rest.startswith("mcp.") and not rest.endswith(".channels")


def explain(loaded: LoadedConfig) -> Iterator[ExplainedKey]:
    """Say of every key what it is and where that comes from."""
    redact = Redactor.of(loaded.secrets).redact
    lines = key_lines(read_text(loaded.path)) if loaded.path else {}
    for value in flatten(loaded.config):
        words = _SECRET_TEXT if value.key in loaded.secrets else redact(shown(value.value)).text
        origin = _origin(loaded, value.key, lines.get(value.key, 0))
        yield ExplainedKey(value.key, words, origin, "reload" if value.live else "restart")


def explain_learnt(lessons: Sequence[DialectLesson]) -> Iterator[ExplainedKey]:
    """Say what refusals taught of services beside what the configuration says of them."""
    for lesson in lessons:
        provider, _, model = lesson.model.partition("/")
        origin = say("config.learnt", time=minute(lesson.at), words=shown(lesson.words))
        yield ExplainedKey(f"providers.{provider}.dialect", f"{visible(model)}: {lesson.trait}", origin, "restart")


def shown(value: Any) -> str:
    """Write a value as it may stand on one line."""
    return say("config.not-set") if value is None else visible(orjson.dumps(value, default=str).decode())


def _origin(loaded: LoadedConfig, key: str, line: int) -> str:
    origin = loaded.origins.get(key) or _written_inside(loaded.origins, key)
    if not origin:
        return "default"
    place = f"{loaded.path.name if loaded.path else 'config'}{f':{line}' if line else ''}"
    if origin == "file":
        return place
    scheme, colon, name = origin.partition(":")
    if not colon:
        return origin
    if scheme != "env":
        return f"{place} → {origin}"
    told = "config.from-dotenv" if name in loaded.dotenv else "config.from-environment"
    return say(told, place=place, origin=origin)


def _written_inside(origins: Mapping[str, str], key: str) -> str:
    # a list or an inline table: its entries have origins of their own
    return "file" if any(name.startswith((f"{key}[", f"{key}.")) for name in origins) else ""


def key_lines(text: str) -> dict[str, int]:
    """Return the line of every key that stands on a line of its own, by its dotted name; inline tables are one key."""
    found: dict[str, int] = {}
    table, closing = "", ""
    for number, line in enumerate(text.split("\n"), 1):
        if closing:
            closing = "" if closing in line else closing
            continue
        if header := _TABLE.fullmatch(line):
            table = _plain(header[1]) + "."
        elif entry := _KEY.fullmatch(line):
            found.setdefault(table + _plain(entry[1]), number)
            marks = _MULTILINE.findall(entry[2])
            closing = marks[0] if len(marks) == 1 else ""
    return found


def _plain(dotted: str) -> str:
    return ".".join(part.strip("\"'") for part in re.findall(_PART, dotted))
