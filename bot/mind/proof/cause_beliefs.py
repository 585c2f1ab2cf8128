"""Which sets of parts could be the cause, how probable each is after what was seen, and what to ask next.

Group testing with a noisy answer, as a Bayesian does it: every run leaves out about half of the probability. This is
what saves the calls; plain delta debugging (`delta_debugging`) asks about one subset at a time and forgets by how much
an answer was doubted.

- R. Dorfman, "The Detection of Defective Members of Large Populations" (1943): group testing.
- M. Horstein, "Sequential transmission using noiseless feedback" (1963), and M. Burnashev and K. Zigangirov (1974):
  noisy binary search, by halving the probability.
- G. Wang, R. Shen, J. Chen, Y. Xiong, L. Zhang, "Probabilistic Delta Debugging", ESEC/FSE 2021: a model of which parts
  matter, instead of a fixed order of subsets.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, product
from math import exp, log

from bot.mind.proof.part_tree import PartTree, RemovableUnit, SeededChoice

SINGLE, ALL_OF_TWO, ANY_OF_TWO = 0.4, 0.28, 0.28
NOT_IN_CONTEXT, SOMETHING_ELSE = 0.01, 1e-5
"""How probable each kind of cause is before the first run."""
ERROR_RATES = (0.02, 0.05, 0.1, 0.15, 0.2)
"""How often an answer may be wrong, each as likely as the other; what errs more often is explained by nothing here."""
SUSPECTED = (0.35, 0.2, 0.1, 0.05, 0.05)
"""The share of the suspects, the likeliest first; the rest is everybody's."""
LOST = 1e-7
"""What is less probable than this is not looked at any more."""
EIGHTHS = (4, 6, 5, 3, 7, 2)
"""How many of eight parts a drawn request keeps; pairs are told apart by those that keep more than half, or less."""
ANY_SUBSET = 24
SAMPLE = 1200
"""By how many causes a request is judged; of more than that, a regular choice of the unlikely stands for all such."""


@dataclass(frozen=True)
class SearchedRun:
    """What was left out, and whether the decision came; `tells`: not every cause expects the same of it."""

    left_out: int
    hit: bool
    tells: bool = True


@dataclass(frozen=True)
class PossibleCause:
    """A set of parts as a cause: the decision comes where all of `first` is kept, or all of `second`."""

    first: tuple[RemovableUnit, ...]
    second: tuple[RemovableUnit, ...] = ()

    @property
    def alternatives(self) -> tuple[tuple[RemovableUnit, ...], ...]:
        """The sets of units of which any is enough."""
        return (self.first, self.second) if self.second else (self.first,)


def mask_of(units: Iterable[RemovableUnit]) -> int:
    """Return the leaves of some units."""
    mask = 0
    for unit in units:
        mask |= unit.mask
    return mask


def weigh_suspects(tree: PartTree, units: Sequence[RemovableUnit], suspects: Sequence[str]) -> list[float]:
    """Return how probable each unit is before the first run."""
    shares = [0.0] * len(units)
    for share, name in zip(SUSPECTED, suspects, strict=False):
        named = tree.mask_of([name])
        touched = [at for at, unit in enumerate(units) if unit.mask & named]
        for at in touched:
            shares[at] += share / len(touched)
    rest = 1 - sum(shares)
    return [share + rest / len(units) for share in shares]


def all_pairs(units: Sequence[RemovableUnit], weights: Sequence[float]) -> Iterator[tuple[PossibleCause, float]]:
    """Yield every single unit, every two that are both needed, and every two of which either is enough."""
    for unit, weight in zip(units, weights, strict=True):
        yield PossibleCause((unit,)), SINGLE * weight
    apart = [(i, j) for i, j in combinations(range(len(units)), 2) if not units[i].mask & units[j].mask]
    every = sum(weights[i] * weights[j] for i, j in apart)
    for i, j in apart:
        weight = weights[i] * weights[j] / every
        yield PossibleCause((units[i], units[j])), ALL_OF_TWO * weight
        yield PossibleCause((units[i],), (units[j],)), ANY_OF_TWO * weight


def refined(tree: PartTree, cause: PossibleCause) -> list[tuple[PossibleCause, float]]:
    """Return what a cause may be one level further down, itself among it; nothing where no unit has parts."""
    inside = {unit: tree.inside(unit) for unit in {*cause.first, *cause.second}}
    if all(len(units) == 1 for units in inside.values()):
        return []
    if len(inside) == 1:
        units = inside[cause.first[0]]
        return [(cause, 0.1), *all_pairs(units, [1 / len(units)] * len(units))]
    ways = [(unit, *(inside[unit] if len(inside[unit]) > 1 else ())) for unit in (*cause.first, *cause.second)]
    chosen = [list(one) for one in product(*ways)]
    return [(PossibleCause(tuple(one[: len(cause.first)]), tuple(one[len(cause.first) :])), 1.0) for one in chosen]


class CauseBeliefs:
    """How probable each possible cause is. An answer's error rates are not known: they are integrated out."""

    def __init__(self, causes: Iterable[tuple[PossibleCause, float]], units: Sequence[RemovableUnit]) -> None:
        self._units = tuple(units)
        self._causes: list[PossibleCause | None] = [None]
        priors = [NOT_IN_CONTEXT]
        for cause, weight in causes:
            self._causes.append(cause)
            priors.append(weight)
        self._first = [mask_of(cause.first) if cause else 0 for cause in self._causes]
        self._second = [mask_of(cause.alternatives[-1]) if cause else 0 for cause in self._causes]
        self._prior = [log(weight) for weight in priors]
        size = len(priors)
        # of the runs in which each predicts the decision: how many, and in how many it did not come; the same without
        self._counts = [[0] * size for _ in range(3)]
        self._runs = 0
        # of the runs of which every cause expects the same, as sent or without all: errors and runs. They speak for
        # none of the causes, and so must not speak against them all either; of the others, what is none of them guesses
        self._plain = {True: [0, 0], False: [0, 0]}
        self._guessed = 0
        self._weights = self._weighed()

    def learn(self, runs: Iterable[SearchedRun]) -> None:
        """Take answers in."""
        expected, missed, surplus = self._counts
        for run in runs:
            left_out, hit = run.left_out, run.hit
            self._runs += 1
            for at, (first, second) in enumerate(zip(self._first, self._second, strict=True)):
                if first & left_out == 0 or second & left_out == 0:
                    expected[at] += 1
                    if not hit:
                        missed[at] += 1
                elif hit:
                    surplus[at] += 1
            if run.tells:
                self._guessed += 1
            else:
                is_whole = left_out == 0
                self._plain[is_whole][0] += hit is not is_whole
                self._plain[is_whole][1] += 1
        self._weights = self._weighed()
        self._forget()

    def _weighed(self) -> list[float]:
        expected, missed, surplus = self._counts
        chance = _chance_of_errors
        every = self._runs
        logs = [
            prior + chance(wrong, predicted) + chance(extra, every - predicted)
            for prior, predicted, wrong, extra in zip(self._prior, expected, missed, surplus, strict=True)
        ]
        guesses = log(SOMETHING_ELSE) + self._guessed * log(0.5)
        guesses += sum(chance(errors, runs) for errors, runs in self._plain.values())
        most = max(*logs, guesses)
        weights = [exp(one - most) for one in logs]
        self._unexplained = exp(guesses - most)
        total = sum(weights) + self._unexplained
        self._unexplained /= total
        return [weight / total for weight in weights]

    def _forget(self) -> None:
        if min(self._weights) >= LOST:
            return
        stay = [at for at, weight in enumerate(self._weights) if weight >= LOST or at == 0]
        self._causes = [self._causes[at] for at in stay]
        self._first = [self._first[at] for at in stay]
        self._second = [self._second[at] for at in stay]
        self._prior = [self._prior[at] for at in stay]
        self._weights = [self._weights[at] for at in stay]
        self._counts = [[counts[at] for at in stay] for counts in self._counts]

    @property
    def unexplained(self) -> float:
        """How probable it is that it is none of these: three parts at once, or chance."""
        return self._unexplained

    def likeliest(self) -> tuple[PossibleCause | None, float]:
        """Return the likeliest cause (None: not in the context) and how probable it is."""
        at = max(range(len(self._weights)), key=lambda i: round(self._weights[i], 9))
        return self._causes[at], self._weights[at]

    def most_telling(self, tree: PartTree, chance: SeededChoice, earlier: Mapping[int, int]) -> int:
        """Return what to leave out next: about half of the probability predicts the decision then.

        Of those that tell about as much, the one that has the longest beginning in common with what was asked before.
        """
        offered = dict.fromkeys(self._offered(tree, chance))
        sample = self._sample()
        told = {left_out: _told(sample, left_out) for left_out in offered}
        best = max(told.values())
        alike = [left_out for left_out, much in told.items() if much >= 0.9 * best]
        return max(alike, key=lambda left_out: tree.shared_prefix(left_out, earlier))

    def _sample(self) -> list[tuple[int, int, float]]:
        every = list(zip(self._first, self._second, self._weights, strict=True))
        step = -(-len(every) // SAMPLE)
        if step == 1:
            return every
        heavy = [one for one in every if one[2] * len(every) > 2]
        light = [one for one in every if one[2] * len(every) <= 2][::step]
        return heavy + [(first, second, weight * step) for first, second, weight in light]

    def _offered(self, tree: PartTree, chance: SeededChoice) -> Iterator[int]:
        ranked = sorted(range(len(self._weights)), key=lambda i: -round(self._weights[i], 9))[:6]
        for at in ranked:
            for mask in {self._first[at], self._second[at]} - {0}:
                yield tree.closed(mask)
                yield tree.all_but(mask)
        for number in range(ANY_SUBSET):
            kept = chance.bits(len(self._units), EIGHTHS[number % len(EIGHTHS)])
            yield tree.closed(mask_of(unit for at, unit in enumerate(self._units) if not kept >> at & 1))


def _told(causes: Sequence[tuple[int, int, float]], left_out: int) -> float:
    """How much a request tells: most where half of the probability expects the decision, nothing where all does."""
    expecting = sum([weight for first, second, weight in causes if not first & left_out or not second & left_out])
    share = expecting / sum([weight for _, _, weight in causes])
    return share * (1 - share)


@cache
def _chance_of_errors(errors: int, runs: int) -> float:
    """The logarithm of the chance of this many errors in one order, whatever the rate is."""
    rates = ERROR_RATES
    return log(sum(rate**errors * (1 - rate) ** (runs - errors) for rate in rates) / len(rates))
