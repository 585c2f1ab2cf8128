"""How a service wants its requests, where that is not how everybody does: a value, and what was learnt of it."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import NamedTuple, Self

from bot.domain.base import FrozenModel, kept


class DialectTrait(StrEnum):
    """One thing that a service wants otherwise. `no_schema:KEYWORD` is written for each keyword that is left out."""

    MAX_TOKENS = "max_tokens"
    NO_STREAM_OPTIONS = "no_stream_options"
    NO_NULL = "no_null"
    ALTERNATE = "alternate"
    NO_USER_AFTER_TOOL = "no_user_after_tool"
    NINE_IDS = "nine_ids"
    NO_TOOL_CHOICE = "no_tool_choice"
    NO_TOOLS = "no_tools"
    TEXT_TOOLS = "text_tools"
    SINGLE_CALLS = "single_calls"
    SYSTEM_AS_USER = "system_as_user"
    DEVELOPER = "developer"
    REASONING_BESIDE_CALLS = "reasoning_beside_calls"
    SIGNATURES = "signatures"


NO_SCHEMA = "no_schema:"
_MEANINGS = {
    DialectTrait.MAX_TOKENS: "the limit is called max_tokens",
    DialectTrait.NO_STREAM_OPTIONS: "stream_options is left out",
    DialectTrait.NO_NULL: 'content is "" beside calls, not null',
    DialectTrait.ALTERNATE: "messages of one side are joined",
    DialectTrait.NO_USER_AFTER_TOOL: "no user right after a tool",
    DialectTrait.NINE_IDS: "call ids have nine characters",
    DialectTrait.NO_TOOL_CHOICE: "tool_choice is left out",
    DialectTrait.NO_TOOLS: "it runs without tools",
    DialectTrait.TEXT_TOOLS: "tools are told in words, and called in words",
    DialectTrait.SINGLE_CALLS: "one call a message",
    DialectTrait.SYSTEM_AS_USER: "the system prompt is a user message",
    DialectTrait.DEVELOPER: "the system role is called developer",
    DialectTrait.REASONING_BESIDE_CALLS: "reasoning_content stands beside calls",
    DialectTrait.SIGNATURES: "calls carry a thought signature",
}


def meaning(trait: str) -> str:
    """Say in a few words what a trait does to a request."""
    if trait.startswith(NO_SCHEMA):
        return f"tools come without {trait.removeprefix(NO_SCHEMA)}"
    return _MEANINGS.get(DialectTrait(trait), trait) if is_trait(trait) else trait


def is_trait(name: str) -> bool:
    """Whether there is such a trait."""
    return name in _NAMES or (name.startswith(NO_SCHEMA) and len(name) > len(NO_SCHEMA) and " " not in name)


_NAMES = frozenset(DialectTrait)


class Dialect(FrozenModel):
    """A pure transformation of requests, named by its traits: equal names write equal requests alike."""

    traits: tuple[str, ...] = ()

    @classmethod
    def of(cls, traits: Iterable[str]) -> Self:
        """Return the dialect with these traits, in whatever order they are named."""
        return cls(traits=tuple(sorted(set(traits))))

    @classmethod
    def of_encoder(cls, encoder: str) -> Self:
        """Return the dialect that is named behind an encoder, as a request's record has it."""
        return cls.of(encoder.split(" ")[1:])

    def signed(self, encoder: str) -> str:
        """Name who writes so: the encoder, and the dialect behind it."""
        return " ".join((encoder, *self.traits))

    def having(self, traits: Iterable[str]) -> Dialect:
        """Return it with further traits."""
        more = [trait for trait in traits if trait not in self.traits]
        return Dialect.of((*self.traits, *more)) if more else self

    @kept
    def schema_keywords(self) -> frozenset[str]:
        """The keywords that no schema of a tool may have."""
        return frozenset(trait.removeprefix(NO_SCHEMA) for trait in self.traits if trait.startswith(NO_SCHEMA))

    @kept
    def text(self) -> str:
        """The names of its traits."""
        return " ".join(self.traits)

    @property
    def takes_tools(self) -> bool:
        """Whether tools may be offered in the protocol's own form."""
        return DialectTrait.NO_TOOLS not in self.traits and not self.writes_tools

    @property
    def writes_tools(self) -> bool:
        """Whether the system prompt tells of the tools, and the model writes its calls as text."""
        return DialectTrait.TEXT_TOOLS in self.traits and DialectTrait.NO_TOOLS not in self.traits

    def offers(self, *, forbidding: bool) -> bool:
        """Whether a request offers its tools; `forbidding`: it is to say that none may be called now."""
        return self.takes_tools and not (forbidding and DialectTrait.NO_TOOL_CHOICE in self.traits)


PLAIN = Dialect()


class PlainDialects:
    """Implements `bot.ports.model.DialectBook` for a service that takes everything."""

    learns = False

    def of(self, model: str) -> Dialect:
        return PLAIN

    def lesson(self, dialect: Dialect, error: Exception) -> None:
        return


class TaughtTrait(NamedTuple):
    """What a refusal teaches, and in which of its words."""

    trait: str
    words: str


class DialectLesson(FrozenModel):
    """What was learnt of a model (`provider/model`) from the `words` of a refusal, and when (UTC ms)."""

    model: str
    trait: str
    words: str
    at: int
