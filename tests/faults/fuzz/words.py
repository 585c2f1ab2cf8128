"""Properties of what reads the words of people and models: orders, buttons, arguments, questions, names."""

from __future__ import annotations

import base64
import sqlite3
import tempfile
from functools import lru_cache
from pathlib import Path
from typing import Any

import orjson
from hypothesis import given
from hypothesis import strategies as st

from adapters.sqlite.engine.search import match
from bot.config import Config, parse_config
from bot.config.config_values import flatten
from bot.config.explained_keys import explain
from bot.context.transcript import as_message, parse_header, sent_note, spoken_words, text_file
from bot.cortex.commands.command_arguments import fold
from bot.cortex.commands.cortex_command import DiagnosisArgs
from bot.cortex.commands.parser import parse
from bot.cortex.pages.exports import folders_of, write_export
from bot.cortex.sessions import button_signing
from bot.cortex.sessions.button_signing import ButtonScope, ButtonVerb
from bot.domain.access import Authority, Caller
from bot.domain.base import canonical_json
from bot.domain.ids import ChannelId, PersonKey, UserId
from bot.domain.llm import ToolDefinition
from bot.domain.memory import MemoryProvenance, MemoryType
from bot.domain.messages import Attachment, AttachmentKind, ToolCall
from bot.errors import ConfigError, ToolError
from bot.memory.write import MemoryCause, MemoryRules, MemoryWish, draft
from bot.messaging.policy.command_syntax import parse_command
from bot.runtime.files import safe_name
from bot.text.text import clean, count_invisible, file_name, one_line_name
from bot.tools.runtime.executor import is_object, read_args, transcript_call, with_unique_ids
from bot.tools.runtime.tool import Tool, _args_of, needs_of, schema_of
from bot.tools.toolsets import TOOLSETS
from tests.bot.messaging.policy.test_command_syntax import NAMES, WORDS, stands_in_front
from tests.fakes import values as v
from tests.fakes.clock import START
from tests.faults.fuzz.junk import HOSTILE, LEAVES, SECRET, TEXTS, VALUES, WELL

KEY = bytes(range(32))
SCOPE = ButtonScope(PersonKey("telegram", UserId("5")), ChannelId("telegram:5"), START)
_CORTEX = (
    *(
        "why",
        "context",
        "usage",
        "last",
        "ledger",
        "export",
        "memory",
        "doctor",
        "undo",
        "diff",
        "cache",
        "sources",
        "this",
        "gap",
    ),
    *("would", "find", "skills", "tools", "work", "cancel", "forget", "record", "compactions", "open", "use", "audit"),
    *("help", "search", "by", "show", "restore", "user", "on", "off", "running", "--sent", "sent", "next", "worked"),
    *(
        "here",
        "#general",
        "<#123>",
        "<@5>",
        "@ann",
        "m27d4",
        "r3x7b",
        "great",
        "tools",
        '"two words"',
        "telegram:-100:7",
    ),
    *("https://t.me/c/1/2", "“", "”", "—", "?", " ", " ", " ", "\u00a0", "\n"),
)


@given(st.lists(st.sampled_from(_CORTEX) | st.sampled_from(HOSTILE), max_size=9))
def any_line_for_the_cortex_is_a_command_or_a_question(words: list[str]) -> None:
    for line in ("".join(words), " ".join(words)):
        found = parse(line)
        assert not isinstance(found.args, DiagnosisArgs) or found.args.text == line.strip()
        assert parse(line) == found == parse(f"  {line}\t")
        for name, value in found.args:
            # nothing is made up: what was read stands in the line; what kind of question it is, is a word of ours
            if isinstance(value, str) and value and name not in {"before", "after", "asked"}:
                assert "".join(value.split()).casefold()[:4] in "".join(_folded(line).split()).casefold()


def _folded(line: str) -> str:
    return line + fold(line)


@given(st.lists(st.sampled_from(WORDS) | st.sampled_from(HOSTILE), max_size=8).map("".join))
def an_order_stands_in_front(text: str) -> None:
    stands_in_front(text)
    found = parse_command(text, NAMES)
    for told in (f"> {text}", f"`{text}`", f"x {text}", f"\u200b{text}", f"(fwd) {text}"):
        assert parse_command(told, NAMES) is None
    assert found is None or parse_command(text, ()) in (None, found) or found.named


@given(st.one_of(TEXTS, st.binary(min_size=24, max_size=24).map(lambda raw: base64.urlsafe_b64encode(raw).decode())))
def a_press_is_read_or_not_and_never_believed(data: str) -> None:
    found = button_signing.read(data)
    if found is not None:
        head = bytes((button_signing.FORMAT_VERSION, found.verb)) + found.id
        assert base64.urlsafe_b64encode(head + found.mac).decode() == data
        assert not button_signing.is_genuine(KEY, found, SCOPE)
    invited = button_signing.read_invitation(data.lower())
    assert invited is None or not button_signing.is_genuine(KEY, invited, SCOPE)


@given(
    st.sampled_from(list(ButtonVerb)),
    st.binary(min_size=10, max_size=10),
    st.integers(0, 191),
    TEXTS,
    st.integers(0, 3),
)
def a_button_is_of_its_person_place_and_time_alone(
    verb: ButtonVerb, identity: bytes, bit: int, other: str, which: int
) -> None:
    data = button_signing.sign(KEY, verb, identity, SCOPE)
    found = button_signing.read(data)
    assert len(data) == 32 and found is not None and button_signing.is_genuine(KEY, found, SCOPE)
    raw = bytearray(base64.urlsafe_b64decode(data))
    raw[bit // 8] ^= 1 << bit % 8
    forged = button_signing.read(base64.urlsafe_b64encode(raw).decode())
    assert forged is None or not button_signing.is_genuine(KEY, forged, SCOPE)
    person = PersonKey("telegram", UserId(other))
    strange = (
        ButtonScope(person, SCOPE.channel, START),
        ButtonScope(SCOPE.person, ChannelId(f"telegram:{other}"), START),
        ButtonScope(SCOPE.person, SCOPE.channel, START + 1),
        ButtonScope(PersonKey(other, SCOPE.person.user_id), SCOPE.channel, START),
    )[which]
    assert strange == SCOPE or not button_signing.is_genuine(KEY, found, strange)


@given(TEXTS, TEXTS)
def a_name_of_a_file_is_ours_whatever_a_channel_is_called(one: str, other: str) -> None:
    for text in (one, other):
        name = safe_name(text)
        assert name.isascii() and len(name) <= 80 and not name.startswith(".") and not set(name) & set("/\\\0 \n")
        assert ".." not in name or "." not in text
    assert (safe_name(one) == safe_name(other)) == (one == other) or one.replace(":", ".") == other.replace(":", ".")
    assert (folders_of(ChannelId(one)) == folders_of(ChannelId(other))) == (one == other) or not (
        ":" in one and ":" in other
    )


@given(TEXTS, st.integers(0, 4_000_000_000_000), st.binary(max_size=20))
def an_export_stays_in_its_folder(channel: str, at: int, content: bytes) -> None:
    with tempfile.TemporaryDirectory(prefix="glassmind-fuzz-") as folder:
        root = Path(folder) / "data"
        first, second = (write_export(root, ChannelId(channel), at, content) for _ in range(2))
        assert first != second
        for path in (first, second):
            assert path.resolve().is_relative_to(root.resolve()) and path.read_bytes() == content
            assert path.stat().st_mode & 0o777 == 0o600
        assert sorted(Path(folder).iterdir()) == [root]


@lru_cache(maxsize=1)
def _keys() -> tuple[str, ...]:
    more = (
        "platforms.telegram.token",
        "providers.openai.api_key",
        "providers.openai.kind",
        "tools.mcp.x.env",
        "nobody.x",
    )
    return (
        *(value.key for value in flatten(Config())),
        *more,
        'channels."a:b".mode',
        "agents.two.model",
        "model",
        "tools",
    )


_WRITTEN = st.one_of(
    LEAVES.filter(lambda value: value is not None).map(canonical_json),
    WELL.map(canonical_json),
    st.sampled_from(
        [
            f'"{SECRET}"',
            '"env:CANARY"',
            '"env:NOPE"',
            '"file:/nowhere"',
            '"cred:../x"',
            "inf",
            "nan",
            "1979-05-27",
            "07:32:00",
        ]
    ),
    st.sampled_from(
        ["[1]", '["a", 1]', "[[]]", "{}", '{a = 1, b = {c = "x"}}', "0x1F", "1_000", "true", "-0.0", "'''x'''"]
    ),
)


@given(st.data())
def any_tables_are_a_configuration_or_a_list_of_problems(data: st.DataObject) -> None:
    rows = data.draw(st.lists(st.tuples(st.sampled_from(_keys()), _WRITTEN), min_size=1, max_size=5))
    text = "".join(f"{key} = {written}\n" for key, written in rows)
    try:
        loaded = parse_config(text, {"CANARY": SECRET})
    except ConfigError as error:
        told = "\n".join(error.problems)
        assert error.problems and all(problem.strip() for problem in error.problems)
        assert SECRET not in told
        return
    for row in explain(loaded):
        assert row.key not in loaded.secrets or row.value == "(secret)"


@lru_cache(maxsize=1)
def _tools() -> tuple[tuple[Any, tuple[str, ...]], ...]:
    found = {}
    for spec in {spec.name: spec for specs in TOOLSETS.values() for spec in specs}.values():
        name, args = _args_of(spec.name, needs_of(spec.run))
        parameters = schema_of(args)
        tool = Tool(spec, ToolDefinition(name=spec.name, description="x", parameters=parameters), args, name, None, {})
        found[spec.name] = (tool, tuple(orjson.loads(parameters).get("properties", {})))
    return tuple(found.values())


@given(st.data())
def any_arguments_are_taken_or_refused_in_words(data: st.DataObject) -> None:
    tool, names = data.draw(st.sampled_from(_tools()))
    value = data.draw(
        st.one_of(
            st.dictionaries(st.sampled_from([*names, "x", ""]), st.one_of(VALUES, LEAVES, WELL), max_size=5), VALUES
        )
    )
    text = canonical_json(value)
    cut = data.draw(st.integers(0, len(text)) | st.just(len(text)))
    call = ToolCall(
        call_id=data.draw(WELL), name=tool.name, arguments=text[:cut] + data.draw(st.sampled_from(["", "}", "\ud800"]))
    )
    try:
        args = read_args(tool, call)
    except ToolError as error:
        told = str(error)
        assert told.startswith(f"{tool.name} was not run.") and clean(told).text == told and count_invisible(told) == 0
    else:
        args.model_dump_json()
    kept = transcript_call(call)
    assert is_object(kept.arguments) and orjson.loads(kept.arguments) is not None
    named = with_unique_ids((call, call, kept), 3)
    assert len({one.call_id for one in named}) == 3


@given(WELL, WELL, st.lists(st.tuples(TEXTS, TEXTS), max_size=3), st.sampled_from(list(AttachmentKind)))
def nobody_forges_a_line_of_the_transcript(
    text: str, name: str, files: list[tuple[str, str]], kind: AttachmentKind
) -> None:
    sound, attached = (
        clean(text).text,
        tuple(
            Attachment(kind=kind, name=clean(title).text, mimetype=clean(mime).text[:60], reference="f")
            for title, mime in files
        ),
    )
    message = as_message(7, v.inbound(sound, author=v.author("6", name), attachments=attached), ambient=False)
    headed = parse_header(message.text)
    assert headed is not None and headed.text == sound == spoken_words(message)
    assert headed.header["id"] == "6" and headed.header["from"] == one_line_name(name) and "is" not in headed.header
    assert [file["name"] for file in headed.header.get("files", ())] == [file_name(file.name) for file in attached]
    assert message.text.split("\n", 1)[0].startswith('{"at":"2025-10-09T08:53:20Z"')
    for file in attached:
        shown = text_file(file, sound).text
        assert "\n" not in shown and parse_header(shown) is None and parse_header(f"{shown}\n{sound}") is None
        assert orjson.loads(shown)["content"] == sound
    note = sent_note([{"text": sound, "name": name}], (), START)
    assert parse_header(note.text) is None and "\n" not in note.text


@given(TEXTS, st.floats(0, 1), st.sampled_from(list(MemoryType)), st.dictionaries(TEXTS, TEXTS, max_size=3))
def any_memory_is_kept_within_its_bounds_or_refused(
    text: str, importance: float, kind: MemoryType, people: dict[UserId, str]
) -> None:
    caller = Caller(PersonKey("console", UserId("100")), "ann", Authority.EVERYONE)
    cause = MemoryCause(v.KEY, caller, MemoryProvenance(author=UserId("100"), by_admin=True), people, START)
    try:
        made = draft(MemoryWish(text, kind, importance), cause, MemoryRules(importance_cap=0.5, per_user_per_day=0))
    except ToolError as error:
        assert str(error).startswith("Not saved: ")
        return
    assert made.content == clean(made.content).text.strip() and made.importance <= 0.5
    assert made.scope_id == made.channel == v.GENERAL and not made.provenance.by_admin
    assert set(made.subjects) <= set(people)


@lru_cache(maxsize=1)
def _index() -> sqlite3.Connection:
    found = sqlite3.connect(":memory:", check_same_thread=False)
    found.execute("CREATE VIRTUAL TABLE t USING fts5(words)")
    found.executemany("INSERT INTO t VALUES (?)", [("tea at five",), ("coffee OR NEAR tea",), ("ß İ 你好",)])
    return found


@given(TEXTS)
def any_question_is_a_search_and_nothing_else(text: str) -> None:
    query = match(text)
    assert query.count('"') == 2 * len([part for part in query.split(" OR ") if part])
    if query:
        rows = _index().execute("SELECT count(*) FROM t WHERE t MATCH ?", (query,)).fetchone()[0]
        assert 0 <= rows <= 3
    assert _index().execute("SELECT count(*) FROM t").fetchone()[0] == 3
