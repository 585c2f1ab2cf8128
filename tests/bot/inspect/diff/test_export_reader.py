"""Whatever is given for an export, it is read as one or refused with what is wrong and what to do."""

from __future__ import annotations

import gzip

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.cortex.pages.diff_page import details, explain_diff, first_text
from bot.errors import UserError
from bot.inspect.diff import export_reader
from bot.inspect.diff.change_events import NO_RECORDS
from bot.inspect.diff.context_diff import compare
from bot.inspect.diff.export_reader import read_export
from tests.bot.context.laid import BLIND, NOTHING, coming, cut, exported, sent, side
from tests.fakes.contexts import says, talked, trigger
from tests.fakes.values import channel


@pytest.fixture
async def captured():
    return await sent(talked(channel(), ("hi", "hello")), trigger(says("are you there?", 99)))


async def test_a_packed_export_is_the_same(captured):
    plain = exported(captured)
    assert read_export(gzip.compress(plain, mtime=0), "a.json.gz") == read_export(plain, "a.json.gz")


async def test_an_export_says_what_it_was_cut_of(captured):
    cut_down = read_export(exported(cut(captured[0], BLIND)), "cut.json")
    assert cut_down.hidden and "was cut for its reader" in cut_down.notes[0]
    diff = compare(cut_down, side(captured, by_content=True))
    assert diff.same, "the digest of the whole is in every export"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "is not JSON"),
        (b"\xff\xfe", "is not JSON"),
        (b"[]", "is not an export"),
        (b'{"schema_version": 1}', "is not an export: "),
        (gzip.compress(b"{}" * 100, mtime=0)[:-9], "ends early"),
        (b"\x1f\x8bnot gzip at all", "cannot be unpacked"),
    ],
)
def test_what_is_no_export_is_refused_with_the_reason(content, words):
    with pytest.raises(UserError) as refused:
        read_export(content, "x.json")
    assert words in str(refused.value) and str(refused.value).startswith("x.json ")


async def test_another_version_and_a_wrong_field_are_named(captured):
    document = orjson.loads(exported(captured))
    for change, words in (
        ({"schema_version": 9}, "of version 9"),
        ({"sections": [{"name": 1}]}, "sections.0.name"),
        ({"messages": []}, "messages"),
        ({"kind": "guessed"}, "kind"),
    ):
        with pytest.raises(UserError, match=words):
            read_export(orjson.dumps({**document, **change}), "x.json")


async def test_a_small_file_that_unpacks_to_a_huge_one_is_refused(monkeypatch):
    monkeypatch.setattr(export_reader, "MAX_BYTES", 1000)
    for content in (gzip.compress(b" " * 5000, mtime=0), b" " * 5000):
        with pytest.raises(UserError, match="no export is that large"):
            read_export(content, "x.json")


async def test_what_a_newer_version_adds_is_left_alone_and_odd_values_are_read(captured):
    document = orjson.loads(exported(captured))
    document["messages"][1]["created_at"] = "yesterday"
    document["tools"][0]["parameters"] = "no schema"
    document.pop("model", None)
    document |= {"added": {"later": 1}, "request": [1], "digest": ""}
    found = read_export(orjson.dumps(document), "x.json")
    assert found.messages[0].origin.at == 0 and found.parameters == ()


async def test_nothing_that_a_file_holds_reaches_a_terminal_as_it_is(captured):
    bell = "\x1b]0;owned\x07"
    document = orjson.loads(exported(captured))
    document["digest"] = ""
    document["workspace"]["channel_id"] = f"console:{bell}"
    for name in ("sections", "tools"):
        document[name][0] |= {"name": bell, "digest": bell, "sources": [bell], "text": bell, "description": bell}
    document["messages"][1] |= {"role": bell, "content": bell, "message_id": bell, "author": {"id": bell, "name": bell}}
    document |= {"model": bell}
    hostile, plain = read_export(orjson.dumps(document), bell), read_export(exported(captured), "b.json")
    for first, second in ((hostile, plain), (plain, hostile)):
        compared = explain_diff(compare(first, second), NO_RECORDS)
        shown = first_text(compared, "x", "y") + details(compared, NOTHING)
        assert "\x1b" not in shown and "\x07" not in shown


@settings(max_examples=25, deadline=None)
@given(st.recursive(st.none() | st.integers() | st.text(max_size=8), lambda inner: st.lists(inner, max_size=3)))
def test_any_value_in_any_place_is_refused_or_read(value):
    import asyncio

    document = orjson.loads(exported(asyncio.run(coming(channel()))))
    for key in document:
        try:
            read_export(orjson.dumps({**document, key: value}, default=str), "x.json")
        except UserError:
            continue
        except orjson.JSONEncodeError:
            return
