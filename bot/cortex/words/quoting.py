"""Show other people's and models' words: redacted, escaped, with dead links, and fenced."""

from __future__ import annotations

from bot.text.links import defang
from bot.text.redaction import Redactor
from bot.text.text import count_invisible, fence, visible

BY_MODEL = "Written by a model that read untrusted text:"


def quoted(text: str, redactor: Redactor, limit: int = 3000) -> str:
    """Fence somebody's words; a cut, blacked-out places and invisible characters are said."""
    redacted = redactor.redact(text)
    cut = redacted.text[:limit]
    notes = []
    if len(redacted.text) > limit:
        notes.append(f"{len(redacted.text) - limit} more characters")
    if redacted.count:
        notes.append(f"{redacted.count} redacted")
    if hidden := count_invisible(cut):
        notes.append(f"contains {hidden} invisible characters")
    block = fence(visible(cut))
    return f"{block}\n({', '.join(notes)})" if notes else block


def by_model(text: str, redactor: Redactor, limit: int = 3000) -> str:
    """Fence what a model wrote, with every link and ping dead."""
    return quoted(defang(redactor.redact(text).text), redactor, limit)
