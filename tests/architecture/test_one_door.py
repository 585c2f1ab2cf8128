"""One door each: whatever is shown is what is sent, because both come from the same place."""

from __future__ import annotations

import ast
import re

from tests.architecture.tree import ROOT, calls, modules, parsed, short


def test_one_place_builds_requests() -> None:
    """Drift between what is shown and what is sent begins with a second builder."""
    assert set(calls("LLMRequest")) == {"bot/context/assemble.py"}


def test_one_place_builds_snapshots() -> None:
    assert set(calls("ContextSnapshot")) <= {"bot/context/assemble.py"}


def test_only_the_sender_sends() -> None:
    """Outgoing messages are made where intents and receipts are kept, and where a plugin's platform is tried.

    A trial sends to a channel that does not exist, and words that nobody wrote.
    """
    assert set(calls("OutgoingMessage")) == {"bot/messaging/delivery/outbox.py", "bot/cli/platform_trial.py"}


def test_wire_requests_are_made_by_encoders() -> None:
    assert {path.split("/")[0] for path in calls("WireRequest")} == {"adapters"}


READS = (
    "logged", "calls_of_turn", "call_by_handle", "turn_by_handle", "request_by_handle", "outline_by_handle",
    "requests_of_turn", "outlines_of_turn", "last_of_session", "by_handle", "of_channel", "trail_of_stage",
)  # fmt: skip
"""What brings a record of a turn or a process, whoever it belongs to."""
READ_WITHOUT_ASKING = {
    "bot/agent/processes/process_store.py": "the turns of a process that is to begin again",
    "bot/cli/host.py": "the host reads everything",
    "bot/inspect/capture/inspector.py": "memories that a prompt names; requests are named by those who asked",
    "bot/cortex/commands/audit.py": "audit rows, of whoever asks",
    "bot/cortex/commands/fix.py": "messages of the channel that is talked about, and no word of them is shown",
    "bot/cortex/targets/moderated.py": "memories, whose channel is asked for",
    "bot/cortex/pages/request_page.py": "turns of the channel's own messages",
    "bot/cortex/pages/compaction_page.py": "compactions, which are a channel's",
    "bot/cortex/pages/capture_comparer.py": "the channel's own turns, and memories",
    "bot/cortex/fixes/fix_runner.py": "audit rows, by whoever they are of",
    "bot/cortex/pages/gap_page.py": "the channel's own turns",
    "bot/cortex/proving/proof_runner.py": "runs of a proof, for the admin of its session; the channel's own turns",
    "bot/cortex/proving/single_replay.py": "the run that it has just made for its admin",
    "bot/cortex/targets/target_parser.py": "names records; for whom, say `TargetResolver` and `HostQueries`",
    "bot/cortex/proving/replay_bundles.py": "a proof's turns, named by who may read them",
    "bot/cortex/pages/trace_pages.py": "the channel's own turns",
    "bot/cortex/pages/sources_page.py": "who said what stands in a request that was cut to its reader",
    "bot/diagnostics/collect/nearby_evidence.py": "memories, and what a channel handed out",
    "bot/diagnostics/collect/collector.py": "turns of the channel's own messages",
    "bot/memory/write.py": "memories",
    "bot/replay/decision_checks.py": "memories that a request on record names",
    "bot/replay/rehearsal.py": "the channels' own turns, for the host",
}
"""Those that do not ask whose a record is, and why nothing that is private can come of it."""


def test_whoever_reads_records_asks_whose_they_are() -> None:
    """An owner's talk was once told to a group, because whether a record may be read was decided by each reader.

    A new reader asks `record_access`, or reads through a port that does (`actor`), or stands here with its reason.
    """
    asks = re.compile(r"\bmay_read\(|\bactor=ctx\.reader\.person\b")
    readers = {path for name in READS for path in calls(name, "bot")} - {"bot/domain/record_access.py"}
    silent = {path for path in readers if not asks.search((ROOT / path).read_text(encoding="utf-8"))}
    # it lays records out, with whose they are on each, for those who ask
    assert silent - {"bot/cortex/targets/record_lookup.py"} == set(READ_WITHOUT_ASKING)


def test_one_place_decides_who_may_read() -> None:
    """Whether an admin did something in private is asked of `record_access`; a second rule would soon disagree."""
    deciding = re.compile(r"if [^\n]*\.body\.session\b")
    found = {short(path) for path in modules() if deciding.search(path.read_text(encoding="utf-8"))}
    # how it is shown and whom a result goes to, not who may read it
    assert found <= {
        "bot/domain/record_access.py",
        "bot/domain/process.py",
        "bot/cortex/targets/tool_page.py",
        "bot/agent/processes/process_end.py",
        "bot/agent/processes/dispatcher.py",
        "bot/agent/processes/roster.py",
        "bot/messaging/intake/left_work.py",
    }


def test_one_class_makes_room_for_what_is_newer() -> None:
    """Seventeen places once threw out what was oldest by hand; each of them is a bound that somebody may forget."""
    by_hand = re.compile(r"popitem\(last=False\)|\bpop\(next\(iter\(|\bdel [\w.]+\[next\(iter\(")
    users = {short(path) for path in modules() if by_hand.search(path.read_text(encoding="utf-8"))}
    assert users == {"bot/runtime/lru_cache.py"}


def test_templates_come_from_one_engine() -> None:
    users = {
        short(path)
        for path in modules()
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.ImportFrom | ast.Import) and "jinja2" in ast.dump(node)
    }
    assert users == {"bot/prompts.py"}


def test_one_place_draws() -> None:
    """Pillow is an extra: whoever imports it, or what draws with it, at the top of a module makes every bot need it."""
    names = ("canvas", "context", "memory_drawing")
    pattern = re.compile(rf"^(?:from|import) (?:PIL|bot\.inspect\.charts\.(?:{'|'.join(names)}))\b", re.MULTILINE)
    users = {short(path) for path in modules() if pattern.search(path.read_text(encoding="utf-8"))}
    assert users == {f"bot/inspect/charts/{name}.py" for name in names}


def test_user_text_is_never_a_template() -> None:
    assert not list(calls("from_string"))


def test_nothing_starts_a_process_or_evaluates_text() -> None:
    """Threat a3: the privileged side of the bot has no way to run anything."""
    forbidden = re.compile(
        r"\bimport (subprocess|pty|pickle)\b|\bos\.(system|popen|exec|spawn|fork)|(?<![\w.])(eval|exec)\("
    )
    found = [short(path) for path in modules() if forbidden.search(path.read_text(encoding="utf-8"))]
    assert found == []


def test_three_adapters_start_programs() -> None:
    """In a sandbox, or as the operator wrote it down: a browser, an MCP server."""
    users = {short(path) for path in modules() if "subprocess_exec" in path.read_text(encoding="utf-8")}
    assert users <= {"adapters/bubblewrap/program_runner.py", "adapters/browser/program.py", "adapters/mcp/stdio.py"}
    assert not [path for path in modules() if "subprocess_shell" in path.read_text(encoding="utf-8")]


def test_every_value_that_is_shown_passes_the_redactor() -> None:
    """Redaction has one implementation; a second set of patterns would soon disagree with it."""
    pattern = re.compile(r"sk-ant|AIza|ghp_|xox[abp]")
    users = {short(path) for path in modules() if pattern.search(path.read_text(encoding="utf-8"))}
    assert users <= {"bot/text/redaction.py"}


def test_the_tree_is_the_one_that_was_agreed() -> None:
    allowed = {
        "pyproject.toml", "bot", "adapters", "prompts", "tests", "config.example.toml", "README.md", "Makefile",
        "CHANGELOG.md", "LICENSE", "SECURITY.md", "SCORECARD.md", "constraints.txt", ".gitignore", ".ci", "deploy",
        "docs", "mkdocs.yml", ".github",
    }  # fmt: skip
    ignored = {line.strip("/\n") for line in (ROOT / ".gitignore").read_text().splitlines()}
    present = {entry.name for entry in ROOT.iterdir() if entry.name != ".git"} - ignored
    assert {name for name in present if not name.startswith(("data", "bench", "config.toml"))} <= allowed
