"""Texts that are sent as one, a blank line between them: where they may be cut and counted piece by piece."""

from __future__ import annotations

from collections.abc import Sequence

BLANK_LINE = "\n\n"
"""What stands between two blocks of a system prompt, and between two texts of one message."""


def counts_add_up(texts: Sequence[str]) -> bool:
    """Say whether the counts of texts, each with its blank line, add up to that of the whole.

    The ranks' pattern ends a token behind line breaks, unless white space or a slash follows: so a cut before a text
    that begins with anything else is one that the tokenizer makes as well.
    """
    return all([text and text[0] != "/" and not text[0].isspace() for text in texts[1:]])
