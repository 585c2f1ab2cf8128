from __future__ import annotations

from bot.mind.proof.cause_beliefs import CauseBeliefs, PossibleCause, SearchedRun, all_pairs, refined, weigh_suspects
from bot.mind.proof.part_tree import PartTree, SeededChoice
from bot.mind.proof.proof_values import ProofPart, ProofTask

PARTS = tuple(ProofPart(id=name, tokens=10) for name in "abcdefgh")
TREE = PartTree(ProofTask(parts=PARTS, decision="x"))
UNITS = TREE.levels[0]
A, B, *_ = UNITS


def beliefs(*suspects: str) -> CauseBeliefs:
    return CauseBeliefs(all_pairs(UNITS, weigh_suspects(TREE, UNITS, suspects)), UNITS)


def asked(believed: CauseBeliefs, cause: PossibleCause, times: int) -> None:
    """Ask what tells most, of something that never errs."""
    chance, seen = SeededChoice(1), {}
    for _ in range(times):
        left_out = believed.most_telling(TREE, chance, seen)
        hit = any(not any(unit.mask & left_out for unit in way) for way in cause.alternatives)
        believed.learn([SearchedRun(left_out, hit)])
        seen[left_out] = 1


def test_each_kind_of_cause_is_told_from_all_others() -> None:
    for cause in (PossibleCause((A,)), PossibleCause((A, B)), PossibleCause((A,), (B,))):
        believed = beliefs()
        asked(believed, cause, 24)
        found, probable = believed.likeliest()
        assert found == cause
        assert probable > 0.9


def test_a_suspect_is_likelier_and_may_be_wrong() -> None:
    believed = beliefs("a", "b")
    assert believed.likeliest()[0] == PossibleCause((A,))
    asked(believed, PossibleCause((UNITS[5],)), 16)
    assert believed.likeliest()[0] == PossibleCause((UNITS[5],))


def test_what_comes_whatever_is_left_out_is_not_in_the_context() -> None:
    believed = beliefs()
    believed.learn([SearchedRun((1 << 8) - 1, hit=True) for _ in range(9)])
    assert believed.likeliest()[0] is None


def test_a_coin_is_none_of_them() -> None:
    believed, chance = beliefs(), SeededChoice(5)
    for _ in range(160):
        believed.learn([SearchedRun(believed.most_telling(TREE, chance, {}), hit=chance.below(2) == 1)])
    assert believed.unexplained > 0.9


def test_a_found_section_is_looked_into() -> None:
    section = ProofPart(id="s", parts=PARTS[:3])
    tree = PartTree(ProofTask(parts=(section, PARTS[4]), decision="x"))
    causes = [cause for cause, _ in refined(tree, PossibleCause((tree.levels[0][0],)))]
    # itself, three lines, and three pairs in two ways
    assert len(causes) == 1 + 3 + 6
    assert refined(tree, PossibleCause((tree.levels[0][1],))) == []
