"""List what can be tried next where nothing decides a question: what is free first, then what costs, with its price."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum
from typing import NamedTuple

from bot.context.usage_figures import short_number, usd
from bot.cortex.inspection.verify_findings import VerifiedFindings
from bot.domain.finding import Confidence, Diagnosis, Finding
from bot.domain.handles import HandleKind, parse_handle
from bot.prompts import render
from bot.sentences import say
from bot.text.text import quote_line

EXPECTED_ANSWER_TOKENS = 2_000
"""Tokens that an inspection writes, over all of its rounds."""
_MAX_STEPS = 5
_MAX_SETTLE_CHARS = 120

PriceOfTokens = Callable[[int], float | None]
"""Say in US dollars what an inspection that reads so many tokens costs at most; None where no price is set."""


class StepKind(StrEnum):
    """What can be tried; `SETTLE` is what a rule says would decide it."""

    SETTLE = "settle"
    READ = "read"
    DIFF = "diff"
    ANSWER = "answer"
    GAP = "gap"
    DOCTOR = "doctor"
    PROVE = "prove"
    ASK = "ask"
    AGAIN = "again"


class SuggestedStep(NamedTuple):
    """One step. `on` is the request that it looks at; `tokens` what it reads at most (0: no model is asked)."""

    kind: StepKind
    on: str = "last"
    words: str = ""
    tokens: int = 0


def after_rules(diagnosis: Diagnosis, tokens: int) -> tuple[SuggestedStep, ...]:
    """List the steps after the rules' answer; none where it decides the question."""
    winner = diagnosis.findings[0] if diagnosis.findings else None
    if winner is None or winner.confidence is not Confidence.CANNOT_TELL:
        return ()
    return tuple(_steps(winner, StepKind.ASK, tokens))


def after_inspection(verified: VerifiedFindings | None, tokens: int) -> tuple[SuggestedStep, ...]:
    """List the steps after a branch's report; none where something of it held and decides the question."""
    found = verified.findings[0] if verified is not None and verified.findings else None
    is_open = found.confidence is Confidence.CANNOT_TELL if found else verified is None or bool(verified.dropped)
    return tuple(_steps(found, StepKind.AGAIN, tokens)) if is_open else ()


def steps_text(steps: Sequence[SuggestedStep], price: PriceOfTokens) -> str:
    """Write the steps with what each costs; empty where there is none."""
    if not steps:
        return ""
    told = [{"kind": step.kind.value, "on": step.on, "words": step.words, "cost": _cost(step, price)} for step in steps]
    return render("cortex/next_steps", steps=told)


def _steps(finding: Finding | None, asking: StepKind, tokens: int) -> Iterator[SuggestedStep]:
    """Rank: what a rule names as decisive, then what is free, from the nearest to the question on, then a model."""
    free: list[SuggestedStep] = []
    if finding is not None and finding.settle:
        free.append(SuggestedStep(StepKind.SETTLE, words=quote_line(finding.settle, _MAX_SETTLE_CHARS)))
    named = (reference.handle for reference in (finding.evidence if finding else ()))
    on = next((name for name in named if (at := parse_handle(name)) and at.kind is HandleKind.REQUEST), "last")
    free += [SuggestedStep(StepKind.READ, on), SuggestedStep(StepKind.DIFF), SuggestedStep(StepKind.ANSWER, on)]
    free += [SuggestedStep(StepKind.GAP), SuggestedStep(StepKind.DOCTOR)]
    # only a request that is on record can be asked again, and a proof says its own price
    proves = (SuggestedStep(StepKind.PROVE, on),) if on != "last" else ()
    yield from free[: _MAX_STEPS - 1 - len(proves)]
    yield from proves
    yield SuggestedStep(asking, tokens=tokens)


def _cost(step: SuggestedStep, price: PriceOfTokens) -> str:
    if step.kind is StepKind.PROVE:
        return say("inspection.price-first")
    if not step.tokens:
        return ""
    dollars = price(step.tokens)
    if dollars is None:
        return say("inspection.price", tokens=short_number(step.tokens))
    return say("inspection.up-to", dollars=usd(dollars))
