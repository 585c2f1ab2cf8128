"""Our own words, where they are said in more than one place."""

from __future__ import annotations

import re

from bot.cortex.targets.target_resolver import TargetChannel
from bot.diagnostics.failure_words import unread_part
from bot.domain.ids import MAIN
from bot.text.text import excerpt, one_line_name

_PLAIN_NAME = re.compile(r"[\w-]{1,40}")

UNDER_WAY = "A branch is reading the context. What it finds comes here, once."
GOES_ON = "It goes on where it stopped. What it finds comes here, once."
MAY_GO_ON = "It can go on where it stopped; nothing that it looked up is looked up again."
NO_MORE_TO_RESUME = "That inspection goes on already, has ended, or is no longer kept. Ask again instead."
CUT_OFF = "The inspection was cut off: the bot was stopped. What the rules found above stands. Ask again later."
BUSY = "I am still at your last question. This one comes next."
NOT_TAKEN_UP = "The bot was stopped before I came to what you asked last. Ask it again."
TALK_CUT_OFF = "The bot was stopped while I worked on your question. Ask it again."
WITHHELD_ANSWER = "There is an answer, but you may not inspect that channel any more: it is withheld."
CHANGED_MEANWHILE = "A memory that was to be forgotten has changed meanwhile. Ask again to see how it is now."
NO_RIGHT = "You may not inspect that channel now. Nothing was changed."
BROKEN = "Something in me failed while I answered that. It is in the log; ask again, or try `doctor`."
TOO_FAST = "That is more than I take in a minute. Ask again in a moment."
NOT_KEPT = "The words of that question are not kept any more, or mean something else now. Ask it again."
NO_SUCH_RECORD = "There is no such record that you may open."
NOT_THE_CHANNELS = "That is a request of an inspection. Only requests of the channel itself are shown."
MADE_OF = "what it was made of"
BACK = "I answer here again. What was written while I was silent I have not answered; say it again if it still matters."
TROUBLE = "I have trouble answering here at the moment. It is known; please ask again later."
UNREACHABLE = "I could not write to you in private."
ENDED = "What is shown to you alone ends after 15 minutes, and when I start again. Ask again where you asked."


def channel_word(target: TargetChannel) -> str:
    """Name a channel so that a lock screen gives nobody away; with its agent, if that is another one than `main`."""
    word = "a private chat" if target.place.is_dm else excerpt(one_line_name(target.name, 40), 40)
    return word if target.key.agent == MAIN else f"{word} ({target.key.agent})"


def typed_channel(target: TargetChannel) -> str:
    """Write a channel so that a command understands it: by its name if that is one plain word, else by its id."""
    name = target.name.lstrip("#")
    return target.key.channel if target.place.is_dm or not _PLAIN_NAME.fullmatch(name) else f"#{name}"


def broken_text(error: BaseException) -> str:
    """Say in private why something could not be answered, and what to do."""
    why = unread_part("that", error)
    return f"I could not answer that: {why.why}." + (f"\n→ {why.fix}" if why.fix else "")


def title(target: TargetChannel, what: str) -> str:
    """Return the title of a session's thread."""
    return f"{channel_word(target)} · {what}"
