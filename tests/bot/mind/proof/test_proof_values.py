from __future__ import annotations

from bot.mind.proof.proof_values import ProofPart, ProofVerdict, ProofWord


def test_a_tree_of_parts_goes_through_json() -> None:
    part = ProofPart(id="s", tokens=9, parts=(ProofPart(id="l", removable=False, role="user"),))
    assert ProofPart.model_validate_json(part.model_dump_json()) == part


def test_a_part_of_two_causes_is_named_once() -> None:
    verdict = ProofVerdict(word=ProofWord.PROVEN, reason="found", causes=(("a", "b"), ("b", "c")))
    assert verdict.parts == ("a", "b", "c")
