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

    `none` names the sentence that says, where no button helps, what does.
    """

    kinds: tuple[FixKind, ...] = ()
    none: str = ""


_PLATFORM = "rule_fixes.platform"
_FILE = "rule_fixes.configuration"
_HOST = "rule_fixes.host"
_SERVICE = RuleFix((FixKind.ASK_AGAIN, FixKind.MODEL, FixKind.RETRY))
_AGAIN = RuleFix((FixKind.RETRY,))

RULE_FIXES: Mapping[str, RuleFix] = {
    # arrival
    "NOT-RUNNING": RuleFix(none=_HOST),
    "TG-409": RuleFix(none="rule_fixes.stop-the-other"),
    "TG-WEBHOOK": RuleFix(none="rule_fixes.stop-the-other"),
    "TG-STALL": RuleFix(none="rule_fixes.connects-again"),
    "DC-ZOMBIE": RuleFix(none="rule_fixes.connects-again"),
    "TOKEN": RuleFix(none=_HOST),
    "DC-OUTAGE": RuleFix(none="rule_fixes.platform-in-trouble"),
    "DC-INTENT": RuleFix(none=_PLATFORM),
    "DC-PERMS": RuleFix(none=_PLATFORM),
    "TG-PERMS": RuleFix(none=_PLATFORM),
    "TG-PRIVACY": RuleFix(none=_PLATFORM),
    "REMOVED": RuleFix(none="rule_fixes.add-the-bot"),
    "SLASH": RuleFix(none=_PLATFORM),
    "SUPERGROUP": RuleFix(none=_FILE),
    "AUTH-KIND": RuleFix(none=_FILE),
    "ANON-ADMIN": RuleFix(none="rule_fixes.as-themselves"),
    "DC-VIEW": RuleFix(none=_PLATFORM),
    "DC-CONNECT": RuleFix(none=_PLATFORM),
    "DC-ENDPOINT": RuleFix(none=_PLATFORM),
    "BOT-AUTHOR": RuleFix(none="rule_fixes.a-person"),
    "UNREADABLE": RuleFix(none="rule_fixes.another-form"),
    "BOOT-DROP": _AGAIN,
    # gates
    "GATE-USER": RuleFix((FixKind.ADMIT_PERSON,)),
    "GATE-CHANNEL": RuleFix((FixKind.ADMIT_CHANNEL,)),
    "GATE-PLUGIN": RuleFix(none="rule_fixes.plugin"),
    "PAUSED": RuleFix((FixKind.RESUME, FixKind.MODE, FixKind.RETRY)),
    "GATE-MENTION": RuleFix((FixKind.MODE,)),
    "COST-CAP": RuleFix(none="rule_fixes.cost-cap"),
    "CFG-STALE": RuleFix(none=_HOST),
    "ROUTE-WRONG": RuleFix(none=_FILE),
    "SESS-KEY": RuleFix(none=_FILE),
    # queue
    "Q-STUCK": RuleFix(none="rule_fixes.stop-the-answer"),
    "LOOP-BLOCK": RuleFix(none="rule_fixes.goes-on"),
    "TYPING": RuleFix(none="rule_fixes.goes-out"),
    "APPROVAL": RuleFix(none="rule_fixes.approval"),
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
    "ATTACH": RuleFix(none="rule_fixes.file-again"),
    "TOOL-MISSING": RuleFix(none=_FILE),
    # decision
    "MEM-DIRECTIVE": RuleFix((FixKind.FORGET, FixKind.RETRY)),
    "PROMPT-CONFLICT": RuleFix((FixKind.FORGET, FixKind.RETRY)),
    "DEC-SILENT": _AGAIN,
    "DEC-EMPTY": RuleFix((FixKind.RETRY, FixKind.MODEL)),
    "THOUGHT-ONLY": RuleFix((FixKind.RETRY, FixKind.MODEL)),
    "OWN-REFUSAL": RuleFix((FixKind.NEW, FixKind.RETRY)),
    "DENIED-CONTEXT": _AGAIN,
    "CONTRADICTION": RuleFix(none="rule_fixes.forget-one"),
    "LOST-FACT": RuleFix(none="rule_fixes.put-it-back"),
    "FRESH-CHAT": RuleFix(none="rule_fixes.undo-fresh-chat"),
    "SKIP-REFUSED": RuleFix((FixKind.RETRY, FixKind.MODEL)),
    "FALSE-SUCCESS": RuleFix(none="rule_fixes.ask-again"),
    # delivery
    "OUT-LENGTH": _AGAIN,
    "OUT-PARSE": _AGAIN,
    "OUT-SUPPRESS": _AGAIN,
    "OUT-SWALLOW": _AGAIN,
    "OUT-REFUSED": _AGAIN,
    "OUT-GONE": _AGAIN,
    "RATE-OUT": _AGAIN,
    "SLOW-MODE": RuleFix(none="rule_fixes.slow-mode"),
    "OTHER-PROCESS": RuleFix(none="rule_fixes.answered-elsewhere"),
    "DM-CLOSED": RuleFix(none="rule_fixes.open-the-chat"),
    "DUP": RuleFix(none="rule_fixes.answered-elsewhere"),
}
"""Every rule of `bot/diagnostics/rules`."""
