"""What people read stands in `prompts/<language>/sentences`: every sentence is there, is said, and gets its values."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import pytest

from bot.prompts import is_for_people
from bot.sentences import ENGLISH, languages, sentence_source, written_entries
from tests.architecture.tree import ROOT, modules, parsed, short

MOVED = (
    "adapters/telegram/prober.py",
    "bot/cortex/alerts/admin_alerts.py",
    "bot/cortex/alerts/incident_alerts.py",
    "bot/cortex/alerts/outcome_alerts.py",
    "bot/cortex/alerts/trusted_clock.py",
    "bot/cortex/commands/audit.py",
    "bot/cortex/commands/context.py",
    "bot/cortex/commands/cortex_command.py",
    "bot/cortex/commands/gap.py",
    "bot/cortex/commands/use.py",
    "bot/cortex/commands/work.py",
    "bot/cortex/commands/would.py",
    "bot/cortex/doctor/dialects.py",
    "bot/cortex/doctor/doctor_probes.py",
    "bot/cortex/doctor/examination.py",
    "bot/cortex/doctor/heartbeat_status.py",
    "bot/cortex/doctor/mcp_probes.py",
    "bot/cortex/doctor/probe_journal.py",
    "bot/cortex/fixes/answer_picker.py",
    "bot/cortex/fixes/answer_watch.py",
    "bot/cortex/fixes/fix_menu.py",
    "bot/cortex/fixes/fix_runner.py",
    "bot/cortex/fixes/live_fixes.py",
    "bot/cortex/fixes/offers.py",
    "bot/cortex/fixes/privacy_offers.py",
    "bot/cortex/fixes/private_work.py",
    "bot/cortex/fixes/proposal_threads.py",
    "bot/cortex/inspection/context_probe.py",
    "bot/cortex/inspection/diagnosis_runner.py",
    "bot/cortex/inspection/inspection_branch.py",
    "bot/cortex/inspection/inspection_checkpoints.py",
    "bot/cortex/inspection/inspection_runner.py",
    "bot/cortex/inspection/inspection_slots.py",
    "bot/cortex/inspection/next_steps.py",
    "bot/cortex/inspection/verify_findings.py",
    "bot/cortex/pages/attached_files.py",
    "bot/cortex/pages/cache_page.py",
    "bot/cortex/pages/capture_comparer.py",
    "bot/cortex/pages/chart_pictures.py",
    "bot/cortex/pages/compaction_page.py",
    "bot/cortex/pages/exports.py",
    "bot/cortex/pages/fact_page.py",
    "bot/cortex/pages/find_page.py",
    "bot/cortex/pages/gap_page.py",
    "bot/cortex/pages/ledger_page.py",
    "bot/cortex/pages/memory_audit.py",
    "bot/cortex/pages/memory_spread_page.py",
    "bot/cortex/pages/skill_page.py",
    "bot/cortex/pages/usage_page.py",
    "bot/cortex/pages/version_pages.py",
    "bot/cortex/proving/proof_plan.py",
    "bot/cortex/service/card_presses.py",
    "bot/cortex/service/chat.py",
    "bot/cortex/service/conversation.py",
    "bot/cortex/service/page_presses.py",
    "bot/cortex/service/press_handler.py",
    "bot/cortex/sessions/thread_poster.py",
    "bot/cortex/sessions/unanswered_messages.py",
    "bot/cortex/targets/moderated.py",
    "bot/cortex/targets/record_lookup.py",
    "bot/cortex/targets/record_viewer.py",
    "bot/cortex/targets/target_parser.py",
    "bot/cortex/targets/target_resolver.py",
    "bot/cortex/targets/texts.py",
    "bot/cortex/targets/tool_page.py",
    "bot/cortex/targets/unheard_places.py",
    "bot/cortex/words",
    "bot/diagnostics",
    "bot/domain/delivery_failures.py",
    "bot/inspect/capture/capture.py",
    "bot/inspect/capture/channel_lookup.py",
    "bot/inspect/capture/visibility_gap.py",
    "bot/inspect/charts",
    "bot/inspect/usage",
    "bot/messaging/commands/context.py",
    "bot/messaging/commands/dispatch.py",
    "bot/messaging/commands/info.py",
    "bot/messaging/commands/own_data.py",
    "bot/messaging/commands/own_limit.py",
    "bot/messaging/commands/skills.py",
    "bot/messaging/commands/zone.py",
)
"""Folders and modules that have no sentence left in code."""

_NAME = re.compile(r"[a-z][a-z0-9_]*\.[a-z][a-z0-9-]*")
_MESSAGE = re.compile(r"(?m)^([a-z][a-z0-9-]*) =((?:.*)(?:\n(?:[ \t}].*)?)*)")
_VALUE = re.compile(r"\{\s*\$([a-z][a-z0-9_]*)")
_TWO_WORDS = re.compile(r"[^\W\d_]{2,}[,:;]? [^\W\d_]{2,}")


_GIVEN = re.compile(r"\{\{ ([a-z_]+) \}\}")
"""What a template prints just as it is given, or as it set it itself."""
_CASE = re.compile(r'(?:if|elif|or|and) [a-z_.]+ == "(\w+)"')


class Said(NamedTuple):
    """A call of `say` by a name that stands in it: where, which sentences, with which values."""

    where: str
    names: tuple[str, ...]
    values: frozenset[str]
    has_more: bool


@cache
def subjects(language: str = ENGLISH) -> frozenset[str]:
    return frozenset(path.stem for path in (ROOT / "prompts" / language / "sentences").glob("*.ftl"))


@cache
def sentences(language: str = ENGLISH) -> dict[str, frozenset[str]]:
    """The values that each sentence of a language takes, by `subject.message`."""
    return {
        f"{subject}.{found[1]}": frozenset(_VALUE.findall(found[2]))
        for subject in subjects(language)
        for found in _MESSAGE.finditer(sentence_source(subject, language))
    }


def names_in(node: ast.expr) -> Iterator[str]:
    """The sentences that an expression may name: of a choice each."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from chain(names_in(node.body), names_in(node.orelse))


def says(path: Path) -> bool:
    """Whether a module says sentences: others call something else so."""
    return any(isinstance(node, ast.ImportFrom) and node.module == "bot.sentences" for node in parsed(path).body)


def said_in(path: Path) -> Iterator[Said]:
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "say" and node.args:
            values = frozenset(one.arg for one in node.keywords if one.arg)
            has_more = len(values) < len(node.keywords)
            yield Said(f"{short(path)}:{node.lineno}", tuple(names_in(node.args[0])), values, has_more)


def literals(path: Path) -> Iterator[str]:
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


@pytest.mark.parametrize("language", languages())
def test_every_file_reads_as_fluent(language: str) -> None:
    from fluent.syntax import FluentParser
    from fluent.syntax import ast as fluent

    for subject in subjects(language):
        source = sentence_source(subject, language)
        entries = written_entries(source)
        for entry in FluentParser().parse(source).body:
            assert not isinstance(entry, fluent.Junk), f"{language}/{subject}: {entry.content}"
            if isinstance(entry, fluent.Message):
                # each is parsed alone, so it has to begin and to end where this parser says
                written = source[entry.id.span.start : entry.span.end]
                alone = entries.pop(entry.id.name)
                assert alone.startswith(written), f"{language}/{subject}: {written}"
                assert all(line.startswith("#") for line in alone[len(written) :].splitlines() if line)
        assert not entries


def test_what_is_said_is_there_and_gets_its_values() -> None:
    known = sentences()
    for said in chain.from_iterable(said_in(path) for path in modules() if says(path)):
        for name in said.names:
            assert name in known, f"{said.where} says {name}, which no file has"
            wanted = known[name]
            assert said.values <= wanted, f"{said.where}: {name} takes no {sorted(said.values - wanted)}"
            assert said.has_more or wanted <= said.values, f"{said.where}: {name} lacks {sorted(wanted - said.values)}"


def test_every_sentence_is_said_somewhere() -> None:
    named = {text for path in modules() for text in literals(path) if _NAME.fullmatch(text)}
    assert sorted(set(sentences()) - named) == []


@pytest.mark.parametrize("language", [code for code in languages() if code != ENGLISH])
def test_a_language_is_complete_and_asks_for_no_other_values(language: str) -> None:
    english, theirs = sentences(), sentences(language)
    assert sorted(set(english) - set(theirs)) == [], "not translated"
    assert sorted(set(theirs) - set(english)) == [], "of no sentence"
    for name, values in theirs.items():
        assert values <= english[name], f"{name} has no {sorted(values - english[name])}"


@pytest.mark.parametrize("language", [code for code in languages() if code != ENGLISH])
def test_a_template_that_people_read_stands_in_each_language_and_asks_for_no_other_values(language: str) -> None:
    english, theirs = templates(ENGLISH), templates(language)
    assert sorted(name for name in english if name not in theirs and is_for_people(name)) == [], "not translated"
    assert sorted(name for name in theirs if name not in english or not is_for_people(name)) == [], "of no use"
    for name, source in theirs.items():
        for what in (_GIVEN, _CASE):
            known, used = set(what.findall(english[name])), set(what.findall(source))
            assert used <= known, f"{name}: {sorted(used - known)}"
            assert what is _GIVEN or known <= used, f"{name} lacks {sorted(known - used)}"


def templates(language: str) -> dict[str, str]:
    folder = ROOT / "prompts" / language
    return {str(path.relative_to(folder)): path.read_text("utf-8") for path in folder.rglob("*.md.j2")}


def test_no_sentence_is_left_in_code_where_they_were_moved() -> None:
    left = [f"{short(path)}:{line}: {text}" for path in modules() if is_moved(path) for line, text in in_code(path)]
    assert left == []


def is_moved(path: Path) -> bool:
    return any(short(path) == one or short(path).startswith(f"{one}/") for one in MOVED)


def in_code(path: Path) -> Iterator[tuple[int, str]]:
    """Strings of two words or more that are neither a docstring nor words to look for."""
    tree = parsed(path)
    others = {
        id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and is_for_matching(node.func):
            others |= {id(inner) for inner in ast.walk(node)}
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith(".spawn") and node.args:
            # the name of a task, for the log
            others |= {id(inner) for inner in ast.walk(node.args[0])}
    for node in ast.walk(tree):
        is_text = isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in others
        if is_text and _TWO_WORDS.search(node.value):
            yield node.lineno, node.value[:80]


def is_for_matching(called: ast.expr) -> bool:
    """Whether what is called takes words apart or makes a pattern of them."""
    name = ast.unparse(called)
    return name in {"re.compile", "PhraseTable", "_word_set"} or name.endswith(".split")
