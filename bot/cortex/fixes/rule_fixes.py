"""Which fix each cause has, or why it has none: one line for each rule."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from typing import NamedTuple


class FixKind(IntEnum):
    """What can be offered for a channel or a message; buttons carry the number, so that it never changes."""

    RETRY = 1
    ANSWER_WAITING = 2
    MODE = 3
    MODEL = 4
    ASK_AGAIN = 5
    NEW = 6
    COMPACT = 7
    ADMIT_PERSON = 8
    ADMIT_CHANNEL = 9
    TELL = 10
    RESUME = 11
    FORGET = 12
    NEWEST = 13


class RuleFix(NamedTuple):
    """The fixes of a cause, the most fitting first: the first that can be done now is offered.

    `none` says, where no button helps, what does; it is said to admins as it stands.
    """

    kinds: tuple[FixKind, ...] = ()
    none: str = ""


_PLATFORM = "Only the platform's own settings can change it."
_FILE = "Only the configuration can change it."
_HOST = "Only who runs the bot can change it, on its machine."
_SERVICE = RuleFix((FixKind.ASK_AGAIN, FixKind.MODEL, FixKind.RETRY))
_AGAIN = RuleFix((FixKind.RETRY,))

RULE_FIXES: Mapping[str, RuleFix] = {
    # arrival
    "NOT-RUNNING": RuleFix(none=_HOST),
    "TG-409": RuleFix(none="Only stopping the other program helps."),
    "TG-WEBHOOK": RuleFix(none="Only stopping the other program helps."),
    "TG-STALL": RuleFix(none="It connects again by itself."),
    "DC-ZOMBIE": RuleFix(none="It connects again by itself."),
    "TOKEN": RuleFix(none=_HOST),
    "DC-OUTAGE": RuleFix(none="It ends by itself: the platform is in trouble."),
    "DC-INTENT": RuleFix(none=_PLATFORM),
    "DC-PERMS": RuleFix(none=_PLATFORM),
    "TG-PERMS": RuleFix(none=_PLATFORM),
    "TG-PRIVACY": RuleFix(none=_PLATFORM),
    "REMOVED": RuleFix(none="Somebody has to add the bot again."),
    "SLASH": RuleFix(none=_PLATFORM),
    "SUPERGROUP": RuleFix(none=_FILE),
    "AUTH-KIND": RuleFix(none=_FILE),
    "ANON-ADMIN": RuleFix(none="They have to write as themselves: anonymous admins prove nothing."),
    "DC-VIEW": RuleFix(none=_PLATFORM),
    "DC-CONNECT": RuleFix(none=_PLATFORM),
    "DC-ENDPOINT": RuleFix(none=_PLATFORM),
    "BOT-AUTHOR": RuleFix(none="A person has to say it: bots are not answered."),
    "UNREADABLE": RuleFix(none="It has to be sent again in another form."),
    "BOOT-DROP": _AGAIN,
    # gates
    "GATE-USER": RuleFix((FixKind.ADMIT_PERSON,)),
    "GATE-CHANNEL": RuleFix((FixKind.ADMIT_CHANNEL,)),
    "GATE-PLUGIN": RuleFix(none="Only the plugin's own settings can change it."),
    "PAUSED": RuleFix((FixKind.RESUME, FixKind.MODE, FixKind.RETRY)),
    "GATE-MENTION": RuleFix((FixKind.MODE,)),
    "COST-CAP": RuleFix(none="It ends with the day; only the configuration can raise it."),
    "CFG-STALE": RuleFix(none=_HOST),
    "ROUTE-WRONG": RuleFix(none=_FILE),
    "SESS-KEY": RuleFix(none=_FILE),
    # queue
    "Q-STUCK": RuleFix(none="`stop`, said in the channel, ends the answer that hangs."),
    "LOOP-BLOCK": RuleFix(none="It goes on by itself; `doctor` shows what held it up."),
    "TYPING": RuleFix(none="It goes out by itself."),
    "APPROVAL": RuleFix(none="The approval has to be given where it was asked for."),
    # request
    "LLM-AUTH": _SERVICE,
    "NET": _SERVICE,
    "BREAKER": _SERVICE,
    "SERVICE-LIMIT": RuleFix((FixKind.COMPACT, FixKind.NEW)),
    "FLAG-OVERHEARD": RuleFix((FixKind.NEW,)),
    "CTX-OVERFLOW": RuleFix((FixKind.COMPACT, FixKind.NEW)),
    "CTX-WINDOW": RuleFix((FixKind.COMPACT, FixKind.NEW)),
    "CTX-ORPHAN": RuleFix((FixKind.NEW,)),
    "MODEL-TOOLS": RuleFix((FixKind.MODEL,)),
    "IMG-POISON": RuleFix((FixKind.NEW,)),
    "FLAGGED": RuleFix((FixKind.NEW,)),
    "ATTACH": RuleFix(none="The file has to be sent again, smaller or in another form."),
    "TOOL-MISSING": RuleFix(none=_FILE),
    # decision
    "MEM-DIRECTIVE": RuleFix((FixKind.FORGET, FixKind.RETRY)),
    "PROMPT-CONFLICT": RuleFix((FixKind.FORGET, FixKind.RETRY)),
    "DEC-SILENT": _AGAIN,
    "DEC-EMPTY": RuleFix((FixKind.RETRY, FixKind.MODEL)),
    "THOUGHT-ONLY": RuleFix((FixKind.RETRY, FixKind.MODEL)),
    "OWN-REFUSAL": RuleFix((FixKind.NEW, FixKind.RETRY)),
    "DENIED-CONTEXT": _AGAIN,
    "CONTRADICTION": RuleFix(none="Forget one of the two: `memory forget` and its name."),
    "LOST-FACT": RuleFix(none="[Put it back] and [Remember it] stand below the report."),
    "FRESH-CHAT": RuleFix(none="`/new undo`, said in the channel, brings the old chat back within 24 h."),
    "SKIP-REFUSED": RuleFix((FixKind.RETRY, FixKind.MODEL)),
    "FALSE-SUCCESS": RuleFix(none="Ask for it again in the channel: a model that says so need not have done it."),
    # delivery
    "OUT-LENGTH": _AGAIN,
    "OUT-PARSE": _AGAIN,
    "OUT-SUPPRESS": _AGAIN,
    "OUT-SWALLOW": _AGAIN,
    "OUT-REFUSED": _AGAIN,
    "OUT-GONE": _AGAIN,
    "RATE-OUT": _AGAIN,
    "SLOW-MODE": RuleFix(none="It goes out by itself; only the channel's slow mode can be turned off."),
    "OTHER-PROCESS": RuleFix(none="It was answered; only stopping the other program ends it."),
    "DM-CLOSED": RuleFix(none="They have to open the chat with the bot first."),
    "DUP": RuleFix(none="It was answered; only stopping the second program ends it."),
}
"""Every rule of `bot/diagnostics/rules`."""
