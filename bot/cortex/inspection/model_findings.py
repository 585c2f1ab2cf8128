"""Read what the inspection branch wrote: a JSON object of findings, or nothing; only pydantic parses it."""

from __future__ import annotations

import re
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from bot.domain.finding import Confidence

MAX_CLAIM_CHARS = 600
MAX_CLAIMS = 5
"""How many claims of a report are looked at; the contract asks for no more, the most important first."""
_MAX_TEXT_CHARS = 200_000
_BLOCK = re.compile(r"```[^\n`]{0,40}\n(.*?)\n[ \t]*```", re.DOTALL)


def _confidence(value: object) -> object:
    return value if value in {c.value for c in Confidence} else Confidence.CANNOT_TELL.value


class _Part(BaseModel):
    """A part of what a model wrote; keys that we did not ask for are ignored."""

    model_config = ConfigDict(frozen=True, extra="ignore", hide_input_in_errors=True)


class DraftQuote(_Part):
    """Words that the model says stand in a record."""

    handle: str = Field(max_length=40)
    text: str = Field(max_length=4000)


class DraftFix(_Part):
    """The one kind of fix that a branch may point at."""

    kind: Literal["forget_memory"]
    memory: str = Field(max_length=40)


class DraftFinding(_Part):
    """One claim as the model wrote it."""

    claim: str = Field(min_length=1, max_length=4000)
    confidence: Annotated[Confidence, BeforeValidator(_confidence)] = Confidence.CANNOT_TELL
    evidence: tuple[Annotated[str, Field(max_length=40)], ...] = Field((), max_length=20)
    quotes: tuple[DraftQuote, ...] = Field((), max_length=20)
    fix: DraftFix | None = None

    @property
    def handles(self) -> tuple[str, ...]:
        """Every record that the claim names, each once."""
        fix = (self.fix.memory,) if self.fix else ()
        return tuple(dict.fromkeys((*self.evidence, *(quote.handle for quote in self.quotes), *fix)))


class DraftReport(_Part):
    """Everything that the model wrote; `beyond` counts the claims that were too many."""

    findings: tuple[DraftFinding, ...] = Field(max_length=MAX_CLAIMS)
    summary: str = Field("", max_length=4000)
    beyond: int = 0

    @model_validator(mode="before")
    @classmethod
    def _first_ones(cls, values: object) -> object:
        """Take the first claims of too many, and count the others."""
        found = values.get("findings") if isinstance(values, dict) else None
        if not isinstance(values, dict) or not isinstance(found, list):
            return values
        return {**values, "findings": found[:MAX_CLAIMS], "beyond": max(0, len(found) - MAX_CLAIMS)}

    @property
    def handles(self) -> tuple[str, ...]:
        """Every record that is named, each once."""
        return tuple(dict.fromkeys(name for finding in self.findings for name in finding.handles))


def read_draft(text: str) -> DraftReport | None:
    """Return the findings in a model's answer, bare or in one fenced block; None when it is anything else."""
    if len(text) > _MAX_TEXT_CHARS:
        return None
    blocks = [text.strip(), *(found[1].strip() for found in _BLOCK.finditer(text))]
    start, end = text.find("{"), text.rfind("}")
    if 0 <= start < end:
        blocks.append(text[start : end + 1])
    for block in blocks:
        try:
            return DraftReport.model_validate_json(block)
        except ValidationError:
            continue
    return None
