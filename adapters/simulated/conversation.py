"""What the simulation can know: the body of a chat-completions request, read without trusting a single field."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import orjson

MARK = "(simulated)"
_HANDLE = r"m(?:2[a-z]{4}|[0-9a-hjkmnp-tv-z]{4})"
_LEADING = re.compile(rf"^[^\w]*+(?:\d+[:.|] )?[^\w]*+({_HANDLE}) ?\|")
_NAMED = re.compile(rf"\bmemory[: `*(]+({_HANDLE})\b", re.IGNORECASE)
_BARE = re.compile(rf"(?<!\w)(?=\w*\d)({_HANDLE})(?!\w)")
_CONTENT = re.compile(r'\| ("(?:[^"\\]|\\.)*")\s*$')
OPENS = "request_tool_injection"
"""The tool that opens others, which the prompt lists by a line each."""
_ON_DEMAND = re.compile(r"^# More tools\n(.*?)(?=^# |\Z)", re.MULTILINE | re.DOTALL)
_LISTED = re.compile(r"^- ([\w.-]+):", re.MULTILINE)
_BOT_NAME = re.compile(r"^You are ([^\s.,!]{2,40})\.?\s*$", re.MULTILINE)


@dataclass(frozen=True)
class BodyCall:
    """A tool call; `arguments` is text."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True)
class BodyMessage:
    """One message of the body."""

    role: str
    text: str
    calls: tuple[BodyCall, ...] = ()
    answers: str = ""


@dataclass(frozen=True)
class ChatPerson:
    """Somebody who speaks: a name and a numeric id, either may be empty."""

    name: str
    id: str = ""


@dataclass(frozen=True)
class PersonMessage:
    """What one person wrote; `before` is what the program put in front of it."""

    by: ChatPerson
    text: str
    before: str = ""
    at: str = ""


@dataclass(frozen=True)
class PromptNote:
    """One line of a prompt: the memory it shows (or ""), and its words, taken out of their JSON string."""

    handle: str
    text: str
    line: str


@dataclass(frozen=True)
class SimulatedConversation:
    """Everything that the body of a request tells."""

    model: str
    system: str
    entries: tuple[BodyMessage, ...]
    tools: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    may_call: bool = True

    @property
    def asked(self) -> int:
        """Where the newest message of a person stands; -1 when there is none."""
        return max((at for at, entry in enumerate(self.entries) if entry.role == "user"), default=-1)

    @property
    def trigger(self) -> PersonMessage:
        """What is to be answered."""
        return read_person(self.entries[self.asked].text) if self.asked >= 0 else PersonMessage(ChatPerson(""), "")

    @property
    def since(self) -> tuple[BodyMessage, ...]:
        """What was done since: calls and their results."""
        return self.entries[self.asked + 1 :]

    @property
    def results(self) -> tuple[tuple[BodyCall, str], ...]:
        """Every call since the trigger that has an answer, with it."""
        calls = {call.id: call for entry in self.since for call in entry.calls}
        return tuple((calls[e.answers], e.text) for e in self.since if e.role == "tool" and e.answers in calls)

    @property
    def on_demand(self) -> frozenset[str]:
        """The tools that can be opened, and are not open."""
        found = _ON_DEMAND.search(self.system)
        return frozenset(_LISTED.findall(found[1]) if found else ()) - self.tools.keys()

    @property
    def bot_name(self) -> str:
        """What the prompt calls the bot."""
        return bot_name_in(self.system)

    def offers(self, tool: str) -> bool:
        """Whether a tool may be called now."""
        return self.may_call and tool in self.tools

    def call_id(self, number: int) -> str:
        """Name a new call; unique within the body."""
        return f"sim_{sum(len(entry.calls) for entry in self.entries) + number}"


def read_body(body: bytes) -> SimulatedConversation:
    """Read a body; total, what makes no sense is left out."""
    try:
        value = orjson.loads(body)
    except ValueError:
        value = None
    table = _table(value)
    entries = tuple(_entry(_table(message)) for message in _list(table.get("messages")))
    functions = [_table(_table(tool).get("function")) for tool in _list(table.get("tools"))]
    return SimulatedConversation(
        model=_words(table.get("model")) or "simulated",
        system="\n\n".join(entry.text for entry in entries if entry.role in ("system", "developer")),
        entries=tuple(entry for entry in entries if entry.role not in ("system", "developer")),
        tools={_words(f.get("name")): _table(f.get("parameters")) for f in functions if f.get("name")},
        may_call=table.get("tool_choice") != "none",
    )


def read_person(text: str) -> PersonMessage:
    """Take a person's message apart: the first line that is a header, which the program wrote, and all that follows."""
    lines = text.split("\n")
    for at, line in enumerate(lines):
        header = as_object(line)
        if header is not None and "from" in header and "id" in header:
            by = ChatPerson(_words(header["from"]), _words(header["id"]))
            return PersonMessage(by, "\n".join(lines[at + 1 :]), "\n".join(lines[:at]), _words(header.get("at")))
    return PersonMessage(ChatPerson(""), text)


def bot_name_in(prompt: str) -> str:
    """Return the name that a prompt gives the bot, or ""."""
    found = _BOT_NAME.search(prompt)
    return found[1] if found else ""


def notes(text: str) -> Iterator[PromptNote]:
    """Read a prompt, or what a tool showed of one, line by line."""
    for line in text.splitlines():
        handle = handle_of(line)
        yield PromptNote(handle, _content(line) if handle else line, line)


def handle_of(line: str) -> str:
    """Return the memory that a line shows or names, or ""."""
    found = _LEADING.search(line) or _NAMED.search(line) or _BARE.search(line)
    return found[1] if found else ""


def as_object(text: str) -> dict[str, Any] | None:
    """Return the JSON object that a text is, or None."""
    if not text.lstrip().startswith("{"):
        return None
    try:
        value = orjson.loads(text)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def _content(line: str) -> str:
    found = _CONTENT.search(line)
    if found:
        try:
            return str(orjson.loads(found[1]))
        except ValueError:
            pass
    # without the JSON string: the last of the fields
    return line.rsplit("|", 1)[-1].strip() if _LEADING.search(line) else line


def _entry(message: Mapping[str, Any]) -> BodyMessage:
    calls = (_table(call) for call in _list(message.get("tool_calls")))
    return BodyMessage(
        role=_words(message.get("role")),
        text=_content_text(message.get("content")),
        calls=tuple(_call(call) for call in calls),
        answers=_words(message.get("tool_call_id")),
    )


def _call(call: Mapping[str, Any]) -> BodyCall:
    function = _table(call.get("function"))
    return BodyCall(_words(call.get("id")), _words(function.get("name")), _words(function.get("arguments")))


def _content_text(value: object) -> str:
    if isinstance(value, list):
        return "\n\n".join(_words(_table(part).get("text")) for part in value)
    return _words(value)


def _table(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _words(value: object) -> str:
    if isinstance(value, str):
        return value
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else ""
