"""How channels and failures are named, where that is said in more than one place."""

from __future__ import annotations

import re

from bot.cortex.targets.target_resolver import TargetChannel
from bot.diagnostics.failure_words import unread_part
from bot.domain.ids import MAIN
from bot.sentences import say
from bot.text.text import excerpt, one_line_name

_PLAIN_NAME = re.compile(r"[\w-]{1,40}")


def channel_word(target: TargetChannel) -> str:
    """Name a channel so that a lock screen gives nobody away; with its agent, if that is another one than `main`."""
    word = say("cortex.a-private-chat") if target.place.is_dm else excerpt(one_line_name(target.name, 40), 40)
    return word if target.key.agent == MAIN else f"{word} ({target.key.agent})"


def typed_channel(target: TargetChannel) -> str:
    """Write a channel so that a command understands it: by its name if that is one plain word, else by its id."""
    name = target.name.lstrip("#")
    return target.key.channel if target.place.is_dm or not _PLAIN_NAME.fullmatch(name) else f"#{name}"


def broken_text(error: BaseException) -> str:
    """Say in private why something could not be answered, and what to do."""
    why = unread_part("that", error)
    return say("cortex.could-not-answer", why=why.why) + (f"\n→ {why.fix}" if why.fix else "")


def title(target: TargetChannel, what: str) -> str:
    """Return the title of a session's thread."""
    return f"{channel_word(target)} · {what}"
