"""Read what is typed: speech with an optional place and speaker, or a slash command of the console itself."""

from __future__ import annotations

import re
from dataclasses import dataclass

from bot.text.text import clean

HELP = """\
[#channel] name> text   say something there, as that person, and stay there
text                    say it here
/as NAME                speak as somebody (a number can be given once: /as NAME=42)
/join #CHANNEL          go to a channel
/dm                     go to your direct messages with the bot
/reply ID text          reply to a message            /edit ID text   edit one of yours
/delete ID              delete one of yours           /history        what was said here, with ids
/press N                press a button, by number or by the beginning of its label
/promote NAME           make somebody an admin of the channels here     /demote NAME
/closedm NAME           close somebody's direct messages                /opendm NAME
/ids on|off             show message ids              /quit           leave (so does Ctrl-D)
Anything else that begins with ! or / goes to the bot: try /help."""

_SPEECH = re.compile(r"\[(?P<place>#[^\]\s]{1,64}|dm)\] (?P<name>[\w.-]{1,64})> ?(?P<text>.*)", re.DOTALL)
_OWN = frozenset(
    {"as", "join", "dm", "reply", "edit", "delete", "history", "press"}
    | {"promote", "demote", "closedm", "opendm", "ids", "quit", "help-console"}
)


_WITH_TEXT = frozenset({"reply", "edit"})


@dataclass(frozen=True, slots=True)
class Say:
    """Speech. Empty `place` and `name`: where and who one is."""

    text: str
    place: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True)
class Own:
    """A command of the console."""

    verb: str
    rest: str = ""


def parse(line: str) -> Say | Own | None:
    """Read one line; None for an empty line and for a comment (`# ...`).

    Names and ids come out clean; what is said comes as it was typed, as the hash of that is kept.
    """
    if not line.strip() or line.startswith("# "):
        return None
    spoken = _SPEECH.fullmatch(line)
    if spoken:
        return Say(spoken["text"], clean(spoken["place"]).text, spoken["name"])
    if line.startswith("/"):
        verb, _, rest = line[1:].partition(" ")
        if verb.lower() in _OWN:
            return _own(verb.lower(), rest.strip())
    return Say(line)


def _own(verb: str, rest: str) -> Own:
    target, space, text = rest.partition(" ")
    return Own(verb, clean(target).text + space + (text if verb in _WITH_TEXT else clean(text).text))
