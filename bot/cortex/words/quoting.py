"""Show other people's and models' words: redacted, escaped, with dead links, and fenced."""

from __future__ import annotations

from bot.sentences import say
from bot.text.links import defang
from bot.text.redaction import Redactor
from bot.text.text import count_invisible, fence, visible


def quoted(text: str, redactor: Redactor, limit: int = 3000) -> str:
    """Fence somebody's words; a cut, blacked-out places and invisible characters are said."""
    redacted = redactor.redact(text)
    cut = redacted.text[:limit]
    notes = []
    if len(redacted.text) > limit:
        notes.append(say("quoting.more-characters", count=len(redacted.text) - limit))
    if redacted.count:
        notes.append(say("quoting.redacted", count=redacted.count))
    if hidden := count_invisible(cut):
        notes.append(say("quoting.invisible", count=hidden))
    block = fence(visible(cut))
    return f"{block}\n({', '.join(notes)})" if notes else block


def by_model(text: str, redactor: Redactor, limit: int = 3000) -> str:
    """Fence what a model wrote, with every link and ping dead."""
    return quoted(defang(redactor.redact(text).text), redactor, limit)
