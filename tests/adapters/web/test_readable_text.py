"""A page becomes what a person would read of it; what is hostile costs no more than what is long."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.web.markup import HtmlTag, tokens
from adapters.web.readable_text import read_page

URL = "https://example.org/a/b"
ARTICLE = "<p>" + "A sentence of some length that says something. " * 12


def text(markup: str) -> str:
    return read_page(markup, URL).text


PAGE = """<!doctype html><html><head><title>A &amp; B</title>
<style>p{color:red}</style><script>if(a<b){}</script></head>
<body><nav><a href=/home>Home</a> <a href=/about>About</a></nav>
<h1>Head</h1><p>Some  <b>bold</b> text, <a href="/x?y=1#z">a  link</a>. &lt;tag&gt; &euro;&#8364;
<p>Next<br>line<ul><li>one<li>two <ol><li>a<li>b</ol></ul>
<table><tr><td>1<td>2</tr><tr><th>3<th>4</table>
<pre>code
  more</pre>
<div hidden>hidden one</div><span style="DISPLAY : none">hidden two</span><i aria-hidden="true">hidden three</i>
<img alt="a cat" src=x><!-- comment --><footer>foot</footer></body></html>"""


def test_a_page_reads_well():
    found = read_page(PAGE, URL)
    assert found.title == "A & B"
    assert found.text == (
        "# Head\n\nSome bold text, [a link](https://example.org/x?y=1). <tag> €€\n\n"
        "Next\nline\n- one\n- two\n  1. a\n  2. b\n\n"
        "1 | 2\n3 | 4\n\ncode\n  more\n\n[image: a cat]"
    )
    assert found.aside == "[Home](https://example.org/home) [About](https://example.org/about)\nfoot"


def test_the_main_part_stands_apart_from_the_rest():
    found = read_page(f"<div>menu</div><main>{ARTICLE}</main><div>more</div>", URL)
    assert found.text.startswith("A sentence") and "menu" not in found.text
    assert found.aside == "menu\nmore"


def test_a_small_main_part_is_not_believed():
    found = read_page("<div>the story</div><main>x</main>", URL)
    assert found.text == "the story\n\nx" and found.aside == ""


@pytest.mark.parametrize(
    ("href", "shown"),
    [
        ("javascript:alert(1)", "a"),
        ("data:text/html,x", "a"),
        ("mailto:a@b.c", "a"),
        ("#part", "a"),
        ("", "a"),
        ("http://[::1", "a"),
        ("//other.org/x", "[a](https://other.org/x)"),
        ("../c", "[a](https://example.org/c)"),
        ("/" + "x" * 500, "a"),
    ],
)
def test_links_are_whole_addresses(href: str, shown: str):
    assert text(f"<p><a href='{href}'>a</a>") == shown


def test_a_link_without_words_is_no_link():
    assert text("<p>x <a href=/y><img src=z></a> y") == "x y"


@pytest.mark.parametrize(
    "hidden",
    [
        "<script>{}</script>",
        "<style>{}</style>",
        "<noscript><p>{}</noscript>",
        "<template><b>{}</b></template>",
        "<svg><text>{}</text></svg>",
        "<!-- {} -->",
        "<p title='{}'>",
        "<select><option>{}</select>",
        "<iframe>{}</iframe>",
        "<div hidden><div>{}</div></div>",
        "<textarea>{}</textarea>",
        "<math><mi>{}</math>",
        "<script>{}",
    ],
)
def test_what_nobody_sees_is_left_out(hidden: str):
    assert text("<p>before " + hidden.format("unseen")) == "before"


@pytest.mark.parametrize(
    ("markup", "shown"),
    [
        ("a < b && c > d", "a < b && c > d"),
        ("1 <2", "1 <2"),
        ("<p>x</p", "x"),
        ("<p a='b", ""),
        ("x<!-->y", "xy"),
        ("x<!doctype>y<?php z ?>w</>v", "xywv"),
        ("<p a=b/c d>x", "x"),
        ('<P CLASS="a>b">x</P>', "x"),
        ("&#" + "9" * 5000 + ";x", "\ufffdx"),
        ("&#x1F600; &notanentity; &amp", "😀 ¬anentity; &"),
        ("x\x00y", "x\x00y"),
        ("", ""),
    ],
)
def test_sloppy_markup_is_read_as_browsers_do(markup: str, shown: str):
    assert text(markup) == shown


def test_tags_have_their_attributes():
    assert list(tokens("<A HREF=x  B='c d' e>t</a>")) == [
        HtmlTag("a", False, {"href": "x", "b": "c d", "e": ""}),
        "t",
        HtmlTag("a", True),
    ]


HOSTILE = ("<a ", "<a b", "<a href='", '<a b="', "<a=", "<!--", "<!", "<![CDATA[", "<?", "</", "</a ", "<", "<script>")
HOSTILE += (
    "<title>",
    "<p hidden>",
    "<a href=x>y",
    "<li><ul>",
    "<svg>",
    "&#",
    "&#9",
    "&amp",
    "x&",
    "<p> ",
    "\n ",
    "<table><tr><td>",
)


@pytest.mark.parametrize("piece", HOSTILE)
def test_twice_the_page_takes_twice_the_time(piece: str):
    """The standard library's parser needs 5 s of CPU for 20 kB of some of these."""
    start = time.process_time()
    read_page(piece * (15_000 // len(piece)), URL)
    assert time.process_time() - start < 1.0


def test_a_page_of_tags_alone_is_read_to_a_point(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("adapters.web.readable_text._MAX_TOKENS", 1000)
    assert read_page("<b>x</b>" * 400, URL).cut and not read_page("<b>x</b>" * 300, URL).cut


@settings(max_examples=40, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            ["<p>", "</p>", "<a href=/x>", "</a>", "<div hidden>", "</div>", "<main>", "<pre>", "\n", "x", "&lt;"]
        )
        | st.text(max_size=8),
        max_size=40,
    )
)
def test_nothing_that_is_written_breaks_the_reader(pieces: list[str]):
    found = read_page("".join(pieces), URL)
    assert "\n\n\n" not in found.text or "<pre>" in pieces
