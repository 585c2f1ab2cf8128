"""What goes into a proof, what it asks, and what comes out of it; each goes through JSON and back unchanged."""

from __future__ import annotations

from enum import StrEnum

from pydantic import Field

from bot.domain.base import FrozenModel


class ProofPart(FrozenModel):
    """A part of a request that can be left out: a section, an entry of it, a line of that, a sentence.

    `tokens` is what it costs with everything in it. A part that is not `removable` stays, and what stands in it may go.
    """

    id: str
    tokens: int = 0
    removable: bool = True
    role: str = ""
    parts: tuple[ProofPart, ...] = ()


class ProofRates(FrozenModel):
    """How sure each step has to be.

    A test decides between "happens in `high` of the runs" and "in `low`". `odds` are the likelihood ratio at which it
    does (Wald): it errs in at most one of `odds` + 1; `odds_to_stop` are those at which a proof ends early, which no
    later run would mend, and `odds_proven` those of each check that could have let through a part too many or too few:
    leaving out each of what is needed together, or what is enough alone. `belief` is how probable a set has to be
    before fresh runs are spent on it, `first_belief` the same for the first that is searched for (fresh runs that fail
    tell as much as others), `suspected_belief` where there are suspects, and `sure` how probable against every other
    set after them. `significance` is what the exact test has to reach, `evidence` the e-value over all sets that are
    tried: however often somebody looks, what changes nothing reaches it with a chance of at most 1 in that many, and
    has to stand in every check beside it. The first set has `first_share` of that chance, the next that share of the
    rest; `design_high` and `design_low` are the rates it looks for. Counts of runs bound each check.
    """

    high: float = Field(0.8, gt=0.5, lt=1)
    low: float = Field(0.2, gt=0, lt=0.5)
    odds: float = 16
    odds_to_stop: float = 256
    odds_proven: float = 64
    first_belief: float = Field(0.3, gt=0, lt=1)
    suspected_belief: float = Field(0.1, gt=0, lt=1)
    belief: float = Field(0.5, gt=0, lt=1)
    sure: float = Field(0.95, gt=0, lt=1)
    significance: float = 0.01
    evidence: float = Field(30, gt=1)
    first_share: float = Field(0.6, gt=0, lt=1)
    design_high: float = Field(0.9, gt=0.5, lt=1)
    design_low: float = Field(0.1, gt=0, lt=0.5)
    check_runs: int = 14
    extra_runs: int = 64
    fragile_runs: int = 2


class ProofTask(FrozenModel):
    """What is to be proven: that parts of a request make the model take a `decision` (a class, as code names it).

    `together`: parts of which none may go without the others, such as a tool call and its result. `roles_alternate`: a
    message goes with the answers to it, so that roles take turns as they did. `suspects`: the likeliest first; it may
    be empty or wrong. `seed` makes every choice that is left to chance.
    """

    parts: tuple[ProofPart, ...]
    decision: str
    together: tuple[tuple[str, ...], ...] = ()
    roles_alternate: bool = False
    suspects: tuple[str, ...] = ()
    rates: ProofRates = ProofRates()
    max_runs: int = 160
    seed: int = 0


class ProofStep(StrEnum):
    """What a run is for."""

    AS_SENT = "as_sent"
    ALL_REMOVED = "all_removed"
    SEARCH = "search"
    WITHOUT = "without"
    ALONE = "alone"
    FRAGILE = "fragile"


class ReplayQuestion(FrozenModel):
    """One request to run: the recorded one without `left_out` (in the order of the request, and with all in them).

    `neutral_tokens`: as much text that says nothing stands in the place of what was left out; 0 for none.
    """

    step: ProofStep
    left_out: tuple[str, ...] = ()
    neutral_tokens: int = 0


class ObservedRun(FrozenModel):
    """What was asked, and the class of the decision that came of it."""

    question: ReplayQuestion
    decision: str


class ProofRecord(FrozenModel):
    """Everything a proof knows. The rest follows from it, so that one that was killed goes on from here."""

    task: ProofTask
    runs: tuple[ObservedRun, ...] = ()
    cancelled: bool = False


class StepReport(FrozenModel):
    """What one step found, in values: the decision came in `hits` of `runs` with or without `parts`.

    `holds`: whether the decision comes (for `search`: whether a set was found), None where that stayed open.
    """

    step: ProofStep
    parts: tuple[str, ...] = ()
    hits: int = 0
    runs: int = 0
    holds: bool | None = None


class ProofWord(StrEnum):
    """The three words, and no fourth."""

    PROVEN = "proven"
    REFUTED = "refuted"
    NOT_DECIDED = "not_decided"


class ProofReason(StrEnum):
    """Why this word."""

    FOUND = "found"
    NOT_IN_CONTEXT = "not_in_context"
    NOT_REPRODUCED = "not_reproduced"
    MIXED = "mixed"
    NOTHING_REMOVABLE = "nothing_removable"
    NOT_CONFIRMED = "not_confirmed"
    OUT_OF_RUNS = "out_of_runs"
    CANCELLED = "cancelled"


class ProofVerdict(FrozenModel):
    """How a proof ended. `causes`: sets of parts; all parts of one set are needed, and any of the sets is enough.

    While nothing is proven, `causes` are what is likeliest so far. `necessary`: without them the decision goes;
    `sufficient`: they alone bring it in a neutral context; None: not checked. `fragile`: single other parts, drawn by
    chance, without which it changed as well. `checks`: the rates that both tests were made on, in all their runs, also
    those of checks that were made again; `p_value` is what the exact test gave, `e_value` how many times likelier these
    runs are with a difference than without one, and `e_value_needed` what that had to reach. `suspect_holds`: whether
    the first suspect stands in a proven set.
    """

    word: ProofWord
    reason: ProofReason
    causes: tuple[tuple[str, ...], ...] = ()
    necessary: bool | None = None
    sufficient: bool | None = None
    fragile: StepReport | None = None
    checks: tuple[StepReport, ...] = ()
    p_value: float | None = None
    e_value: float | None = None
    e_value_needed: float | None = None
    suspect_holds: bool | None = None
    steps: tuple[StepReport, ...] = ()
    runs: int = 0

    @property
    def parts(self) -> tuple[str, ...]:
        """Every part that is named, once."""
        return tuple(dict.fromkeys(part for cause in self.causes for part in cause))
