"""Models that decide by a rule, with errors at a given rate: what a proof is measured on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from bot.mind.proof.proof_run import ProofRun
from bot.mind.proof.proof_values import ProofPart, ProofTask, ProofVerdict, ReplayQuestion

DID, DID_NOT = "skipped", "replied"
Cause = tuple[tuple[str, ...], ...]
"""Sets of parts: all of one set are needed, any of the sets is enough; () never, ((),) always."""


def flat(many: int) -> tuple[ProofPart, ...]:
    """Sections of ten parts each."""
    names = [f"p{number}" for number in range(many)]
    return tuple(
        ProofPart(id=f"s{at}", tokens=200, parts=tuple(ProofPart(id=name, tokens=20) for name in names[at : at + 10]))
        for at in range(0, many, 10)
    )


def leaves_of(parts: tuple[ProofPart, ...]) -> dict[str, set[str]]:
    """The smallest parts in each part."""
    found: dict[str, set[str]] = {}
    for part in parts:
        below = leaves_of(part.parts)
        found |= below
        found[part.id] = set().union(*(below[child.id] for child in part.parts)) if part.parts else {part.id}
    return found


@dataclass
class SimulatedDecider:
    """Decides `DID` at the high rate where the cause stands in the request, and at the low rate elsewhere."""

    parts: tuple[ProofPart, ...]
    cause: Cause
    high: float
    low: float
    random: Random
    leaves: dict[str, set[str]] = field(init=False)

    def __post_init__(self) -> None:
        self.leaves = leaves_of(self.parts)

    def left(self, question: ReplayQuestion) -> set[str]:
        """The smallest parts that are left out."""
        return set().union(*(self.leaves[name] for name in question.left_out))

    def decide(self, question: ReplayQuestion) -> str:
        left_out = self.left(question)
        there = any(not left_out & set(way) for way in self.cause)
        return DID if self.random.random() < (self.high if there else self.low) else DID_NOT


class ShiftedDecider(SimulatedDecider):
    """No part decides, each adds to the odds: from the low rate with nothing to the high one with everything."""

    def decide(self, question: ReplayQuestion) -> str:
        kept = 1 - len(self.left(question)) / len(self.leaves_below())
        return DID if self.random.random() < self.low + (self.high - self.low) * kept else DID_NOT

    def leaves_below(self) -> set[str]:
        return set().union(*self.leaves.values())


def prove(task: ProofTask, decide: Callable[[ReplayQuestion], str]) -> ProofVerdict:
    run = ProofRun(task)
    while not isinstance(run.step, ProofVerdict):
        run.observe(decide(run.step))
    return run.step


KINDS = ("one", "both", "either")


@dataclass(frozen=True)
class PlantedCase:
    """One proof with a known answer. `hint`: the suspects are `right`, `wrong`, or there are none.

    Beside `KINDS`, `kind` may be `three` (all needed), `nothing` (the context is not why), `shifted`, `coin`
    (fifty-fifty, whatever is sent), `unsteady` (the same with seven in ten).
    """

    kind: str
    many: int
    high: float
    hint: str
    seed: int

    def play(self) -> tuple[bool, ProofVerdict]:
        """Say whether the verdict is exactly what was planted, and what it was."""
        random = Random(f"{self.kind} {self.many} {self.high} {self.hint} {self.seed}")
        parts = flat(self.many)
        first, second, third, *others = random.sample([f"p{number}" for number in range(self.many)], 8)
        cause = self.cause(first, second, third)
        right = (first, second) if len({*sum(cause, ())}) > 1 else (first,)
        suspects = {"right": (*right, *others[:3]), "wrong": tuple(others), "none": ()}[self.hint]
        task = ProofTask(parts=parts, decision=DID, suspects=suspects, seed=self.seed)
        high, low = {"coin": (0.5, 0.5), "unsteady": (0.7, 0.7)}.get(self.kind, (self.high, 1 - self.high))
        decider = (ShiftedDecider if self.kind == "shifted" else SimulatedDecider)(parts, cause, high, low, random)
        verdict = prove(task, decider.decide)
        if self.kind == "nothing":
            return verdict.reason == "not_in_context", verdict
        found = {frozenset(way) for way in verdict.causes}
        return verdict.word == "proven" and found == {frozenset(way) for way in cause}, verdict

    def cause(self, first: str, second: str, third: str) -> Cause:
        return {
            "one": ((first,),),
            "both": ((first, second),),
            "either": ((first,), (second,)),
            "three": ((first, second, third),),
            "nothing": ((),),
        }.get(self.kind, ())
