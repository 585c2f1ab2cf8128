"""Marks become entities, everything else stays, and nothing breaks it."""

from __future__ import annotations

import re
import time
from html import unescape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.telegram.markup import DEAD_AT, MAX_ENTITIES, WIDE_AT, MarkedText, render, unmarked_text
from bot.text.text import utf16_length


def cut(marked: MarkedText, entity) -> str:
    units = marked.text.encode("utf-16-le")
    return units[2 * entity.offset : 2 * (entity.offset + entity.length)].decode("utf-16-le")


def drawn(markdown: str) -> tuple[str, list[tuple[str, str]]]:
    marked = render(markdown)
    return marked.text, [(str(entity.type), cut(marked, entity)) for entity in marked.entities]


@pytest.mark.parametrize(
    ("markdown", "text", "entities"),
    [
        ("**bold** text", "bold text", [("bold", "bold")]),
        ("__bold__ text", "bold text", [("bold", "bold")]),
        ("*it* and _it_", "it and it", [("italic", "it"), ("italic", "it")]),
        ("***both***", "both", [("bold", "both"), ("italic", "both")]),
        ("**a *b* c**", "a b c", [("bold", "a b c"), ("italic", "b")]),
        ("*a **b** c*", "a b c", [("italic", "a b c"), ("bold", "b")]),
        ("~~gone~~", "gone", [("strikethrough", "gone")]),
        ("run `ls -l *`", "run ls -l *", [("code", "ls -l *")]),
        ("`` a`b ``", "a`b", [("code", "a`b")]),
        ("*a `b*` c*", "a b* c", [("italic", "a b* c"), ("code", "b*")]),
        ("# Tea\ntext", "Tea\ntext", [("bold", "Tea")]),
        ("> one\n> two\n\nthree", "one\ntwo\n\nthree", [("blockquote", "one\ntwo")]),
        ("```py\nx = 1\n```\nso", "x = 1\nso", [("pre", "x = 1")]),
        ("```\nnever closed", "never closed", [("pre", "never closed")]),
        ("[tea](https://example.org/t)", "tea", [("text_link", "tea")]),
        ("[`tea`](https://example.org/t)", "tea", [("text_link", "tea")]),
        ("[tea.py](https://example.org/t)", "tea.py", [("text_link", "tea.py")]),
        ("[a `tea`](https://example.org/t)", "a tea", [("text_link", "a tea"), ("code", "tea")]),
        ("😀 **b😀** `c`", "😀 b😀 c", [("bold", "b😀"), ("code", "c")]),
        (r"\*not\* bold", "*not* bold", []),
        ("** a ** b", "** a ** b", []),
        ("2*3*4 and 2 * 3", "2*3*4 and 2 * 3", []),
        ("snake_case_name __init__.js", "snake_case_name __init__.js", []),
        ("see __init__.py, x.py.", "see __init__.py, x.py.", [("code", "__init__.py"), ("code", "x.py")]),
        ("no file: x.org, docs.rs/tea, a@b.py, 1.5", "no file: x.org, docs.rs/tea, a@b.py, 1.5", []),
        ("- one\n* two\n1. three", "- one\n- two\n1. three", []),
        ("****", "****", []),
        ("a **b", "a **b", []),
        (r"C:\tea\cups", r"C:\tea\cups", []),
        ("", "", []),
    ],
)
def test_what_models_write(markdown, text, entities):
    assert drawn(markdown) == (text, entities)


def test_a_fence_keeps_its_language_and_its_indentation():
    marked = render("```rust\n    fn main() {}\n```")
    (entity,) = marked.entities
    assert (entity.language, marked.text) == ("rust", "    fn main() {}")
    assert (entity.offset, entity.length) == (0, len(marked.text))


@pytest.mark.parametrize(
    "address",
    [
        "tg://user?id=5",
        "javascript:alert(1)",
        "https://",
        "https://user:secret@example.org",
        "mailto:a@example.org",
        "http://[",
        "/local",
    ],
)
def test_links_that_lead_to_no_page_are_words(address):
    text, entities = drawn(f"[tea]({address})")
    assert text.startswith("tea") and not [one for one in entities if one[0] == "text_link"], (text, entities)


@pytest.mark.parametrize(
    ("link", "shown"),
    [
        ("[the guide](docs/guide.md)", "the guide (docs/guide.md)"),
        ("[guide.md](./guide.md)", "guide.md"),
        ("[Install](#install)", "Install"),
        ("[write](mailto:a@example.org)", "write (a@example.org)"),
        ("[a@example.org](mailto:a@example.org)", "a@example.org"),
        ("[](./guide.md)", "./guide.md"),
    ],
)
def test_where_a_link_leads_that_no_chat_follows_is_said(link, shown):
    assert drawn(link)[0] == shown


@pytest.mark.parametrize("text", ["@james_b hi", "hi @James, and (@ann_lee)", "**@james_b**", "hi\n@channel_name"])
def test_names_call_nobody(text):
    assert not re.search(r"@\w", render(text).text) and not re.search(r"@\w", unmarked_text(text))
    assert render(text).text.replace(DEAD_AT, "@") == render(text, WIDE_AT).text.replace(WIDE_AT, "@")


def test_what_is_no_name_stays():
    for text in ("mail a.b@example.org", "a@b", "@ noon", "@x", "`@james_b`"):
        assert DEAD_AT not in render(text).text


MARKS = "*_~`\\[]()#> \n"
PIECES = [*MARKS, "a", "b", "é", "😀", "1", "@james", "https://x.y", "```", "**", "\r", "\x00"]
markdown = st.lists(st.sampled_from(PIECES), max_size=60).map("".join)


@given(markdown)
def test_only_marks_are_lost(source):
    if "](" in source:
        source = source.replace("](", "] (")
    source = re.sub(r"^( {0,3}(?:`{3,}|~{3,}))[^\n`]*$", r"\1", source, flags=re.MULTILINE)  # labels become entities
    marked = render(source)
    words = re.sub(rf"[{re.escape(MARKS)}]", "", source)
    # a line across is drawn as one, and the star before an item as a dash
    assert re.sub(rf"[{re.escape(MARKS)}─-]", "", marked.text.replace(DEAD_AT, "@")) == words
    # a line across is wider than its marks
    assert utf16_length(render(source, WIDE_AT).text.replace("─", "")) <= utf16_length(source)


@given(markdown)
def test_entities_lie_in_the_text_and_in_each_other(source):
    marked = render(source)
    assert len(marked.entities) <= MAX_ENTITIES
    total, open_until = utf16_length(marked.text), [10**9]
    for entity in marked.entities:
        end = entity.offset + entity.length
        assert 0 <= entity.offset < end <= total
        while open_until[-1] <= entity.offset:
            open_until.pop()
        assert end <= open_until[-1], "entities cross"
        open_until.append(end)
        assert cut(marked, entity).strip()


# `&nbsp;` is no plain word, but the letter that it names
@given(st.text(st.characters(blacklist_characters=MARKS + "@"), max_size=200).filter(lambda it: unescape(it) == it))
def test_plain_words_stay_as_they_are(source):
    assert render(source) == MarkedText(source, ())
    # beside marks nothing else becomes of them
    assert render(f"{source}\n\n`x`").text.split() == [*source.split(), "x"]


@given(st.text(st.characters(blacklist_characters="`~", blacklist_categories=("Cs",)), min_size=1, max_size=80))
def test_code_is_kept_to_the_letter(code):
    if code.strip():
        marked = render(f"```\n{code}\n```")
        assert marked.text == code and [str(entity.type) for entity in marked.entities] == ["pre"]


@pytest.mark.parametrize(
    "piece", ["*", "_a", "[(", "**a ", "`a ", "> ", "[a](", "*_", "\\", "@a", "```\n", "~~a", "`", "~"]
)
def test_no_input_takes_long(piece):
    source = (piece * 4096)[:4096]
    began = time.process_time()
    render(source)
    unmarked_text(source)
    assert time.process_time() - began < 0.5


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ("`a.com` b", "`a[.]com` b"),
        ("``a.com` b", "``a[.]com` b"),
        ("`a.com`` b", "`a[.]com`` b"),
        ("a ``` `b.com` c", "a ``` `b[.]com` c"),
        ("```` a.com", "```` a.com"),
        ("`a.com", "`a.com"),
    ],
)
def test_links_in_what_was_code_are_dead_where_nothing_is_code(source, shown):
    assert unmarked_text(source) == shown


@pytest.mark.parametrize(
    ("source", "files"),
    [
        ("see ~/a.md", ["~/a.md"]),
        ("@~a.py", ["a.py"]),
        ("x:b~a~c.py", ["a~c.py"]),
        ("a.b~c.sh, d.md", ["a.b~c.sh", "d.md"]),
    ],
)
def test_names_of_files_are_code_from_where_they_begin(source, files):
    assert drawn(source)[1] == [("code", file) for file in files]


def test_a_time_is_drawn_as_the_readers_own():
    marked = render("😀 **set** <t:1760000000:t> UTC, <t:1760000000:T>; `<t:1760000000:t>`")
    assert marked.text == "😀 set 08:53, 08:53:20; <t:1760000000:t>"
    times = [entity for entity in marked.entities if entity.type == "date_time"]
    assert [(one.offset, one.length, one.date_time_format) for one in times] == [(7, 5, "t"), (14, 8, "T")]
    assert {one.to_dict()["unix_time"] for one in times} == {1760000000}


def test_where_no_mark_is_taken_a_time_is_utc():
    assert unmarked_text("set <t:1760000000:t> UTC") == "set 08:53 UTC"


def test_a_link_that_was_written_as_code_is_dead_where_nothing_is_code():
    assert unmarked_text("see `https://evil.com/x` and `os.path`") == "see `hxxps[:]//evil[.]com[…]` and `os.path`"
    assert unmarked_text("see https://good.com/x") == "see https://good.com/x"


@pytest.mark.parametrize(("show", "source"), [(unmarked_text, "`" * 10_000), (render, "a.py " + "~" * 15_000 + " x")])
def test_a_run_of_one_sign_takes_no_longer_than_other_text(show, source):
    began = time.process_time()
    show(source)
    assert time.process_time() - began < 0.3
