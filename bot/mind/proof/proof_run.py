"""The procedure of a proof, one question at a time.

1. As sent, several runs: it does this in k of n now; if not, the proof stops.
2. Everything removable removed: if it stays, the cause is not in the context.
3. The suspect first, then hierarchical delta debugging, level by level from sections to sentences (Misherghi and Su
   2006). On each level, single parts and pairs are told apart by `cause_beliefs`; what those cannot explain is left to
   `ddmin` (Zeller and Hildebrandt 2002).
4. Fresh runs for the set that was found, of none of which the search knew: without it, it alone, single others removed.
5. Fisher's exact test, whose value is what people know, and an e-value, which stays true although runs are added until
   it is large enough, checks are made again, and several sets get their chance. Both count every fresh run.

Nothing here waits, draws or remembers by itself: the same task and the same answers lead to the same questions, so that
a record of both is all there is to keep.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import exp, log

from bot.mind.proof.cause_beliefs import (
    CauseBeliefs,
    PossibleCause,
    SearchedRun,
    all_pairs,
    mask_of,
    refined,
    weigh_suspects,
)
from bot.mind.proof.delta_debugging import ddmin
from bot.mind.proof.part_tree import PartTree, RemovableUnit, SeededChoice
from bot.mind.proof.proof_values import (
    ObservedRun,
    ProofRates,
    ProofReason,
    ProofRecord,
    ProofStep,
    ProofTask,
    ProofVerdict,
    ProofWord,
    ReplayQuestion,
    StepReport,
)
from bot.mind.proof.sequential_test import SequentialTest, TwoRates, exact_test, log_e_value

MAX_UNITS = 128
"""On how many units pairs are looked for at once; a level with more waits until its section is found."""
MAX_CANDIDATES = 6
"""How many sets are taken to fresh runs at most: each is one more chance to be right by luck."""
MAX_ALTERNATIVES = 3
SURE_ON_A_LEVEL = 0.95
"""How probable a section has to be before only its entries are looked at."""
UNEXPLAINED = 0.95
FRESH = (ProofStep.AS_SENT, ProofStep.ALL_REMOVED, ProofStep.WITHOUT, ProofStep.ALONE)
"""What the runs of a proof's tests are for; none of them is ever dropped."""

Runs = Generator[ReplayQuestion, bool, SequentialTest]
Asking = Generator[ReplayQuestion, bool, "_Ending"]


class ProofStopped(Exception):
    """The budget is spent, or somebody cancelled."""

    def __init__(self, reason: ProofReason) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True)
class _Ending:
    word: ProofWord
    reason: ProofReason
    cause: _Alternatives = ()
    necessary: bool | None = None
    sufficient: bool | None = None
    fragile: StepReport | None = None
    checks: tuple[StepReport, ...] = ()
    p_value: float | None = None
    e_value: float | None = None
    e_value_needed: float | None = None


_Alternatives = tuple[tuple[RemovableUnit, ...], ...]


_Arm = tuple[ProofStep, int]
"""A check: what it is for, and what is left out in it."""


@dataclass(frozen=True)
class _Tally:
    """Every fresh run of a check, in however many attempts."""

    hits: int = 0
    runs: int = 0

    def after(self, hit: bool) -> _Tally:
        return _Tally(self.hits + hit, self.runs + 1)


@dataclass(frozen=True)
class _Pool:
    """Checks against their control, in one context: the request as sent, or one that says nothing.

    Every fresh run of the context is counted, on the side where the set stood in it: that one of two alone does not
    bring the decision says as much of both together as that nothing does.
    """

    cause: _Alternatives
    control: _Arm
    arms: Sequence[_Arm]

    @property
    def control_hits(self) -> bool:
        return self.control[0] is ProofStep.AS_SENT

    def expected(self, arm: _Arm) -> bool:
        return (arm == self.control) is self.control_hits

    def table(self, tallies: Mapping[_Arm, _Tally]) -> TwoRates:
        steps = {self.control[0], *(step for step, _ in self.arms)}
        counts = {True: _Tally(), False: _Tally()}
        for (step, left_out), tally in tallies.items():
            if step in steps:
                stood = any(not left_out & mask_of(units) for units in self.cause)
                counts[stood] = _Tally(counts[stood].hits + tally.hits, counts[stood].runs + tally.runs)
        return TwoRates(counts[True].hits, counts[True].runs, counts[False].hits, counts[False].runs)


class ProofRun:
    """A proof under way. `step` is the next request to run, or the verdict; `observe` tells what came of it."""

    def __init__(self, task: ProofTask) -> None:
        self.record = ProofRecord(task=task)
        self.step: ReplayQuestion | ProofVerdict
        self._procedure = _Procedure(task)
        self._asking = self._procedure.run()
        self._advance(lambda: next(self._asking))

    @classmethod
    def resume(cls, record: ProofRecord) -> ProofRun:
        """Go on from what was recorded. A record of another version of this procedure is refused with a ValueError."""
        run = cls(record.task)
        for seen in record.runs:
            if run.step != seen.question:
                raise ValueError("this record answers other questions than this version asks")
            run.observe(seen.decision)
        if record.cancelled:
            run.cancel()
        return run

    @property
    def reports(self) -> tuple[StepReport, ...]:
        """What the steps found that are over."""
        return tuple(self._procedure.reports)

    def observe(self, decision: str) -> ReplayQuestion | ProofVerdict:
        """Take in which decision the request brought, and return what comes next."""
        question = self.step
        if isinstance(question, ProofVerdict):
            raise ValueError("this proof has ended")
        seen = ObservedRun(question=question, decision=decision)
        self.record = self.record.model_copy(update={"runs": (*self.record.runs, seen)})
        self._advance(lambda: self._asking.send(decision == self.record.task.decision))
        return self.step

    def cancel(self) -> ProofVerdict:
        """End with what is known so far."""
        if not isinstance(self.step, ProofVerdict):
            self.record = self.record.model_copy(update={"cancelled": True})
            self._advance(lambda: self._asking.throw(ProofStopped(ProofReason.CANCELLED)))
        assert isinstance(self.step, ProofVerdict)
        return self.step

    def _advance(self, go_on: Callable[[], ReplayQuestion]) -> None:
        try:
            self.step = go_on()
        except StopIteration as ended:
            self.step = self._verdict(ended.value)

    def _verdict(self, ending: _Ending) -> ProofVerdict:
        suspects = self._procedure.suspects
        causes = tuple(tuple(name for unit in units for name in unit.ids) for units in ending.cause)
        suspect_holds = None
        if suspects and ending.word is ProofWord.PROVEN:
            suspect_holds = self._procedure.touches(suspects[0], ending.cause)
        elif suspects and ending.word is ProofWord.REFUTED:
            suspect_holds = False
        return ProofVerdict(
            word=ending.word,
            reason=ending.reason,
            causes=causes,
            necessary=ending.necessary,
            sufficient=ending.sufficient,
            fragile=ending.fragile,
            checks=ending.checks,
            p_value=ending.p_value,
            e_value=ending.e_value,
            e_value_needed=ending.e_value_needed,
            suspect_holds=suspect_holds,
            steps=self.reports,
            runs=len(self.record.runs),
        )


class _Procedure:
    """The steps as generators: each yields a question and is sent whether the decision came."""

    def __init__(self, task: ProofTask) -> None:
        self.reports: list[StepReport] = []
        self.suspects: tuple[str, ...] = ()
        self._task = task
        self._rates = task.rates
        self._tree = PartTree(task)
        self.suspects = tuple(name for name in task.suspects if name in self._tree)
        self._chance = SeededChoice(task.seed, task.decision)
        # what was left out, and whether the decision came all the same; for the search
        self._seen: list[SearchedRun] = []
        self._asked: dict[int, int] = {}
        self._checks: dict[_Arm, SequentialTest] = {}
        self._tallies: dict[_Arm, _Tally] = {}
        # the sets that were taken to fresh runs, in this order
        self._tried: list[frozenset[frozenset[RemovableUnit]]] = []
        self._as_sent_arm = (ProofStep.AS_SENT, 0)
        self._removed_arm = (ProofStep.ALL_REMOVED, self._tree.removable)
        self._likeliest: _Alternatives = ()

    def touches(self, suspect: str, cause: _Alternatives) -> bool:
        named = self._tree.mask_of([suspect])
        return any(unit.mask & named for units in cause for unit in units)

    def run(self) -> Asking:
        """Go through all steps, and end with what is known where the runs end."""
        try:
            return (yield from self._steps())
        except ProofStopped as stopped:
            return _Ending(ProofWord.NOT_DECIDED, stopped.reason, self._likeliest)

    def _steps(self) -> Asking:
        as_sent = yield from self._tested(ProofStep.AS_SENT, 0, _test_at(self._rates, low=self._rates.odds_to_stop))
        if not as_sent.holds:
            mixed = as_sent.holds is None
            return _Ending(ProofWord.NOT_DECIDED, ProofReason.MIXED if mixed else ProofReason.NOT_REPRODUCED)
        everything = self._tree.removable
        if not everything:
            return _Ending(ProofWord.NOT_DECIDED, ProofReason.NOTHING_REMOVABLE)
        # that it stays ends the proof; that it goes is seen again later
        removed = yield from self._tested(
            ProofStep.ALL_REMOVED, everything, _test_at(self._rates, high=self._rates.odds_to_stop)
        )
        if removed.holds is None:
            return _Ending(ProofWord.NOT_DECIDED, ProofReason.MIXED)
        if removed.holds:
            return _Ending(ProofWord.REFUTED, ProofReason.NOT_IN_CONTEXT)
        return (yield from self._search())

    # step 3

    def _search(self) -> Asking:
        suspect = self._suspect()
        if suspect:
            self._likeliest = ((suspect,),)
            ending = yield from self._confirm(((suspect,),), whole=True)
            if ending is not None:
                return ending
        # less where suspects speak for it
        first = self._rates.suspected_belief if self.suspects else self._rates.first_belief
        for tried in range(MAX_CANDIDATES):
            began = len(self._seen)
            found, cause = yield from self._believed(self._rates.belief if tried else first)
            self._report_search(began, found, cause)
            if not found:
                break
            if cause is None:
                again = yield from self._tested(
                    ProofStep.ALL_REMOVED, self._tree.removable, _test_at(self._rates, high=self._rates.odds_to_stop)
                )
                if again.holds:
                    return _Ending(ProofWord.REFUTED, ProofReason.NOT_IN_CONTEXT)
                continue
            ending = yield from self._confirm(cause.alternatives, whole=True)
            if ending is not None:
                return ending
        return (yield from self._exhaustively())

    def _suspect(self) -> RemovableUnit | None:
        """The first suspect, if it can go and has no parts of its own among which the search should choose."""
        for name in self.suspects[:1]:
            unit = self._tree.unit(name)
            if unit and self._tree.inside(unit) == (unit,):
                return unit
        return None

    def _report_search(self, began: int, found: bool, cause: PossibleCause | None) -> None:
        seen = self._seen[began:]
        self.reports.append(
            StepReport(
                step=ProofStep.SEARCH,
                parts=tuple(name for unit in (*cause.first, *cause.second) for name in unit.ids) if cause else (),
                hits=sum(run.hit for run in seen),
                runs=len(seen),
                holds=found,
            )
        )

    @cached_property
    def _start_causes(self) -> list[tuple[PossibleCause, float]]:
        units = self._start_level
        return list(all_pairs(units, weigh_suspects(self._tree, units, self.suspects)))

    @cached_property
    def _start_level(self) -> tuple[RemovableUnit, ...]:
        """The deepest level that is not too wide to look for pairs in."""
        levels = [units for units in self._tree.levels if len(units) <= MAX_UNITS]
        return levels[-1] if levels else self._tree.levels[0]

    def _believed(self, sure: float) -> Generator[ReplayQuestion, bool, tuple[bool, PossibleCause | None]]:
        """Ask until one cause is probable enough; go down a level with it where there is one."""
        units = self._start_level
        causes = self._start_causes
        while True:
            beliefs = CauseBeliefs(causes, units)
            beliefs.learn(
                run for run in self._seen if all(unit.mask & run.left_out in (0, unit.mask) for unit in units)
            )
            while True:
                cause, probable = beliefs.likeliest()
                self._likeliest = cause.alternatives if cause else self._likeliest
                below = refined(self._tree, cause) if cause else []
                if beliefs.unexplained > UNEXPLAINED:
                    return False, cause
                if probable >= (SURE_ON_A_LEVEL if below else sure):
                    break
                left_out = beliefs.most_telling(self._tree, self._chance, self._asked)
                yield from self._asks(ProofStep.SEARCH, left_out)
                beliefs.learn(self._seen[-1:])
            if not below:
                return True, cause
            assert cause
            causes = below
            units = tuple(dict.fromkeys(unit for one, _ in below for unit in (*one.first, *one.second)))
            whole = {*cause.first, *cause.second}
            units = tuple(unit for unit in units if unit not in whole or len(self._tree.inside(unit)) == 1)

    def _exhaustively(self) -> Asking:
        """Look for any number of parts by delta debugging; first see whether it still does what it did."""
        as_sent = yield from self._tested(ProofStep.AS_SENT, 0, _test_at(self._rates))
        removed = yield from self._tested(ProofStep.ALL_REMOVED, self._tree.removable, _test_at(self._rates))
        if not as_sent.holds or removed.holds is not False:
            return _Ending(ProofWord.NOT_DECIDED, ProofReason.MIXED, self._likeliest)
        alternatives: list[tuple[RemovableUnit, ...]] = []
        gone = 0
        while len(alternatives) < MAX_ALTERNATIVES:
            began = len(self._seen)
            units = yield from self._hierarchically(gone)
            self._report_search(began, True, PossibleCause(units))
            alternatives.append(units)
            self._likeliest = tuple(alternatives)
            gone = self._tree.closed(gone | mask_of(units))
            left = yield from self._quietly(gone)
            if left.holds is not True:
                break
        ending = yield from self._confirm(tuple(alternatives), whole=False)
        return ending or _Ending(ProofWord.NOT_DECIDED, ProofReason.NOT_CONFIRMED, self._likeliest)

    def _hierarchically(self, gone: int) -> Generator[ReplayQuestion, bool, tuple[RemovableUnit, ...]]:
        """Hierarchical delta debugging: `ddmin` on the sections, then on what is in those that it kept, and so on."""

        def brings_it(subset: Sequence[RemovableUnit]) -> Generator[ReplayQuestion, bool, bool]:
            test = yield from self._quietly(self._tree.closed(self._tree.all_but(mask_of(subset)) | gone))
            return test.holds is True

        units = tuple(unit for unit in self._tree.levels[0] if unit.mask & ~gone)
        while True:
            units = yield from ddmin(units, brings_it)
            below = tuple(dict.fromkeys(inner for unit in units for inner in self._tree.inside(unit)))
            if below == units:
                return units
            units = below

    # steps 4 and 5

    def _confirm(self, cause: _Alternatives, *, whole: bool) -> Generator[ReplayQuestion, bool, _Ending | None]:
        """Ask about a set again from nothing. None: it did not stand, and what came of it speaks for another.

        A check that stood for an earlier set stands: what it was to show was said before its first run as well.
        """
        needed = self._log_needed(cause)
        without = {mask: self._tree.closed(mask) for mask in _left_out_for(cause)}
        alone = {mask: self._tree.all_but(mask) for mask in map(mask_of, cause)}
        for left_out in without.values():
            if not (yield from self._stands(ProofStep.WITHOUT, left_out)):
                return None
        stands = []
        for left_out in alone.values():
            stands.append((yield from self._stands(ProofStep.ALONE, left_out)))
            if whole and not stands[-1]:
                return None
        sufficient = all(stands)
        pools = [_Pool(cause, self._as_sent_arm, [(ProofStep.WITHOUT, left_out) for left_out in without.values()])]
        if sufficient:
            arms = [(ProofStep.ALONE, left_out) for left_out in alone.values()]
            pools.append(_Pool(cause, self._removed_arm, arms))
        p_value, log_e, fine = yield from self._significant(pools, needed)
        if whole and any(self._contradicted(arm, pool.expected(arm)) for pool in pools for arm in pool.arms):
            return None
        # last, because the runs of both tests answer for most rivals
        if whole and not (yield from self._has_no_rival(cause)):
            return None
        fragile = None
        if fine:
            fragile = yield from self._fragile(mask_of(unit for units in cause for unit in units))
        return _Ending(
            ProofWord.PROVEN if fine else ProofWord.NOT_DECIDED,
            ProofReason.FOUND if fine else ProofReason.NOT_CONFIRMED,
            cause,
            necessary=True,
            sufficient=sufficient,
            fragile=fragile,
            checks=tuple(self._tallied(arm) for pool in pools for arm in (pool.control, *pool.arms)),
            p_value=p_value,
            e_value=exp(log_e),
            e_value_needed=exp(needed),
        )

    def _has_no_rival(self, cause: _Alternatives) -> Generator[ReplayQuestion, bool, bool]:
        """Whether nothing else explains every run so well that there is a doubt left; asks on while there is."""
        found, likeliest = yield from self._believed(self._rates.sure)
        return found and likeliest is not None and _same(likeliest.alternatives, cause)

    def _stands(self, step: ProofStep, left_out: int) -> Generator[ReplayQuestion, bool, bool]:
        """Whether a check shows what it should; from fresh runs, and only once for each."""
        expected = step is ProofStep.ALONE
        earlier = self._checks.get((step, left_out))
        if earlier is None or earlier.holds is not expected:
            self._checks[step, left_out] = yield from self._tested(step, left_out, _test_at(self._rates))
        return self._checks[step, left_out].holds is expected

    def _log_needed(self, cause: _Alternatives) -> float:
        """What a set's e-value has to reach: each next set that is tried has less of the chance that is allowed."""
        key = _key(cause)
        if key not in self._tried:
            self._tried.append(key)
        share = self._rates.first_share
        return log(self._rates.evidence) - log(share * (1 - share) ** self._tried.index(key))

    def _log_e(self, pools: Sequence[_Pool], tallies: Mapping[_Arm, _Tally]) -> float:
        tables = [pool.table(tallies) for pool in pools]
        return log_e_value(tables, self._rates.design_high, self._rates.design_low)

    def _significant(
        self, pools: Sequence[_Pool], needed: float
    ) -> Generator[ReplayQuestion, bool, tuple[float, float, bool]]:
        """Return both tests' values over both contexts and whether they say enough, with a few more runs for it.

        Each goes to the check from which most is to be expected.
        """
        arms = [(arm, pool.expected(arm)) for pool in pools for arm in (pool.control, *pool.arms)]
        rates = self._rates
        together = len(pools[0].arms) > 1
        telling = [one for one in arms if one[0][0] is (ProofStep.WITHOUT if together else ProofStep.ALONE)]

        def expected(one: tuple[_Arm, bool]) -> tuple[float, int]:
            arm, high = one
            tally = self._tallies[arm]
            hit, miss = (self._log_e(pools, {**self._tallies, arm: tally.after(came)}) for came in (True, False))
            rate = rates.design_high if high else rates.design_low
            return round(rate * hit + (1 - rate) * miss, 9), -tally.runs

        for extra in range(rates.extra_runs + 1):
            value = exact_test([pool.table(self._tallies) for pool in pools])
            log_e = self._log_e(pools, self._tallies)
            # what is said of all checks together may hide one that came about by luck: a part too many, or too few
            weak = [one for one in telling if self._whole_test(one[0], rates.odds_proven).holds is None]
            fine = value <= rates.significance and log_e >= needed and not weak
            if fine or extra == rates.extra_runs or any(self._contradicted(*one) for one in arms):
                break
            arm, _ = max(weak or arms, key=expected)
            yield from self._asks(*arm)
        return value, log_e, fine

    def _contradicted(self, arm: _Arm, expected: bool) -> bool:
        """Whether all runs of a check together say the contrary of what it stood for."""
        return self._whole_test(arm).holds is not expected and self._whole_test(arm).holds is not None

    def _fragile(self, cause: int) -> Generator[ReplayQuestion, bool, StepReport]:
        """Leave out single other parts, drawn by chance, and count how often the decision changes."""
        others = [unit for unit in self._start_level if not unit.mask & cause]
        left: list[str] = []
        hits = 0
        runs = min(self._rates.fragile_runs, len(others))
        for _ in range(runs):
            unit = others.pop(self._chance.below(len(others)))
            left += unit.ids
            hits += yield from self._asks(ProofStep.FRAGILE, unit.mask)
        report = StepReport(step=ProofStep.FRAGILE, parts=tuple(left), hits=hits, runs=runs)
        self.reports.append(report)
        return report

    # one run, and one test

    def _tested(self, step: ProofStep, left_out: int, test: SequentialTest) -> Runs:
        """Run a request until the test decides, or for as long as a check may take, and report it."""
        test = yield from self._until_decided(step, left_out, test)
        self.reports.append(self._report(step, left_out, test))
        return test

    def _tallied(self, arm: _Arm) -> StepReport:
        return self._report(*arm, self._whole_test(arm))

    def _whole_test(self, arm: _Arm, odds: float = 0) -> SequentialTest:
        return replace(_test_at(self._rates, odds, odds), hits=self._tallies[arm].hits, runs=self._tallies[arm].runs)

    def _report(self, step: ProofStep, left_out: int, test: SequentialTest) -> StepReport:
        # of a set alone, what is named is what was there
        named = self._tree.removable & ~left_out if step is ProofStep.ALONE else left_out
        parts = self._tree.names(named)
        return StepReport(step=step, parts=parts, hits=test.hits, runs=test.runs, holds=test.holds)

    def _quietly(self, left_out: int) -> Runs:
        return (yield from self._until_decided(ProofStep.SEARCH, left_out, _test_at(self._rates)))

    def _until_decided(self, step: ProofStep, left_out: int, test: SequentialTest) -> Runs:
        while test.holds is None and test.runs < self._rates.check_runs:
            test = test.after((yield from self._asks(step, left_out)))
        return test

    def _asks(self, step: ProofStep, left_out: int) -> Generator[ReplayQuestion, bool, bool]:
        if len(self._seen) >= self._task.max_runs:
            raise ProofStopped(ProofReason.OUT_OF_RUNS)
        neutral = step in (ProofStep.ALONE, ProofStep.ALL_REMOVED)
        question = ReplayQuestion(
            step=step,
            left_out=self._tree.names(left_out),
            neutral_tokens=self._tree.tokens(left_out) if neutral else 0,
        )
        hit = yield question
        self._seen.append(SearchedRun(left_out, hit, step not in (ProofStep.AS_SENT, ProofStep.ALL_REMOVED)))
        self._asked[left_out] = self._asked.get(left_out, 0) + 1
        if step in FRESH:
            self._tallies[step, left_out] = self._tallies.get((step, left_out), _Tally()).after(hit)
        return hit


def _same(one: _Alternatives, other: _Alternatives) -> bool:
    return _key(one) == _key(other)


def _key(cause: _Alternatives) -> frozenset[frozenset[RemovableUnit]]:
    return frozenset(frozenset(units) for units in cause)


def _left_out_for(cause: _Alternatives) -> list[int]:
    """What to leave out to see whether a set is necessary: each of what is needed together, or all that are enough."""
    if len(cause) == 1:
        return [unit.mask for unit in cause[0]]
    return [mask_of(unit for units in cause for unit in units)]


def _test_at(rates: ProofRates, high: float = 0, low: float = 0) -> SequentialTest:
    return SequentialTest(rates.high, rates.low, high or rates.odds, low or rates.odds)
