from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.mind.proof.part_tree import PartTree, SeededChoice
from bot.mind.proof.proof_values import ProofPart, ProofTask


def part(name: str, *parts: ProofPart, removable: bool = True, role: str = "", tokens: int = 10) -> ProofPart:
    return ProofPart(id=name, parts=parts, removable=removable, role=role, tokens=tokens)


def tree_of(*parts: ProofPart, together: tuple[tuple[str, ...], ...] = (), alternate: bool = False) -> PartTree:
    return PartTree(ProofTask(parts=parts, decision="x", together=together, roles_alternate=alternate))


def test_a_call_goes_with_its_result() -> None:
    tree = tree_of(part("hello"), part("call"), part("result"), together=(("call", "result"),))
    assert tree.names(tree.closed(tree.mask_of(["call"]))) == ("call", "result")
    assert [unit.ids for unit in tree.levels[0]] == [("hello",), ("call", "result")]


def test_a_line_of_a_result_goes_alone_and_its_last_line_takes_the_call_along() -> None:
    tree = tree_of(part("call"), part("result", part("l1"), part("l2")), together=(("call", "result"),))
    assert tree.names(tree.closed(tree.mask_of(["l1"]))) == ("l1",)
    assert tree.names(tree.closed(tree.mask_of(["l1", "l2"]))) == ("call", "result")


def test_who_keeps_a_line_of_a_result_keeps_its_call() -> None:
    tree = tree_of(part("a"), part("call"), part("result", part("l1"), part("l2")), together=(("call", "result"),))
    assert tree.names(tree.all_but(tree.mask_of(["l1"]))) == ("a", "l2")


def test_what_must_stay_holds_what_goes_with_it() -> None:
    tree = tree_of(part("a"), part("call", removable=False), part("result"), together=(("call", "result"),))
    assert tree.names(tree.removable) == ("a",)


def test_pairs_that_share_a_part_are_one_group() -> None:
    tree = tree_of(part("a"), part("b"), part("c"), together=(("a", "b"), ("b", "c")))
    assert tree.names(tree.closed(tree.mask_of(["c"]))) == ("a", "b", "c")


def test_what_must_stay_can_be_emptied() -> None:
    tree = tree_of(part("rules", part("r1"), part("r2"), removable=False))
    assert tree.names(tree.removable) == ("r1", "r2")


def test_a_message_goes_with_the_answers_to_it_where_roles_take_turns() -> None:
    talk = [
        part("u1", role="user"),
        part("a1", role="assistant"),
        part("u2", role="user"),
        part("a2", role="assistant"),
    ]
    tree = tree_of(part("history", *talk), part("now", role="user", removable=False), alternate=True)
    assert tree.names(tree.closed(tree.mask_of(["a1"]))) == ("u1", "a1")
    assert [unit.ids for unit in tree.levels[1]] == [("u1", "a1"), ("u2", "a2")]


def test_levels_go_from_sections_to_sentences() -> None:
    tree = tree_of(part("s", part("e1", part("l1"), part("l2")), part("e2")))
    assert [[unit.ids for unit in level] for level in tree.levels] == [
        [("s",)],
        [("e1",), ("e2",)],
        [("l1",), ("l2",), ("e2",)],
    ]


def test_what_two_requests_share_is_what_stands_before_the_first_difference() -> None:
    tree = tree_of(part("a"), part("b"), part("c"))
    assert tree.shared_prefix(tree.mask_of(["c"]), [0]) == 20
    assert tree.shared_prefix(tree.mask_of(["a"]), [0]) == 0
    assert tree.shared_prefix(tree.mask_of(["a", "c"]), [0, tree.mask_of(["a"])]) == 10


def test_a_name_that_nobody_has_is_refused() -> None:
    with pytest.raises(ValueError, match="no part is called ghost"):
        tree_of(part("a"), together=(("a", "ghost"),))
    with pytest.raises(ValueError, match="two parts are called a"):
        tree_of(part("a"), part("a"))


@given(st.integers(1, 200), st.integers(0, 8), st.integers())
def test_a_drawn_set_has_about_the_share_that_was_asked_for(many: int, eighths: int, seed: int) -> None:
    drawn = sum(SeededChoice(seed, n).bits(many, eighths).bit_count() for n in range(8))
    assert abs(drawn - many * eighths) <= 8 * (many * 8) ** 0.5
    assert SeededChoice(seed).bits(many, eighths) == SeededChoice(seed).bits(many, eighths)
