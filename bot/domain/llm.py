"""The request a model receives, the bytes it goes out as, and what comes back."""

from __future__ import annotations

from enum import StrEnum

from pydantic import ConfigDict, Field

from bot.domain.base import (
    Digest,
    FrozenModel,
    JsonText,
    canonical_json,
    digest_chain,
    digest_text,
    kept,
    quarter_bytes,
)
from bot.domain.messages import Message, ProviderData, ToolCall
from bot.text.joined_text import BLANK_LINE


class SystemBlock(FrozenModel):
    """One named region of the system prompt."""

    name: str
    text: str

    @kept
    def digest(self) -> Digest:
        """The name of the text, not of the region."""
        return digest_text(self.text)

    @kept
    def followed(self) -> str:
        """The text with the blank line that stands between it and the next block; what it is counted as."""
        return self.text + BLANK_LINE


class ToolDefinition(FrozenModel):
    """A tool as the model sees it; `parameters` is canonical JSON Schema text, so deeply frozen."""

    name: str
    description: str
    parameters: JsonText

    @kept
    def json_text(self) -> str:
        """The canonical JSON that is stored, counted and hashed."""
        return canonical_json(self)

    @kept
    def quarter_bytes(self) -> int:
        """The estimate of its tokens by the byte."""
        return quarter_bytes(self.json_text)

    @kept
    def digest(self) -> Digest:
        """The name of the whole definition."""
        return digest_text(self.json_text)


class ToolChoice(StrEnum):
    """Whether the model may call a tool in this round; the tools stay in the request either way (cache prefix)."""

    AUTO = "auto"
    NONE = "none"


class ModelName(FrozenModel):
    """A model of a provider, written `provider/model`, e.g. `openai/gpt-5-mini`."""

    provider: str
    model: str

    def __str__(self) -> str:
        return f"{self.provider}/{self.model}"


class LLMRequest(FrozenModel):
    """Everything a model is told. Only `bot.context.assemble` constructs one."""

    model: ModelName
    system: tuple[SystemBlock, ...]
    tools: tuple[ToolDefinition, ...]
    messages: tuple[Message, ...]
    max_output_tokens: int
    tool_choice: ToolChoice = ToolChoice.AUTO

    @kept
    def system_text(self) -> str:
        """The system prompt as one string, as it is sent; kept, as a string hashes its text only once."""
        return BLANK_LINE.join(block.text for block in self.system)

    @kept
    def digest(self) -> Digest:
        """The name of the request: a hash over the names of its parts; equal names mean equal bytes."""
        return digest_chain(
            str(self.model),
            str(self.max_output_tokens),
            self.tool_choice,
            *[f"s:{block.name}:{block.digest}" for block in self.system],
            *[f"t:{tool.digest}" for tool in self.tools],
            *[f"m:{message.digest}" for message in self.messages],
        )


class WireRequest(FrozenModel):
    """The very bytes that are posted; built by a provider's pure `encode`, hashed, stored and shown as they are.

    Headers are not part of it: they carry the key. `tools` are those that the answer may call, for who reads it: what
    the request offers, and what a call would open.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_bytes="base64", val_json_bytes="base64")

    provider: str
    model: str
    path: str
    body: bytes
    sha256: str
    # whose calls the answer may hold; no part of what is posted
    tools: tuple[ToolDefinition, ...] = Field((), exclude=True, repr=False)


class FinishReason(StrEnum):
    """Why the model stopped."""

    STOP = "stop"
    TOOL_CALLS = "tool_calls"
    LENGTH = "length"
    CONTENT_FILTER = "content_filter"
    OTHER = "other"


class TokenUsage(FrozenModel):
    """Tokens as the provider counted them; None where it said nothing.

    Part of `input` are `cached`, which it read from its cache, and `written`, which it put there. `estimated`: it did
    not count `reasoning`, and that is our own estimate.
    """

    input: int | None = None
    output: int | None = None
    cached: int | None = None
    reasoning: int | None = None
    written: int | None = None
    estimated: bool = Field(False, exclude_if=lambda estimated: not estimated)


MAX_CALLS = 64
"""How many tool calls of one answer are taken; who reads an answer stops collecting there, and counts the rest."""


class LLMResponse(FrozenModel):
    """What came back. `answered_by` is the model that the provider says really answered.

    `dropped_calls` are tool calls beyond `MAX_CALLS`: they are counted, and neither kept nor run. `reasoning` is what
    the model thought: it stays in the record, no chat sees it, and no model reads it as words. `added` is what the
    service wants back with the message. `stopped_with` is its own word for why it stopped, where `finish` is another.
    `repairs` names what had to be put right before the answer could be read.
    """

    text: str
    calls: tuple[ToolCall, ...] = ()
    finish: FinishReason = FinishReason.STOP
    usage: TokenUsage = TokenUsage()
    answered_by: str = ""
    response_id: str = ""
    dropped_calls: int = Field(0, exclude_if=lambda dropped: not dropped)
    reasoning: str = Field("", exclude_if=lambda reasoning: not reasoning)
    added: ProviderData | None = Field(None, exclude_if=lambda added: added is None)
    stopped_with: str = Field("", exclude_if=lambda word: not word)
    repairs: tuple[str, ...] = Field((), exclude_if=lambda repairs: not repairs)

    def wordless(self) -> LLMResponse:
        """Return how it ended and what it cost, without a word of the model's."""
        return self.replace(text="", calls=(), reasoning="", added=None)

    def bounded(self) -> LLMResponse:
        """Return it with no more calls than are taken."""
        more = len(self.calls) - MAX_CALLS
        if more <= 0:
            return self
        return self.replace(calls=self.calls[:MAX_CALLS], dropped_calls=self.dropped_calls + more)
