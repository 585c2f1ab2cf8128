"""The causes of a silence or of a wrong answer, by number, and the rules that tell them."""

from __future__ import annotations

from dataclasses import dataclass

CONSOLE, TELEGRAM, DISCORD = "console", "telegram", "discord"
PLATFORMS = (CONSOLE, TELEGRAM, DISCORD)


@dataclass(frozen=True)
class Cause:
    """A cause by its number. `elsewhere` says of the platforms on which it is not played why not."""

    number: int
    rules: tuple[str, ...]
    words: str
    elsewhere: str = ""


_ONLY_DISCORD, _ONLY_TELEGRAM = "only Discord has it", "only Telegram has it"
_NO_TERMINAL = "a terminal has no such thing"

CAUSES = (
    Cause(1, ("DC-INTENT",), "the message content intent is off", _ONLY_DISCORD),
    Cause(2, ("GATE-MENTION",), "nobody addressed the bot"),
    Cause(3, ("GATE-USER",), "the sender is not allowed"),
    Cause(4, ("LLM-AUTH",), "the model's service refuses or fails"),
    Cause(5, ("TG-PRIVACY",), "group privacy withholds talk", _ONLY_TELEGRAM),
    Cause(6, ("GATE-CHANNEL",), "the channel or server is not allowed"),
    Cause(7, ("CTX-OVERFLOW",), "the request does not fit the model's window"),
    Cause(8, ("CTX-ORPHAN",), "a tool call without its result"),
    Cause(9, ("Q-STUCK",), "the queue stands still behind something that hangs"),
    Cause(10, ("TG-409",), "two programs poll with one token", "Discord gives both everything: see 55"),
    Cause(11, ("TG-STALL",), "polling is dead", _ONLY_TELEGRAM),
    Cause(12, ("DC-ZOMBIE",), "the gateway is deaf", _ONLY_DISCORD),
    Cause(13, ("DEC-SILENT",), "the model chose silence"),
    Cause(14, ("DEC-EMPTY",), "the answer was empty"),
    Cause(15, ("DC-PERMS", "TG-PERMS", "REMOVED"), "the bot lacks a right there, or is not there", _NO_TERMINAL),
    Cause(16, ("OUT-LENGTH",), "the answer is too long for the platform", _NO_TERMINAL),
    Cause(17, ("OUT-PARSE",), "the platform refuses the marks", _ONLY_TELEGRAM),
    Cause(18, ("OUT-SWALLOW", "OUT-REFUSED"), "an answer or an error was not shown"),
    Cause(19, ("OUT-SUPPRESS",), "words were held back"),
    Cause(20, ("ROUTE-WRONG",), "the answer went elsewhere"),
    Cause(21, ("SESS-KEY",), "it begins without history, in a thread of its own", _ONLY_DISCORD),
    Cause(22, ("MEM-DIRECTIVE",), "a memory orders silence"),
    Cause(23, ("CFG-STALE",), "the configuration was edited and not read"),
    Cause(24, ("AUTH-KIND",), "a list holds the wrong kind of id"),
    Cause(25, ("RATE-OUT",), "the platform asks to send more slowly", _NO_TERMINAL),
    Cause(26, ("MODEL-TOOLS",), "the model takes no tools"),
    Cause(27, ("CTX-WINDOW",), "nobody knows the window, or it is smaller"),
    Cause(28, ("IMG-POISON",), "a picture is refused", _NO_TERMINAL),
    Cause(29, ("DUP",), "the answer was sent twice"),
    Cause(30, ("SLASH",), "slash commands are missing, old or late", _ONLY_DISCORD),
    Cause(31, ("TG-WEBHOOK",), "somebody set a webhook", _ONLY_TELEGRAM),
    Cause(32, ("TOKEN",), "the token is refused, or another bot's", _NO_TERMINAL),
    Cause(33, ("NET",), "a service cannot be reached"),
    Cause(34, ("PAUSED",), "paused, observing, or too many messages"),
    Cause(35, ("TOOL-MISSING",), "a tool was not there"),
    Cause(36, ("BOT-AUTHOR",), "not written by a person"),
    Cause(37, ("BOOT-DROP",), "written while the bot was down", _ONLY_TELEGRAM),
    Cause(38, ("SUPERGROUP",), "the group has a new id", _ONLY_TELEGRAM),
    Cause(39, ("TYPING",), "the typing mark stays"),
    Cause(40, ("PROMPT-CONFLICT",), "the prompt contradicts or repeats itself"),
    Cause(41, ("COST-CAP",), "the day's money is spent"),
    Cause(42, ("LOOP-BLOCK",), "everything stood still"),
    Cause(43, ("APPROVAL",), "it waits for an approval"),
    Cause(44, ("NOT-RUNNING",), "the bot does not run, or was restarted"),
    Cause(45, ("DM-CLOSED",), "the private chat is closed to the bot", _NO_TERMINAL),
    Cause(46, ("ATTACH",), "a file was not read", _NO_TERMINAL),
    Cause(47, ("FALSE-SUCCESS",), "it claims what it did not do"),
    Cause(48, ("DENIED-CONTEXT",), "it denies what it was told"),
    Cause(49, ("LOST-FACT",), "what was said once is told no more"),
    Cause(50, ("CONTRADICTION",), "it was told two things that exclude each other"),
    Cause(51, ("OWN-REFUSAL",), "it repeats its own refusal"),
    Cause(52, ("SKIP-REFUSED",), "it wanted to keep silent and was not let"),
    Cause(53, ("OUT-GONE",), "somebody removed the answer", "no other platform tells a bot"),
    Cause(54, ("UNREADABLE",), "a message could not be read", _NO_TERMINAL),
    Cause(55, ("OTHER-PROCESS",), "a second process answered", "Telegram shows no bot its own messages: see 10"),
    Cause(56, ("DC-VIEW",), "the right to view is missing", _ONLY_DISCORD),
    Cause(57, ("DC-CONNECT",), "the right to connect is missing", _ONLY_DISCORD),
    Cause(58, ("DC-ENDPOINT",), "an endpoint URL gets the commands", _ONLY_DISCORD),
    Cause(59, ("DC-OUTAGE",), "the server has an outage", _ONLY_DISCORD),
    Cause(60, ("SLOW-MODE",), "slow mode holds the bot back", "on Discord it does not hold for bots"),
    Cause(61, ("ANON-ADMIN",), "an anonymous admin wrote it", _ONLY_TELEGRAM),
    Cause(62, ("FRESH-CHAT",), "somebody had the conversation begin anew"),
    Cause(63, ("BREAKER",), "the model is left alone since other work failed"),
    Cause(64, ("FLAG-OVERHEARD", "FLAGGED"), "the service's filter was tripped"),
    Cause(65, ("THOUGHT-ONLY",), "it thought and said nothing"),
    Cause(66, ("SERVICE-LIMIT",), "the service takes less than was sent"),
    Cause(67, ("GATE-PLUGIN",), "a plugin's gate stopped it"),
)
"""A rule of a new cause gets a line here; forgetting it fails a test."""
CAUSE_OF = {rule: cause for cause in CAUSES for rule in cause.rules}
