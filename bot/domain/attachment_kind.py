"""What can be done with a file that came in, by its name and by what its sender called its type."""

from __future__ import annotations

import re

from bot.domain.messages import AttachmentKind

_PICTURES = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp"})
_TEXTS = re.compile(
    r"text/.*|application/(?:(?:[\w.-]+\+)?(?:json|xml|yaml)|(?:x-)?(?:yaml|toml|javascript|sql|sh|python|ndjson))"
)
_TEXT_ENDINGS = re.compile(
    r".*\.(?:txt|md|rst|log|csv|tsv|jsonl?|ndjson|xml|ya?ml|toml|ini|cfg|conf|env|html?|css|[jt]sx?|pyi?|rb|rs|go|java|kt"
    r"|[ch]|cc|[ch]pp|cs|php|pl|lua|(?:ba|z|fi)?sh|ps1|bat|sql|r|swift|scala|diff|patch|tex|svg)",
    re.DOTALL,
)


def attachment_kind(name: str, mimetype: str) -> AttachmentKind:
    """Say whether a file is to be looked at, to be read, or only to be mentioned."""
    mimetype = mimetype.lower()
    if mimetype in _PICTURES:
        return AttachmentKind.IMAGE
    if _TEXTS.fullmatch(mimetype) or _TEXT_ENDINGS.fullmatch(name.lower()):
        return AttachmentKind.TEXT
    return AttachmentKind.OTHER
