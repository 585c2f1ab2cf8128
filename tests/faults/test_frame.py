"""The frame itself: what held is not played again, what fails is shown, and no figure looks better than it is."""

from __future__ import annotations

import json
from collections import Counter

import orjson
import pytest

from bot.cli.inspector_tools import INSPECTOR_TOOLS
from tests.faults import scorecard
from tests.faults.families import MODULES, family
from tests.faults.family import Family, Size, Verdict, seed_of, seeds
from tests.faults.measures import at_least, at_most, bound, mostly_at_most, none, spread, total
from tests.faults.playing import Playing
from tests.faults.r26_whose_process import NAMED
from tests.faults.records import Record, Records, tree_of_the_product
from tests.faults.rows import ROWS
from tests.faults.worker import line_of, play


def record(key: str = "seed1", **more: object) -> Record:
    values = {"family": "F2", "size": Size.RELEASE, "tree": "t1", "date": "2026-01-01", "seconds": 1.0, **more}
    return Record(key=key, **values)  # type: ignore[arg-type]


async def _fails(key: str, directory: object) -> Verdict:
    assert seed_of(key) != 7, "seven does not hold"
    return Verdict(n=10, counts={"lost": 0})


ODD = Family("F0", "odd ones", seeds(1, 2, 3), _fails)


def test_a_case_that_fails_is_a_verdict_with_its_reason():
    verdict, _ = play(ODD, "seed7")
    assert "seven does not hold" in verdict.trouble
    verdict, _ = play(ODD, "seed8")
    assert verdict == Verdict(n=10, counts={"lost": 0})


def test_a_verdict_is_one_line_whatever_its_counts_are_called():
    for counts in ({Size.NIGHTLY: 1}, Counter(nightly=1)):
        line = line_of(Verdict(counts=counts, trouble="a\nb"), 0.5)
        assert line.count(b"\n") == 1 and orjson.loads(line)["counts"] == {"nightly": 1}


def test_what_held_on_the_same_tree_is_not_played_again(tmp_path):
    records = Records("F2", tmp_path)
    records.add(record("seed1"))
    records.add(record("seed2", trouble="it broke"))
    records.add(record("seed3", tree="t0"))
    records.add(record("seed4", n=0))  # what it plays with was not installed
    with records.path.open("ab") as file:
        file.write(b'{"family": "F2", "key": "se')  # the run was killed here
    assert records.done("t1") == {"seed1"}
    assert [one.key for one in records] == ["seed1", "seed2", "seed3", "seed4"]


async def test_what_failed_before_is_played_first(tmp_path):
    order: list[str] = []

    class Hand:
        async def play(self, key: str) -> Verdict:
            order.append(key)
            return Verdict()

        async def close(self) -> None:
            return None

    records = Records("F0", tmp_path)
    records.add(record("seed2", family="F0", trouble="it broke"))
    records.add(record("seed0", family="F0"))
    playing = Playing(ODD, Size.RELEASE, "t2", records, 1, lambda playing: None, hand=lambda family: Hand())
    await playing.play(f"seed{number}" for number in range(4))
    assert order == ["seed2", "seed0", "seed1", "seed3"]


def test_the_last_record_of_a_case_counts(tmp_path):
    records = Records("F2", tmp_path)
    records.add(record("seed1", trouble="it broke"))
    records.add(record("seed1"))
    assert [one.trouble for one in records] == [""]


def test_what_is_counted_in_a_run_is_shown_of_the_tree_that_was_played_last(tmp_path):
    records = Records("F6", tmp_path)
    for name, tree in (("1", "t1"), ("2", "t1"), ("2", "t2"), ("3", "t2"), ("1", "t3")):
        records.add(record(name, tree=tree))
    assert [(one.key, one.tree) for one in records] == [("2", "t2"), ("3", "t2"), ("1", "t3")]
    assert [one.key for one in scorecard.of_one_tree(list(records))] == ["1"] and scorecard.of_one_tree([]) == []


def test_the_same_files_have_the_same_name(tmp_path):
    for folder in ("bot", "adapters", "prompts"):
        (tmp_path / folder).mkdir()
    (tmp_path / "bot" / "a.py").write_text("x = 1")
    before = tree_of_the_product(tmp_path)
    (tmp_path / "bot" / "__pycache__").mkdir()
    (tmp_path / "bot" / "__pycache__" / "a.pyc").write_bytes(b"1")
    assert tree_of_the_product(tmp_path) == before
    (tmp_path / "bot" / "a.py").write_text("x = 2")
    assert tree_of_the_product(tmp_path) != before


@pytest.mark.parametrize(("seen", "n", "most"), [(0, 4000, 0.00075), (0, 20, 0.1391), (1, 100, 0.0466), (5, 5, 1.0)])
def test_the_upper_bound_is_that_of_the_binomial(seen, n, most):
    assert bound(seen, n) == pytest.approx(most, rel=0.01)


def test_nothing_holds_that_was_not_counted_often_enough_or_failed():
    held = [record(f"seed{n}", counts={"lost": 0}) for n in range(10)]
    assert none("lost", least=10)(held).holds
    assert not none("lost", least=11)(held).holds
    assert not none("lost", least=10)([*held, record("seed99", trouble="it broke")]).holds
    assert not none("lost")([*held, record("seed99", counts={"lost": 1})]).holds
    assert "lost 0 of 10 (95 %: < 26 %)" in none("lost")(held).text


def test_a_figure_is_the_worst_where_it_must_stay_below_and_the_median_where_it_must_reach():
    records = [record(f"seed{n}", figures={"lag_ms": float(n)}, counts={"kills": 2}) for n in (1, 2, 9)]
    assert not at_most("lag_ms", 8, "ms")(records).holds and at_most("lag_ms", 9, "ms")(records).holds
    assert at_least("lag_ms", 2, "ms")(records).holds and not at_least("lag_ms", 3, "ms")(records).holds
    assert total("kills", 6)(records).holds and not total("kills", 7)(records).holds
    assert not at_most("other_ms", 8, "ms")(records).holds, "what was not measured does not hold"


def test_of_what_a_case_measures_several_times_most_must_stay_below_a_bar_and_enough_be_there():
    records = [record("seed1", figures={"late_s": [float(n) for n in range(99)]}), record(figures={"late_s": 500.0})]
    p99 = mostly_at_most("late_s", 0.99, 98, "s", "late, p99", least=100)(records)
    assert p99.holds and p99.text == "late, p99 98 s of 100 (bar 98)"
    assert mostly_at_most("late_s", 1.0, 98, "s", "late, at most")(records).holds is False
    few = mostly_at_most("late_s", 0.99, 98, "s", "late, p99", least=101)(records)
    assert few.short and not few.holds and few.text.endswith("; 101 are owed")
    assert mostly_at_most("other_s", 0.99, 98, "s", "other")(records).short
    assert spread("late_s", "s", "late")(records).text == "late median 50 s, at most 500 s"


def test_the_scorecard_tells_failures_and_what_was_not_run(tmp_path):
    played = {"F2": [record("telegram/fsync/1", trouble="Traceback ...\nAssertionError: q1 is lost | twice")]}
    page = scorecard.render(played, report=tmp_path / "none.json")
    assert "| 1 | kill -9" in page and "cases failed 1" in page and "**no**" in page
    assert "`make faults FAMILY=F2 CASE=telegram/fsync/1`: AssertionError: q1 is lost \\| twice" in page
    assert "not run: it needs a real model" in page
    assert len([line for line in page.splitlines() if line.startswith("| ")]) >= len(ROWS)


def test_rows_that_do_not_hold_are_named_where_all_of_their_families_were_played(tmp_path):
    Records("F12", tmp_path).add(record("discord/1", family="F12", n=10, counts={"lost": 0, "disorder": 0}))
    (short,) = scorecard.missed(["F12"], tmp_path)
    assert short.startswith("13. a storm of 429s") and "10,000 are owed" in short and short.endswith("(no)"), short
    (absences,) = scorecard.missed(["F8"], tmp_path)  # the tenth row has a second half
    assert absences.startswith("9. ") and absences.endswith("not run (-)")


def test_what_is_played_in_every_test_run_stands_in_no_scorecard(tmp_path):
    Records("F12", tmp_path).add(record("discord/1", family="F12", size=Size.SLICE, n=10))
    scorecard.write(tmp_path / "page.md", tmp_path)
    assert "| F12 |" not in (tmp_path / "page.md").read_text()


def test_what_was_played_elsewhere_stands_until_it_is_played_here(tmp_path):
    lost = record("telegram/fsync/1", trouble="AssertionError: q1 is lost")
    held = record("life1/100", family="F5", n=100, counts={"corrupt": 0, "lost": 0})
    there, (page, nothing) = scorecard.render({"F2": [lost], "F5": [held]}), (tmp_path / "page.md", tmp_path / "none")
    page.write_text(there)
    scorecard.write(page, nothing)
    assert page.read_text() == there
    Records("F2", tmp_path).add(record("telegram/fsync/1", n=4000, counts={"lost": 0, "corrupt": 0}))
    scorecard.write(page, tmp_path)
    here = page.read_text()
    assert "lost 0, corrupt 0 of 4,000" in here and "AssertionError" not in here, "what was played here is new"
    assert "| F5 |" in here and "12,000 are owed | not yet |" in here, "and the rest stays"


async def test_what_was_counted_that_must_not_be_is_a_trouble(tmp_path):
    async def loses(key: str, directory: object) -> Verdict:
        return Verdict(n=3, counts={"lost": 2, "kills": 9, "twice": 0})

    verdict = await Family("F0", "odd ones", seeds(1, 2, 3), loses).judge("seed1", tmp_path)
    assert (verdict.trouble, verdict.n) == ("lost 2", 3)


def test_what_held_so_far_is_not_called_a_failure():
    page = scorecard.render({"F5": [record("life1/100", n=100, counts={"corrupt": 0, "lost": 0})]})
    assert "12,000 are owed | not yet |" in page


def test_every_row_has_a_number_and_every_family_is_somewhere():
    numbers = [row.number for row in ROWS]
    assert numbers[:25] == list(range(1, 26)) and numbers == sorted(set(numbers))
    asked = {name for row in ROWS for name in row.families}
    # guards of their own, without a row: named fail-points, and what surrounds a process
    assert set(MODULES) - asked <= {"F1", "F18"}


def test_every_family_can_be_asked_for_its_slice_without_playing():
    for name in MODULES:
        kind = family(name)
        assert kind.name == name
        keys = list(kind.cases(Size.SLICE))
        assert keys and len(keys) == len(set(keys)), name


def test_figures_of_the_mind_stand_until_they_are_measured_again(tmp_path):
    one = {
        "text": "27 of 30 (bar 80%)",
        "holds": True,
        "command": "python -m tests.bench.suspects",
        "when": "`abc`, 2026-01-01",
    }
    (tmp_path / "mind.json").write_text(json.dumps({"culprits": one, "sources": {**one, "holds": False}}))
    page = scorecard.render({}, mind=tmp_path / "mind.json")
    assert "| culprits | 27 of 30 (bar 80%) | yes | `python -m tests.bench.suspects` | `abc`, 2026-01-01 |" in page
    assert "| sources | 27 of 30 (bar 80%) | **no** |" in page
    assert scorecard.render({}, before=page, mind=tmp_path / "none.json") == page


def test_figures_of_the_diagnosis_stand_beside_those_of_the_mind(tmp_path):
    one = {"text": "9 of 9", "holds": True, "command": "make diagnose", "when": "`abc`, 2026-01-01"}
    (tmp_path / "told.json").write_text(json.dumps({"right first": one}))
    page = scorecard.render({}, mind=tmp_path / "told.json", diagnosis=tmp_path / "told.json")
    assert page.count("| right first | 9 of 9 | yes | `make diagnose` | `abc`, 2026-01-01 |") == 2
    none = tmp_path / "none.json"
    assert scorecard.render({}, before=page, mind=none, diagnosis=none) == page


def test_another_program_that_looks_gives_every_look_what_it_needs():
    needed = {
        name
        for tool in INSPECTOR_TOOLS.values()
        for name, field in tool.args.model_fields.items()
        if field.is_required()
    }
    assert needed <= {"channel", "words", *NAMED}
