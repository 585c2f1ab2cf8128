"""Proofs on models that are simulated; the whole measurement is `python -m tests.bench proof`."""

from __future__ import annotations

import os
import subprocess  # noqa: TID251 - another process has other hashes, as after a kill
import sys
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.mind.proof.proof_run import ProofRun
from bot.mind.proof.proof_values import (
    ProofPart,
    ProofReason,
    ProofRecord,
    ProofStep,
    ProofTask,
    ProofVerdict,
    ProofWord,
    ReplayQuestion,
)
from tests.architecture.tree import ROOT
from tests.bench._deciders import DID, DID_NOT, Cause, PlantedCase, SimulatedDecider, flat, leaves_of, prove


def task_of(*suspects: str, parts: tuple[ProofPart, ...] = (), max_runs: int = 160, seed: int = 0) -> ProofTask:
    return ProofTask(parts=parts or flat(40), decision=DID, suspects=suspects, max_runs=max_runs, seed=seed)


def steady(cause: Cause, parts: tuple[ProofPart, ...] = ()) -> SimulatedDecider:
    """One that never errs."""
    return SimulatedDecider(parts or flat(40), cause, 1, 0, Random(0))


def proven(task: ProofTask, cause: Cause) -> ProofVerdict:
    return prove(task, steady(cause, task.parts).decide)


# what a proof says


def test_a_right_suspect_is_proven() -> None:
    verdict = proven(task_of("p7"), (("p7",),))
    assert (verdict.word, verdict.reason, verdict.causes) == (ProofWord.PROVEN, ProofReason.FOUND, (("p7",),))
    assert verdict.necessary and verdict.sufficient and verdict.suspect_holds
    assert verdict.p_value is not None and verdict.p_value <= 0.01
    assert verdict.e_value and verdict.e_value_needed and verdict.e_value >= verdict.e_value_needed > 40
    assert verdict.fragile and (verdict.fragile.hits, verdict.fragile.runs) == (2, 2)
    assert verdict.runs <= 20
    steps = [one.step for one in verdict.steps]
    assert steps == ["as_sent", "all_removed", "without", "alone", "fragile"]
    assert [(one.step, one.parts[-1:]) for one in verdict.checks] == [
        ("as_sent", ()),
        ("without", ("p7",)),
        ("all_removed", ("s30",)),
        ("alone", ("p7",)),
    ]


def test_a_wrong_suspect_is_said_to_be_wrong() -> None:
    verdict = proven(task_of("p3"), (("p21",),))
    assert verdict.causes == (("p21",),)
    assert verdict.suspect_holds is False


def test_two_that_are_both_needed() -> None:
    verdict = proven(task_of(), (("p4", "p33"),))
    assert verdict.word == ProofWord.PROVEN
    assert {frozenset(one) for one in verdict.causes} == {frozenset({"p4", "p33"})}
    assert [one.parts for one in verdict.checks if one.step == "without"] == [("p4",), ("p33",)]


def test_two_of_which_either_is_enough() -> None:
    verdict = proven(task_of(), (("p4",), ("p33",)))
    assert verdict.word == ProofWord.PROVEN
    assert {frozenset(one) for one in verdict.causes} == {frozenset({"p4"}), frozenset({"p33"})}
    assert [one.parts for one in verdict.checks if one.step == "without"] == [("p4", "p33")]


def test_three_that_are_all_needed_are_left_to_delta_debugging() -> None:
    verdict = proven(task_of(max_runs=400), (("p1", "p12", "p37"),))
    assert (verdict.word, set(verdict.parts)) == (ProofWord.PROVEN, {"p1", "p12", "p37"})
    # it was asked as sent twice, and both count
    as_sent = [one.runs for one in verdict.steps if one.step == "as_sent"]
    assert len(as_sent) == 2
    assert verdict.checks[0].runs >= sum(as_sent)


def test_what_does_not_happen_again_is_not_decided() -> None:
    verdict = proven(task_of("p1"), ())
    assert (verdict.word, verdict.reason) == (ProofWord.NOT_DECIDED, ProofReason.NOT_REPRODUCED)
    assert [(one.step, one.hits, one.holds) for one in verdict.steps] == [("as_sent", 0, False)]


def test_what_stays_without_everything_is_not_in_the_context() -> None:
    verdict = proven(task_of("p1"), ((),))
    assert (verdict.word, verdict.reason) == (ProofWord.REFUTED, ProofReason.NOT_IN_CONTEXT)
    assert verdict.suspect_holds is False


def test_where_nothing_can_be_left_out_nothing_is_proven() -> None:
    verdict = proven(task_of(parts=(ProofPart(id="now", removable=False),)), ((),))
    assert (verdict.word, verdict.reason) == (ProofWord.NOT_DECIDED, ProofReason.NOTHING_REMOVABLE)


def test_a_sentence_is_found_in_a_request_of_thousands() -> None:
    sections = tuple(
        ProofPart(
            id=f"s{s}",
            parts=tuple(
                ProofPart(id=f"s{s}e{e}", parts=tuple(ProofPart(id=f"s{s}e{e}l{n}", tokens=9) for n in range(12)))
                for e in range(10)
            ),
        )
        for s in range(12)
    )
    verdict = proven(task_of(parts=sections), (("s3e8l11",),))
    assert verdict.causes == (("s3e8l11",),)
    assert verdict.runs <= 50


def test_the_whole_context_in_neutral_words_is_as_long_as_it_was() -> None:
    run = ProofRun(task_of())
    while isinstance(run.step, ReplayQuestion) and run.step.step is ProofStep.AS_SENT:
        run.observe(DID)
    assert run.step == ReplayQuestion(
        step=ProofStep.ALL_REMOVED, left_out=("s0", "s10", "s20", "s30"), neutral_tokens=800
    )


# budget, cancel, and going on


def test_a_spent_budget_keeps_what_is_known() -> None:
    verdict = proven(task_of("p7", max_runs=9), (("p7",),))
    assert (verdict.word, verdict.reason, verdict.runs) == (ProofWord.NOT_DECIDED, ProofReason.OUT_OF_RUNS, 9)
    assert verdict.causes == (("p7",),)


def test_a_cancelled_proof_keeps_what_is_known_and_is_over() -> None:
    run, decider = ProofRun(task_of("p7")), steady((("p7",),))
    for _ in range(8):
        assert isinstance(run.step, ReplayQuestion)
        run.observe(decider.decide(run.step))
    verdict = run.cancel()
    assert (verdict.reason, verdict.causes, verdict.runs) == (ProofReason.CANCELLED, (("p7",),), 8)
    assert run.cancel() == verdict == ProofRun.resume(run.record).step
    with pytest.raises(ValueError, match="has ended"):
        run.observe(DID)


def test_a_record_of_other_questions_is_refused() -> None:
    run = ProofRun(task_of())
    run.observe(DID)
    other = run.record.runs[0].model_copy(update={"question": ReplayQuestion(step=ProofStep.ALONE)})
    with pytest.raises(ValueError, match="other questions"):
        ProofRun.resume(run.record.model_copy(update={"runs": (other,)}))


def test_another_process_goes_on_with_the_same_question() -> None:
    run, decider = ProofRun(task_of("p9", seed=4)), steady((("p4", "p33"),))
    for _ in range(14):
        assert isinstance(run.step, ReplayQuestion)
        run.observe(decider.decide(run.step))
    code = (
        "import sys\nfrom bot.mind.proof.proof_run import ProofRecord, ProofRun\n"
        "print(ProofRun.resume(ProofRecord.model_validate_json(sys.stdin.read())).step.model_dump_json())"
    )
    told = subprocess.run(
        [sys.executable, "-c", code],
        input=run.record.model_dump_json().encode(),
        stdout=subprocess.PIPE,
        check=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": "77"},
    )
    assert ReplayQuestion.model_validate_json(told.stdout) == run.step


# what holds for every request that is asked


@st.composite
def tasks(draw: st.DrawFn) -> ProofTask:
    names = iter(f"n{number}" for number in range(1000))

    def part(depth: int) -> ProofPart:
        below = draw(st.integers(0, 4)) if depth < 3 else 0
        name = next(names)
        role = draw(st.sampled_from(["", "user", "assistant"]))
        removable = draw(st.integers(0, 5)) > 0
        parts = tuple(part(depth + 1) for _ in range(below))
        return ProofPart(id=name, tokens=draw(st.integers(0, 50)), removable=removable, role=role, parts=parts)

    parts = tuple(part(1) for _ in range(draw(st.integers(1, 4))))
    every = sorted(leaves_of(parts))
    group = st.lists(st.sampled_from(every), min_size=2, max_size=3, unique=True).map(tuple)
    return ProofTask(
        parts=parts,
        decision=DID,
        together=tuple(draw(st.lists(group, max_size=3))) if len(every) > 2 else (),
        roles_alternate=draw(st.booleans()),
        suspects=tuple(draw(st.lists(st.sampled_from(every), max_size=2))),
        max_runs=draw(st.integers(0, 60)),
        seed=draw(st.integers(0, 99)),
    )


def in_order(parts: tuple[ProofPart, ...]) -> list[ProofPart]:
    return [one for part in parts for one in (part, *in_order(part.parts))]


def assert_may_be_asked(task: ProofTask, question: ReplayQuestion) -> None:
    leaves, every = leaves_of(task.parts), in_order(task.parts)
    by_name = {part.id: part for part in every}
    names = [part.id for part in every]
    assert list(question.left_out) == sorted(question.left_out, key=names.index)
    gone = set().union(*(leaves[name] for name in question.left_out))
    for name in question.left_out:
        assert all(part.removable for part in in_order((by_name[name],))), "what must stay was left out"
    for group in task.together:
        assert len({leaves[name] <= gone for name in group}) == 1, "a pair was torn apart"
    if task.roles_alternate:
        for siblings in (task.parts, *(part.parts for part in every)):
            assert_rounds_are_whole([(part.role, leaves[part.id] <= gone) for part in siblings])


def assert_rounds_are_whole(roles: list[tuple[str, bool]]) -> None:
    """An answer is there when the message before it is, and the other way round."""
    asked: bool | None = None
    for role, gone in roles:
        if role == "user":
            asked = gone
        elif not role:
            asked = None
        elif asked is not None:
            assert gone is asked


@settings(max_examples=60)
@given(tasks(), st.integers(0, 10**6), st.sampled_from([0.1, 0.5, 0.9]), st.integers(0, 60))
def test_every_request_keeps_what_must_stay_and_the_record_is_all_there_is(
    task: ProofTask, seed: int, rate: float, killed_after: int
) -> None:
    random = Random(seed)
    leaves = sorted(leaves_of(task.parts))
    cause: Cause = ((random.choice(leaves),),)
    decider = SimulatedDecider(task.parts, cause, max(rate, 0.5), min(1 - rate, 0.5), random)
    run = ProofRun(task)
    while not isinstance(run.step, ProofVerdict):
        assert_may_be_asked(task, run.step)
        run.observe(decider.decide(run.step))
    assert run.step.runs == len(run.record.runs) <= task.max_runs
    record = ProofRecord.model_validate_json(run.record.model_dump_json())
    assert ProofRun.resume(record).step == run.step
    # killed somewhere, and gone on with
    again = ProofRun.resume(record.model_copy(update={"runs": record.runs[:killed_after]}))
    for seen in record.runs[killed_after:]:
        assert again.step == seen.question
        again.observe(seen.decision)
    assert (again.step, again.reports) == (run.step, run.reports)


@settings(max_examples=30)
@given(tasks(), st.lists(st.sampled_from([DID, DID_NOT, "refused"]), min_size=60, max_size=60))
def test_whatever_a_model_answers_a_proof_ends(task: ProofTask, decisions: list[str]) -> None:
    run = ProofRun(task)
    for decision in decisions:
        if isinstance(run.step, ProofVerdict):
            break
        assert_may_be_asked(task, run.step)
        run.observe(decision)
    assert isinstance(run.step, ProofVerdict)


# a slice of the measurement


@pytest.mark.parametrize(("hint", "calls", "seeds"), [("right", 20, 4), ("none", 50, 2)])
def test_what_was_planted_is_found(hint: str, calls: int, seeds: int) -> None:
    played = [PlantedCase(kind, 40, 0.95, hint, seed).play() for kind in ("one", "both") for seed in range(seeds)]
    assert all(exact for exact, _ in played)
    assert sum(verdict.runs for _, verdict in played) / len(played) <= calls


@pytest.mark.parametrize(("kind", "seeds"), [("unsteady", 4), ("nothing", 4), ("coin", 4), ("shifted", 1)])
def test_nothing_is_proven_where_nothing_is_planted(kind: str, seeds: int) -> None:
    words = [PlantedCase(kind, 40, 0.85, "wrong", seed).play()[1].word for seed in range(seeds)]
    assert "proven" not in words
