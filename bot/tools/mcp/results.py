"""Put what a server returned into the words of a tool result: cut, fenced, and marked as the server's."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic_core import from_json

from bot.domain.base import canonical_json
from bot.ports.toolservers import Served, ServedFile
from bot.prompts import render
from bot.text.figures import exact_number
from bot.text.text import excerpt
from bot.tools.runtime.executor import cut

NOTHING = "(it returned nothing)"
_MOST_FILES = 10


def result_text(server: str, served: Served, limit: int) -> str:
    """Return at most about `limit` characters of a result."""
    return render(
        "mcp/result",
        server=server,
        text=cut(_words(served), limit),
        notes=[*map(_note, served.files[:_MOST_FILES]), *_more(len(served.files) - _MOST_FILES)],
    )


def _words(served: Served) -> str:
    texts = [text for text in served.texts if text]
    if served.structured and not _is_told(served):
        texts.append(served.structured)
    return "\n".join(texts) or NOTHING


def _is_told(served: Served) -> bool:
    """Say whether the texts hold the structured result already, as the protocol asks servers to do."""
    if len(served.texts) != 1:
        return False
    text = served.texts[0]
    if canonical_json({"result": text}) == served.structured:
        return True
    try:
        value = from_json(text)
    except ValueError:
        return False
    return served.structured in (canonical_json(value), canonical_json({"result": value}))


def _note(file: ServedFile) -> str:
    kind = excerpt(file.mimetype, 60) or "of an unknown kind"
    name = f', "{excerpt(file.name, 100)}"' if file.name else ""
    if not file.size:
        return f"[it returned a file ({kind}{name}) that cannot be read]"
    return (
        f"[it returned a file ({kind}{name}, {exact_number(file.size)} bytes), which is not kept and cannot be shown]"
    )


def _more(count: int) -> Iterator[str]:
    if count > 0:
        yield f"[and {count} more files]"
