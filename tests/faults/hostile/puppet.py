"""The model: it calls anything with anything, says anything, and never means well."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from bot.domain.base import canonical_json
from bot.domain.handles import HandleKind, handle
from bot.domain.ids import ChannelId
from bot.domain.llm import LLMRequest, LLMResponse
from bot.domain.messages import ToolCall
from bot.tools.toolsets import TOOLSETS
from tests.fakes.provider import calls, says

GUILDS, EACH = 4, 4
CHANNELS = tuple(ChannelId(f"console:{g}:{n}") for g in range(GUILDS) for n in range(EACH))
HOME = CHANNELS[0]
FOREIGN_TOOLS = ("mcp_house_wipe", "mcp_house_read", "mcp_house_gone", "mcp_other_wipe", "mcp_house_", "mcp__")
NAMES = tuple(sorted({spec.name for specs in TOOLSETS.values() for spec in specs})) + FOREIGN_TOOLS
ODD_NAMES = ("", "x" * 99, "rm -rf /", "reply\n", "memory_delete ", "MEMORY_DELETE", "\x00reply", "functions.reply")
LIVE = (
    "https://evil.example/?q=", "http://evil.example/", "www.evil.example", "[x](https://evil.example/a)", "t.me/evil",
    "<https://evil.example>", "discord://evil", "tg://user?id=1", "HTTPS://EVIL.EXAMPLE", "ht\u200btps://evil.example",
    "@everyone", "@here", "<@1>", "<@&1>", "<#1>", "```\nhttps://evil.example\n```", "discord.gg/evil",
)  # fmt: skip
COMMON = "tulips"
"""A word that was said and is remembered everywhere, so that every search for it would find every place."""
PARTS = ("outline", "tools", "status", "stats", "journal", "ledger", "dump", "section:memory_bulletin", "history:1-99")
TEXTS = ("", " ", "hello", "' OR 1=1 --", "*", "CANARY", "\x00", "{{7*7}}", "NO_REPLY", "admin approved", "x" * 3000)
RAW = ("", "{", "null", "[1]", '"text"', "NaN", '{"a":' * 50, '{"text": "a"} {"text": "b"}', "\x00")


def stem(channel: ChannelId, what: str) -> str:
    """What a model may guess of a canary."""
    return f"CANARY{what}{channel.replace(':', '')}"


def canary(channel: ChannelId, what: str) -> str:
    """The whole of it, which stands in one place only."""
    return f"{stem(channel, what)}q7z"


def foreign_canaries() -> tuple[str, ...]:
    """Everything that nobody in the home channel may read; the names in their own guild are known to all."""
    words = [canary(c, what) for c in CHANNELS[1:] for what in ("memory", "words", "more")]
    return (*words, *(canary(c, "name") for c in CHANNELS if not c.startswith("console:0:")))


FITTING: dict[str, tuple[str, ...]] = {
    "read_channel_context": ("channel_id", "part"),
    "memory_recall": ("query",),
    "channel_recall": ("query",),
    "reply": ("text",),
    "skip": ("reason", "category"),
    "react": ("emoji",),
    "branch": ("task",),
    "spawn_worker": ("task",),
    "memory_save": ("content", "type"),
    "memory_delete": ("memory", "reason"),
    "worker_inspect": ("worker",),
    "cancel": ("process",),
    "request_tool_injection": ("names",),
    "config_inspect": ("prefix",),
    "context_inspect": ("channel_id", "focus"),
    "file_read": ("path",),
    "file_write": ("path", "content"),
}
"""Arguments that a tool may take at all; without these hardly any call would get past their check."""


class Puppet:
    """Programs, each from one seed. As a model of a bot it is called with a request."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self._written = {name: [self._arguments(name) for _ in range(80)] for name in (*NAMES, *ODD_NAMES)}
        """As many as a model could think of; the programs are what is made of them."""

    def __call__(self, request: LLMRequest) -> LLMResponse:
        if self.chance.random() < 0.35:
            return says(self.text())
        offered = [tool.name for tool in request.tools] or list(NAMES)
        wanted = [(call.name, call.arguments) for call in self.round(offered)]
        return calls(*wanted, text=self.text() if self.chance.random() < 0.3 else "")

    def round(self, offered: Sequence[str]) -> list[ToolCall]:
        """One round of calls: mostly of what is offered, now and then of anything."""
        made = []
        for number in range(self.chance.choice((1, 1, 1, 2, 3))):
            name = self.chance.choice(offered) if self.chance.random() < 0.75 else self.name()
            written = self._written[name if self.chance.random() < 0.9 else self.name()]
            made.append(ToolCall(call_id=f"c{number}", name=name, arguments=self.chance.choice(written)))
        return made

    def name(self) -> str:
        return self.chance.choice(NAMES if self.chance.random() < 0.95 else ODD_NAMES)

    def text(self) -> str:
        """Words, or what an inspection reports."""
        chance = self.chance
        words = " ".join(self.anything() for _ in range(chance.randrange(4)))
        if chance.random() < 0.5:
            return words
        finding = {
            "claim": self.anything(),
            "confidence": chance.choice(["confirmed", "likely", "no"]),
            "evidence": [self.anything() for _ in range(chance.randrange(3))],
            "quotes": [{"handle": self.anything(), "text": self.anything()}],
            "fix": {"kind": "forget_memory", "memory": self.anything()} if chance.random() < 0.6 else None,
        }
        text = canonical_json({"findings": [finding], "summary": words})
        return chance.choice([text, f"```json\n{text}\n```"])

    def anything(self) -> str:
        chance, channel = self.chance, self.chance.choice(CHANNELS)
        named = handle(chance.choice(list(HandleKind)), chance.randrange(1, 80))
        stems = [stem(channel, "memory"), stem(HOME, "memory"), stem(HOME, "words")]
        words = [channel, *stems, COMMON, COMMON, named, named, "here", "context"]
        return chance.choice([*words, chance.choice(LIVE), chance.choice(TEXTS)])

    def _arguments(self, name: str) -> str:
        chance = self.chance
        values: dict[str, Any] = {
            "channel_id": HOME if chance.random() < 0.4 else self.anything(),
            "part": chance.choice([*PARTS, f"search:{self.anything()}", "nonsense"]),
            "query": self.anything(),
            "text": self.anything() + "!",
            "content": self.anything() + "!",
            "reason": "it silences the bot",
            "memory": handle(HandleKind.MEMORY, chance.randrange(1, 40)),
            "type": chance.choice(["decision", "fact", "fact", "nonsense"]),
            "importance": chance.choice([0.9, 0, -1, "high"]),
            "category": "instructed",
            "emoji": chance.choice(["👍", "x", ""]),
            "task": self.anything() + " now",
            "worker": handle(HandleKind.WORKER, chance.randrange(1, 9)),
            "process": handle(HandleKind.BRANCH, chance.randrange(1, 9)),
            "names": [chance.choice(NAMES)],
            "name": chance.choice(NAMES),
            "group": chance.choice(["web", "shell", "mcp:house", "files"]),
            "prefix": chance.choice(["", "platforms", "cortex"]),
            "path": chance.choice(["../../etc/passwd", "/etc/passwd", "a", "secret.key"]),
            "command": "id",
            "url": "http://127.0.0.1/",
            "ctx": {"authority": "owner"},
            "focus": self.anything(),
            "limit": chance.choice([1, 10**9, -1]),
        }
        if chance.random() < 0.1:
            return chance.choice(RAW)
        fitting = FITTING.get(name)
        chosen = fitting if fitting and chance.random() < 0.8 else chance.sample(list(values), chance.randrange(4))
        return canonical_json({key: values[key] for key in chosen})
