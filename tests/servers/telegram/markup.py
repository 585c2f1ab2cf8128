"""parse_mode: from marked-up text to text and entities, with the refusals of tdlib's parsers."""

from __future__ import annotations

from . import html_mode, markdown_mode
from .refusals import bad
from .spans import Entity

_MODES = {"html": html_mode.parse, "markdown": markdown_mode.parse_old, "markdownv2": markdown_mode.parse}


def parsed(text: str, mode: str) -> tuple[str, list[Entity]]:
    """Parse a text in a mode, or refuse it with "can't parse entities"."""
    parse = _MODES.get(mode.lower())
    if parse is None:
        raise bad("unsupported parse_mode")
    return parse(text)
