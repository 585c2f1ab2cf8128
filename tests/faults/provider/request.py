"""A request to a model as its service reads it, in either language: who asks, for what, and how far that is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Any


class Who(StrEnum):
    """Which process of the bot asks."""

    CHANNEL = "channel"
    BRANCH = "branch"
    WORKER = "worker"
    INSPECTION = "inspection"
    TALK = "talk"
    COMPACTOR = "compactor"


_TELLING = (
    ("skip", Who.CHANNEL),
    ("finish", Who.WORKER),
    ("read_channel_context", Who.INSPECTION),
    ("config_inspect", Who.TALK),
)
"""Tools that only one kind of process has."""


@dataclass(frozen=True)
class Request:
    """One request. `number` counts the requests of the same process that came before it."""

    body: Mapping[str, Any]
    number: int = 0

    @cached_property
    def tools(self) -> frozenset[str]:
        return frozenset(tool.get("name") or tool["function"]["name"] for tool in self.body.get("tools") or ())

    @cached_property
    def who(self) -> Who:
        if not self.tools:
            return Who.COMPACTOR
        return next((who for tool, who in _TELLING if tool in self.tools), Who.BRANCH)

    @property
    def model(self) -> str:
        return str(self.body["model"])

    @property
    def may_call(self) -> bool:
        choice = self.body.get("tool_choice", "auto")
        return bool(self.tools) and (choice.get("type") if isinstance(choice, dict) else choice) != "none"

    @cached_property
    def asked(self) -> str:
        """The newest words that are no result of a tool."""
        return next(words for message in reversed(self.body["messages"]) if (words := _words(message)))

    @cached_property
    def done(self) -> int:
        """How many rounds of tools lie behind those words."""
        rounds = 0
        for before, message in zip([{}, *self.body["messages"]], self.body["messages"], strict=False):
            if _words(message) and not _results(message):
                rounds = 0
            rounds += _results(message) and not _results(before)
        return rounds


def _words(message: Mapping[str, Any]) -> str:
    if message["role"] != "user":
        return ""
    content = message.get("content") or ""
    if isinstance(content, str):
        return content
    return "\n".join(part["text"] for part in content if part.get("type") == "text")


def _results(message: Mapping[str, Any]) -> bool:
    content = message.get("content")
    parts = content if isinstance(content, list) else ()
    return message["role"] == "tool" or any(part.get("type") == "tool_result" for part in parts)
