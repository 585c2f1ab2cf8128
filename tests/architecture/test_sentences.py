"""What people read stands in `prompts/<language>/sentences`: every sentence is there, is said, and gets its values."""

from __future__ import annotations

import ast
import re
from collections.abc import Container, Iterator
from functools import cache
from html.parser import HTMLParser
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import pytest
from jinja2 import Environment, nodes

from bot.prompts import is_for_people
from bot.sentences import ENGLISH, languages, sentence_source, written_entries
from tests.architecture.tree import ROOT, modules, parsed, short

MOVED = (
    "adapters/accounts.py",
    "adapters/bubblewrap/requirements.py",
    "adapters/console",
    "adapters/discord/base/settings.py",
    "adapters/discord/base/state.py",
    "adapters/discord/gateway/shard_connection.py",
    "adapters/discord/interactions/interactions.py",
    "adapters/discord/oauth.py",
    "adapters/discord/people/permission_check.py",
    "adapters/discord/rest/files.py",
    "adapters/discord/setup.py",
    "adapters/local_embeddings.py",
    "adapters/mcp",
    "adapters/model_http/dialects.py",
    "adapters/model_http/settings.py",
    "adapters/openai/client.py",
    "adapters/otel/__init__.py",
    "adapters/page_server.py",
    "adapters/prometheus/__init__.py",
    "adapters/telegram/failures.py",
    "adapters/telegram/presses.py",
    "adapters/telegram/prober.py",
    "adapters/telegram/settings.py",
    "adapters/telegram/state.py",
    "bot/api.py",
    "bot/app",
    "bot/cli",
    "bot/config",
    "bot/cortex",
    "bot/diagnostics",
    "bot/domain/bot_accounts.py",
    "bot/domain/delivery_failures.py",
    "bot/domain/skill.py",
    "bot/errors.py",
    "bot/inspect/capture/capture.py",
    "bot/inspect/capture/channel_lookup.py",
    "bot/inspect/capture/markdown.py",
    "bot/inspect/capture/visibility_gap.py",
    "bot/inspect/charts",
    "bot/inspect/diff",
    "bot/inspect/usage",
    "bot/messaging/commands/context.py",
    "bot/messaging/commands/dispatch.py",
    "bot/messaging/commands/info.py",
    "bot/messaging/commands/own_data.py",
    "bot/messaging/commands/own_limit.py",
    "bot/messaging/commands/skills.py",
    "bot/messaging/commands/zone.py",
    "bot/messaging/intake/manager.py",
    "bot/messaging/policy/access.py",
    "bot/messaging/policy/disk_guard.py",
    "bot/mind/told_lines.py",
    "bot/plugins",
    "bot/ports/advice.py",
    "bot/skills.py",
    "bot/text/front_matter.py",
    "bot/tools/mcp/approvals.py",
    "bot/tools/mcp/plain_schema.py",
    "bot/tools/mcp/server_offer.py",
    "bot/tools/runtime/tool.py",
    "bot/tools/runtime/tool_grants.py",
    "bot/tools/runtime/toolbox.py",
    "bot/window",
)
"""Folders and modules that have no sentence left in code."""
KEPT = (
    # what a model alone is told or asked
    "bot/cortex/inspection/inspection_briefing.py",
    "bot/cortex/pages/channel_environment.py",
    "bot/cortex/service/cortex.py",
    "adapters/mcp/argument_check.py",
    # words to look for in what people ask
    "bot/cortex/commands/parser.py",
    "bot/cortex/commands/question_forms.py",
    "bot/cortex/commands/question_reader.py",
    "bot/cortex/targets/named_in_words.py",
    # names of records, of kinds of alerts, of commands
    "bot/cortex/alerts/config_reload.py",
    "bot/cortex/alerts/health_watcher.py",
    "bot/cortex/doctor/model_probe.py",
    "bot/cortex/fixes/chunk_resender.py",
    "bot/cortex/fixes/moderator_proposals.py",
    "bot/cortex/pages/memory_file_pages.py",
    "bot/cortex/pages/request_page.py",
    "bot/cortex/proving/check_pages.py",
    "bot/cortex/proving/replay_turn.py",
    # what is wrong with a number, for who writes the program
    "bot/cortex/sessions/button_signing.py",
)
"""Modules in those folders with words that are no sentences for people, and why."""

NOT_SAID = {
    "James instructed Glassmind to stop responding to him after config advice went wrong.",
    "You are a helpful, friendly member of this chat. You answer briefly and in the asker's language.",
    "one side names its messages by content, the other does not",
    "bold red",
    *(f"text/{kind}; charset=utf-8" for kind in ("javascript", "css", "html")),
    "; HttpOnly; SameSite=",
    "[result of ",
    *("View Channel", "Send Messages", "Send Messages in Threads", "Read Message History"),
    *("Add Reactions", "Attach Files", "Embed Links", "Create Polls"),
    *("bot applications.commands", "discord message content"),
    "100 or more",
    *("[a piece of a kind that is not known here]", "[a resource that can be asked for: "),
    *("Session terminated", " of its list"),
    *("slash command", "discord sign-in", "direct messages"),
}
"""What a member says in the demo; the fault of a caller; what the model is told where nobody configures it; names of a
style and of kinds of content; the mark of a result where a message is written as text; what
Discord calls its permissions and scopes; a fact on record; marks in a result that the model alone reads; what a library
says; names of a task, of a row, of a tool and of a channel."""

LIKE_A_SENTENCE = {
    *("{} denied", "{} denied: {}", "forget {} id {}", "undo {}"),
    *("  mcp {}: {} {}", "mcp: {}", "glassmind {}", "Python {}", "venv {} · root {}", "{} KiB"),
    *(
        "{} account",
        "{} webhook",
        "{} polling",
        "{} business",
        "platform {}",
        "page {}",
        "{}, {} UTC",
    ),
    "{} ({} id {}), session {}",
    *("provider {}", "tool {}", "{} said: {}", "[calls {} {}] {}", "[result of {}, {}] {}"),
    *("Bot {}", "Bearer {}"),
    "tool {} of its list",
    "[a resource that can be asked for: {}, {}]",
    "{}={}; Path=/; Max-Age={}; HttpOnly; SameSite={}{}",
}
"""Words beside values that nobody is told, or that are the same in every language: commands, reasons on record, names
of programs and of parts, what a member said, a header."""

_NAME = re.compile(r"[a-z][a-z0-9_]*\.[a-z][a-z0-9-]*")
_MESSAGE = re.compile(r"(?m)^([a-z][a-z0-9-]*) =((?:.*)(?:\n(?:[ \t}].*)?)*)")
_VALUE = re.compile(r"\{\s*\$([a-z][a-z0-9_]*)")
_WORD_AND_VALUE = re.compile(
    r"(?<![\w.\-/=<`*#!@])[^\W\d_]{3,}[,:;]? \0|\0[,:;]? (?:[^\W\d_]{3,}|[^\W\d_]+['’][^\W\d_]+)(?![\w=(./])"
)
"""A word beside a value (NUL)."""
_SAYING = frozenset({"say", "later"})
_REFUSALS = frozenset(
    {
        "AlteredRow",
        "ConfigError",
        "DamagedDatabase",
        "DatabaseFault",
        "DeliveryError",
        "FetchError",
        "LeaseLost",
        "StoreAway",
        "StoreError",
        "ToolServerError",
        "UnusableSchema",
        "UserError",
        "WrongHead",
        "WrongSkill",
    }
)
_NAMING = frozenset({"PageCommand", "RecordCommand"})
_RECORDED = frozenset({"action", "reason"})
"""Arguments that are stored and compared: the words of the audit and of the ledger."""
_TWO_WORDS = re.compile(r"[^\W\d_]{2,}[,:;]? [^\W\d_]{2,}")


_GIVEN = re.compile(r"\{\{ ([a-z_]+) \}\}")
"""What a template prints just as it is given, or as it set it itself."""
_CASE = re.compile(r'(?:if|elif|or|and) [a-z_.]+ == "(\w+)"')


class Said(NamedTuple):
    """A call of `say` or `later` by a name that stands in it: where, which sentences, with which values."""

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
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _SAYING and node.args:
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
    said_in_code = chain.from_iterable(said_in(path) for path in modules() if says(path))
    for said in chain(said_in_code, chain.from_iterable(map(said_on, pages()))):
        for name in said.names:
            assert name in known, f"{said.where} says {name}, which no file has"
            wanted = known[name]
            assert said.values <= wanted, f"{said.where}: {name} takes no {sorted(said.values - wanted)}"
            assert said.has_more or wanted <= said.values, f"{said.where}: {name} lacks {sorted(wanted - said.values)}"


def test_every_sentence_is_said_somewhere() -> None:
    named = {text for path in modules() for text in literals(path) if _NAME.fullmatch(text)}
    named |= {name for page in pages() for said in said_on(page) for name in said.names}
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


def test_no_page_has_words_of_its_own() -> None:
    """There is one template for all languages."""
    assert {page.name: words for page in pages() if (words := words_on(page.read_text("utf-8")))} == {}


def test_words_on_a_page_are_found_wherever_they_stand() -> None:
    for template in (
        "<h1>Audit</h1>",
        "<p>{{ one.name }} was let in</p>",
        '<nav aria-label="Everything">',
        '<input placeholder="any of these words">',
        '<td data-label="Who said it">',
        "{{ 'everybody' if everybody else 'you' }}",
        "{{ one.title or 'a talk' }}",
        "{% set states = {'well': 'answers'} %}{{ states[one.state] }}",
        "{% for path, word in [('/why', 'Why')] %}{{ word }}{% endfor %}",
        "{{ parts.changes(form, 'Forget it…') }}",
        "request{{ 's' if one.requests != 1 }}",
    ):
        assert words_on(template), template


def pages() -> list[Path]:
    return [*(ROOT / "prompts/en/window").glob("*.j2")]


def said_on(page: Path) -> Iterator[Said]:
    """What a template of a page says, as what code says."""
    for said in Environment().parse(page.read_text("utf-8")).find_all(nodes.Filter):
        if said.name in _SAYING_ON_PAGES and isinstance(said.node, nodes.Const):
            values = frozenset(one.key for one in said.kwargs)
            yield Said(f"{page.name}:{said.lineno}", (said.node.value,), values, has_more=False)


def consts_of(node: nodes.Node) -> Iterator[str]:
    """The texts in a template that can be shown: not what is compared or looked up, nor what is said by its name."""
    if isinstance(node, nodes.Const) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, nodes.Filter):
        yield from consts_of(node.node) if node.node is not None and node.name not in _SAYING_ON_PAGES else ()
    elif isinstance(node, nodes.Pair):
        yield from consts_of(node.value)
    elif isinstance(node, nodes.Getitem):
        yield from consts_of(node.node)
    elif not isinstance(node, _NOT_SHOWN):
        yield from chain.from_iterable(map(consts_of, node.iter_child_nodes()))


_SAYING_ON_PAGES = frozenset({"say", "say_word", "say_html"})
_NOT_SHOWN = (nodes.Compare, nodes.Extends, nodes.Import, nodes.TemplateData)
NAMES = {"Glassmind", "Enter", "Esc", "j", "k", "g"}
"""Of the bot, and of keys."""
SYMBOLS = {
    *("fix", "undo", "cancel", "prove", "memory forget", "memory spread"),
    *("overview", "channel", "why", "next", "last", "diff", "memories", "work", "cost", "cortex", "audit", "doctor"),
    *("message", "request", "memory", "session", "record"),
    *("static", "epoch", "tools", "summary", "said", "asked", "overhead"),
    *("up", "down", "plus", "minus", "place", "1k+"),
}
"""What a template holds that nobody reads as a word: commands, addresses, layers, names for the style sheet."""


def words_on(template: str) -> list[str]:
    """What people would read of a template as it is written."""
    tree, reader = Environment().parse(template), PageReader()
    reader.feed("".join(one.data for one in tree.find_all(nodes.TemplateData)))
    read = [text for text in (one.strip("· \n") for one in reader.texts) if text not in NAMES]
    given = [text for text in consts_of(tree) if text.strip() not in SYMBOLS and not text.startswith(("/", "#"))]
    return [text for text in read + given if re.search(r"[^\W\d_]", text)]


class PageReader(HTMLParser):
    """Keeps what people see of a page, or are told of it."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = {"alt", "aria-label", "data-busy", "data-label", "placeholder", "title"}
        self.texts += [(value or "").strip() for name, value in attrs if name in told]

    def handle_data(self, data: str) -> None:
        self.texts.append(data.strip())


def test_no_refusal_has_its_words_in_code() -> None:
    """Of the modules of a database, too, whose statements read like sentences."""
    left = [
        f"{short(path)}:{line}: {text}"
        for path in modules()
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _REFUSALS
        for line, text in written_in(node)
    ]
    assert left == []


def is_moved(path: Path) -> bool:
    return short(path) not in KEPT and any(short(path) == one or short(path).startswith(f"{one}/") for one in MOVED)


def in_code(path: Path) -> Iterator[tuple[int, str]]:
    """What reads like a sentence and is neither a docstring, nor words to look for, nor for the model alone.

    That is a string with two words in a row, or with a word beside a value.
    """
    tree = parsed(path)
    others = {
        id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in chain.from_iterable(map(unsaid, ast.walk(tree))):
        others |= {id(inner) for inner in ast.walk(node)}
    yield from written_in(tree, others)


def written_in(tree: ast.AST, others: Container[int] = ()) -> Iterator[tuple[int, str]]:
    """Yield what reads like a sentence below a piece of code, but for these others."""
    for node in ast.walk(tree):
        if id(node) in others:
            continue
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            if _TWO_WORDS.search(node.value) and node.value not in NOT_SAID:
                yield node.lineno, node.value[:80]
        elif isinstance(node, ast.JoinedStr):
            text = "".join(str(one.value) if isinstance(one, ast.Constant) else "\0" for one in node.values)
            if _WORD_AND_VALUE.search(text) and (shown := text.replace("\0", "{}")) not in LIKE_A_SENTENCE:
                yield node.lineno, shown[:80]


def unsaid(node: ast.AST) -> Iterator[ast.expr]:
    """The parts of a piece of code whose texts nobody is told."""
    if isinstance(node, ast.Compare) and all(isinstance(one, ast.In | ast.NotIn) for one in node.ops):
        yield node.left
    if isinstance(node, ast.ClassDef) and any(ast.unparse(base) == "StrEnum" for base in node.bases):
        # values that are kept and compared; what people are told of them is a sentence of its own
        yield from (one.value for one in node.body if isinstance(one, ast.Assign))
    if isinstance(node, ast.Set):
        # looked up by what somebody typed
        yield from node.elts
    if not isinstance(node, ast.Call):
        return
    called = ast.unparse(node.func)
    if is_for_matching(called):
        yield node
    elif (called.endswith((".spawn", ".start")) or called == "ContextVar") and node.args:
        # the name of a task or a variable, for the log
        yield node.args[0]
    elif called == "Field":
        # what an argument of a tool is, for the model
        yield from (one.value for one in node.keywords if one.arg == "description")
    elif called in _NAMING:
        # what a command is called, which stands in no language
        yield from node.args[:1]
    yield from (one.value for one in node.keywords if one.arg in _RECORDED)


def is_for_matching(called: str) -> bool:
    """Whether what is called takes words apart, makes a pattern of them, or types them as somebody would."""
    ends = (
        ".split",
        ".removeprefix",
        ".removesuffix",
        ".startswith",
        ".endswith",
        ".partition",
        ".rpartition",
        ".type",
    )
    return called in {"re.compile", "PhraseTable", "_word_set", "keys"} or called.endswith(ends)
