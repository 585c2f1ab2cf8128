"""Put a proof into words: the offer, each step in one sentence, and the verdict with its rates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import chain

from bot.context.transcript import parse_header
from bot.context.usage_figures import usd
from bot.cortex.proving.proof_plan import ProofPlan
from bot.domain.handles import HandleKind, handle
from bot.mind.proof.proof_values import (
    ProofReason,
    ProofStep,
    ProofVerdict,
    ReplayQuestion,
    StepReport,
)
from bot.prompts import render
from bot.replay.replayed_decision import ReplayedDecision
from bot.replay.request_parts import PartKind, ReplayPart
from bot.sentences import say
from bot.text.figures import duration
from bot.text.redaction import Redactor
from bot.text.text import one_line_name, quote_line

COLUMNS = 38
_MAX_NAMED = 2
_MAX_STEPS = 6
_STANDING = frozenset({PartKind.SECTION, PartKind.LINE, PartKind.SENTENCE, PartKind.TOOLS})
"""Parts that stand in every request."""


@dataclass(frozen=True)
class ProofWords:
    """Writes about one proof. `shown` is all that its reader may see of the request: nothing else is ever quoted."""

    plan: ProofPlan
    channel: str
    redactor: Redactor
    shown: str

    @property
    def did(self) -> str:
        """What it did, as a sentence goes on behind "it"."""
        return decision_words(self.plan.decision, self.plan.fix.words, self.redactor)

    def offer(self, price: float | None) -> tuple[str, ...]:
        """Say of what, and what it costs: the lines below the question."""
        fix, replay = self.plan.fix, self.plan.replay
        attempts = replay.stored.attempts
        seconds = attempts[-1].duration_ms / 1000 * fix.runs if attempts else 0.0
        text = render(
            "cortex/proof_offer",
            channel=self.channel,
            did=self.did,
            suspect=self._named(self.plan.suspect),
            quote=self._quote(self.plan.suspect),
            runs=fix.runs,
            cost=usd(price) if price is not None else "",
            time=duration(max(1.0, round(seconds))),
            model=one_line_name(str(replay.model), 60),
            notes=replay.notes,
            request=handle(HandleKind.REQUEST, replay.stored.id),
        )
        return tuple(text.split("\n"))

    def progress(self, reports: Sequence[StepReport], question: ReplayQuestion | None, runs: int) -> str:
        """Say how far it is: a sentence for each step, and what is asked now; None: nothing any more."""
        return render(
            "cortex/proof_progress",
            channel=self.channel,
            did=self.did,
            steps=self.steps(reports),
            step=question.step.value if question else "",
            run=runs + 1,
            most=self.plan.fix.runs,
        )

    def steps(self, reports: Sequence[StepReport]) -> list[str]:
        """Say each step in one sentence; of many the last ones."""
        return [self._step(one) for one in reports][-_MAX_STEPS:]

    def verdict(self, verdict: ProofVerdict, cost: float | None, turn: int) -> str:
        """Say what is proven, with the rates by which."""
        smallest = self.plan.replay.parts.smallest
        causes, needs = self._split([[smallest(name) for name in cause] for cause in verdict.causes])
        parts = [part for name in dict.fromkeys(chain.from_iterable(causes)) if (part := self.plan.part(name))]
        checks = [one for one in verdict.checks if one.runs]
        sent = next((one for one in checks if one.step is ProofStep.AS_SENT), None)
        sent = sent or next((one for one in verdict.steps if one.step is ProofStep.AS_SENT), None)
        shown = checks or [one for one in verdict.steps if one.step is not ProofStep.SEARCH]
        return render(
            "cortex/proof_verdict",
            word=verdict.word.value,
            reason=verdict.reason.value,
            channel=self.channel,
            did=self.did,
            causes=[self.names(cause) for cause in causes[:_MAX_NAMED]],
            needs=self.names(needs),
            quotes=[quote for part in parts[:_MAX_NAMED] if (quote := self._quote(part))],
            as_sent=sent,
            without=[one for one in shown if one.step is ProofStep.WITHOUT],
            alone=[one for one in shown if one.step is ProofStep.ALONE],
            removed=next((one for one in shown if one.step is ProofStep.ALL_REMOVED), None),
            each=self.names,
            sufficient=verdict.sufficient,
            together=any(len(cause) > 1 for cause in verdict.causes),
            fragile=verdict.fragile,
            suspect=self._named(self.plan.suspect) if verdict.suspect_holds is False else "",
            runs=verdict.runs,
            cost=usd(cost) if cost is not None else "",
            turn=handle(HandleKind.TURN, turn),
            searches=verdict.reason in {ProofReason.CANCELLED, ProofReason.OUT_OF_RUNS, ProofReason.NOT_CONFIRMED},
        )

    def _split(self, causes: Sequence[Sequence[str]]) -> tuple[list[Sequence[str]], Sequence[str]]:
        """Tell what somebody said from lines of sections that it only works together with, such as the bot's name.

        Where all of a cause are such lines, they are the cause.
        """
        if len(causes) != 1:
            return [*causes], ()
        standing = [name for name in causes[0] if (part := self.plan.part(name)) and part.kind in _STANDING]
        said = [name for name in causes[0] if name not in standing]
        return ([said], standing) if said else ([causes[0]], ())

    def names(self, names: Sequence[str]) -> str:
        """Name some parts, as many as a line takes."""
        smallest = self.plan.replay.parts.smallest
        told = [self._named(part) for name in names[:_MAX_NAMED] if (part := self.plan.part(smallest(name)))]
        parts = reduce(lambda one, other: say("proofs.both", one=one, other=other), told) if told else ""
        return say("proofs.named", parts=parts, more=max(0, len(names) - _MAX_NAMED))

    def _step(self, report: StepReport) -> str:
        named = report.parts if report.step is not ProofStep.ALL_REMOVED else ()
        return render(
            "cortex/proof_step",
            step=report.step.value,
            parts=self.names(named),
            hits=report.hits,
            runs=report.runs,
            holds=report.holds,
        )

    @staticmethod
    def _named(part: ReplayPart | None) -> str:
        return part_words(part) if part is not None else ""

    def _quote(self, part: ReplayPart | None) -> str:
        """Quote a part that has words of its own, as far as the reader may see them."""
        if part is None or part.kind in {PartKind.HISTORY, PartKind.TOOLS, PartKind.SECTION}:
            return ""
        headed = parse_header(part.text) if part.by else None
        said = headed.text if headed is not None else part.text
        line = next((one for one in said.split("\n") if one.strip()), "")
        words = self.redactor.redact(line).text
        if words.strip() not in self.shown:
            return ""
        remembered = words.partition(' | "')[2].rstrip('"') if part.kind is PartKind.MEMORY else ""
        return quote_line(remembered.rpartition(' | "')[2] or remembered or words, COLUMNS - 4)


def decision_words(decision: ReplayedDecision, words: str, redactor: Redactor) -> str:
    """Say what a model decided, as a sentence goes on behind "it"; `words` are those in question."""
    told = quote_line(redactor.redact(words).text, 24)
    return render("cortex/proof_did", kind=decision.kind.value, tool=one_line_name(decision.detail, 24), words=told)


def part_words(part: ReplayPart) -> str:
    """Name a part."""
    name = quote_line(part.name, 32)
    by = one_line_name(part.by, 16) if part.by and part.handle else ""
    return render("cortex/proof_part", kind=part.kind.value, name=name, by=by, number=part.number, handle=part.handle)
