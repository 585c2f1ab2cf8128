"""The script language: what a person may write to make the simulation do something. One command a line.

say hello           words for the answer ("say nothing": none)
echo nothing        the same, whatever the words are
remember: ...       save a memory; "remember as decision with importance 0.9: ..." says which and how much
recall tea          look into what is remembered; "search tea" into older messages
react 👍            put a reaction under the message
reply: ...          send a message at once
skip: too late      end without an answer
branch: ...         let a branch follow the rest as its own script, like "branch: say 42"
worker: ...         let a worker do so, like "worker: call file_list"; "branch: worker: say 42" does both
cancel w27d4        stop one of them
call tool {"a": 1}  call any tool with any arguments
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from adapters.simulated.instructions import mentions_an_order

_ADDRESS = re.compile(r"^(?:<@!?\d+>|@[^\s,:]+)[\s,:]*")
_COMMAND = re.compile(
    # "branch office", "cancel the party" are sentences: a colon or a name tells what is meant
    r"^(say|echo|remember|recall|search|react|reply|skip|(?:branch|worker)(?=[ \t]*:)"
    r"|cancel(?=[ \t:]+[bw]\w{4,5}$)|call)"
    r"\b[ \t]*:?[ \t]*(.*)$",
    re.IGNORECASE,
)
_AS = re.compile(r"^as (?:an? )?([a-z]+)\b[ ,]*", re.IGNORECASE)
_IMPORTANCE = re.compile(r"^(?:with |of )?importance:? ?(1(?:\.0+)?|0?\.\d+|0)\b[ ,]*", re.IGNORECASE)
_TYPES = {"identity", "goal", "human", "decision", "todo", "preference", "fact", "event", "observation"}
_GUESSES = (
    ("decision", re.compile(r"\b(?:we|it was|i) (?:decided|agreed)|\bfrom now on\b|\balways\b|\bnever\b", re.I)),
    ("preference", re.compile(r"\b(?:likes?|loves?|hates?|prefers?|favou?rite)\b", re.I)),
    ("todo", re.compile(r"\b(?:todo|remind|has to|have to|must)\b", re.I)),
    ("goal", re.compile(r"\b(?:goal|wants to|plans? to)\b", re.I)),
)


@dataclass(frozen=True)
class ScriptStep:
    """One command: a tool with its arguments, or (without a tool) words to say."""

    tool: str = ""
    arguments: dict[str, Any] | str = ""
    words: str = ""


def read_script(text: str, bot_name: str = "") -> tuple[ScriptStep, ...]:
    """Return the commands of a text; empty when any line of it is something else."""
    text = without_address(text, bot_name)
    steps: list[ScriptStep] = []
    for line in filter(None, map(str.strip, text.split("\n"))):
        found = _COMMAND.match(line)
        if found is None or not _is_meant(found[1].lower(), found[2].strip()):
            return ()
        steps.append(_step(found[1].lower(), found[2].strip()))
    return tuple(steps)


def without_address(text: str, bot_name: str) -> str:
    """Return a text without the name that only says whom it is for."""
    text = _ADDRESS.sub("", text.strip())
    return re.sub(rf"^@?{re.escape(bot_name)}\b[\s,:]+", "", text, flags=re.IGNORECASE) if bot_name else text


def _is_meant(command: str, rest: str) -> bool:
    """Tell a command from a sentence that begins like one: "call me later", "remember me?"."""
    if command in ("say", "echo", "react", "skip"):
        return True
    if command == "call":
        arguments = rest.partition(" ")[2].strip()
        return bool(rest) and not arguments[:1].isalpha()
    return bool(rest) and not rest.endswith("?")


_TOOLS: dict[str, tuple[str, str]] = {
    "recall": ("memory_recall", "query"),
    "search": ("channel_recall", "query"),
    "reply": ("reply", "text"),
    "branch": ("branch", "task"),
    "worker": ("spawn_worker", "task"),
    "cancel": ("cancel", "id"),
}
"""The tool of a command, and the argument that is the rest of its line."""


def _step(command: str, rest: str) -> ScriptStep:
    if command in _TOOLS:
        tool, argument = _TOOLS[command]
        return ScriptStep(tool, {argument: rest})
    match command:
        case "say" | "echo":
            return ScriptStep(words="" if rest.lower().rstrip(".") == "nothing" and command == "say" else rest)
        case "remember":
            return ScriptStep("memory_save", _memory(rest))
        case "react":
            return ScriptStep("react", {"emoji": rest or "👍"})
        case "skip":
            return ScriptStep("skip", {"reason": rest or "a script said so", "category": "declined"})
        case _:
            tool, _, arguments = rest.partition(" ")
            return ScriptStep(tool or "nothing", arguments.strip() or "{}")


def _memory(rest: str) -> dict[str, Any]:
    wanted: dict[str, Any] = {}
    kind = _AS.match(rest)
    if kind and kind[1].lower() in _TYPES:
        wanted["type"], rest = kind[1].lower(), rest[kind.end() :]
    importance = _IMPORTANCE.match(rest)
    if importance:
        wanted["importance"], rest = float(importance[1]), rest[importance.end() :]
    content = re.sub(r"^(?:[:,\s]|that\b)+", "", rest, flags=re.IGNORECASE)
    return {"content": content, "type": wanted.pop("type", None) or _guess(content), **wanted}


def _guess(content: str) -> str:
    if mentions_an_order(content):
        return "decision"
    return next((name for name, sign in _GUESSES if sign.search(content)), "fact")
