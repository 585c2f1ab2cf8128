"""A split text keeps its words, its characters and its fences."""

from __future__ import annotations

import random
import re
import time
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.text.markdown.blocks import read
from bot.text.markdown.writer import WrittenMarkdown, write
from bot.text.splitter import plan_split, so_far, split
from bot.text.text import utf16_length
from tests.fakes.lengths import whole_or

ANY_TEXT = st.text(st.characters(exclude_categories=()))
FAMILY = "👨‍👩‍👧"


PARTS = st.one_of(
    st.text(max_size=30),
    st.sampled_from(
        ["word ", "Sentence. ", "\n", "\n\n", " ", "\t", "a" * 60, "😀", FAMILY, "🇩🇪🇫🇷", "e\u0301", "你好。"]
    ),
    st.sampled_from(
        ["```\n", "```py\n", "\n```\n", "````\n", "``` x\n", "`", "   ```\n", "\r\n```\r\n", "```" + "i" * 40]
    ),
    st.builds(
        "\n```{}\n{}\n```\n".format,
        st.sampled_from(["", "py", "text"]),
        st.text("abc \n", max_size=120),
    ),
)
DOCUMENTS = st.lists(PARTS, max_size=14).map("".join)
LIMITS = st.sampled_from([16, 17, 23, 40, 64, 200])


@settings(max_examples=whole_or(300, 75), deadline=None)
@given(DOCUMENTS, LIMITS)
def test_no_chunk_is_too_long_empty_or_half_a_character(text, limit):
    is_sound(text, limit)


def is_sound(text, limit):
    for chunk in split(text, limit):
        assert chunk.strip() and utf16_length(chunk) <= limit
    written = write(read(text))
    for piece in plan_split(written, limit):
        assert written.text[piece.start - 1 : piece.start + 1] != "e\u0301"


@settings(max_examples=whole_or(300, 75), deadline=None)
@given(DOCUMENTS, LIMITS)
def test_what_a_split_leaves_out_is_whitespace_and_what_it_adds_are_marks(text, limit):
    keeps_the_words(text, limit)


def keeps_the_words(text, limit):
    for written in (WrittenMarkdown(text, ()), write(read(text))):
        pieces = plan_split(written, limit)
        edges = [0, *(edge for piece in pieces for edge in (piece.start, piece.end)), len(written.text)]
        assert edges == sorted(edges)
        for end, start in zip(edges[::2], edges[1::2], strict=True):
            assert not re.sub(r"^> ?|^[ \t]+\d{1,9}[.)]", "", written.text[end:start], flags=re.MULTILINE).strip()
        for before, after in pairwise(pieces):
            if before.closing and "`" in before.closing and before.closing.startswith("\n"):
                assert written.text[before.end : after.start] in {"", "\n"}
                assert after.opening.lstrip("> ").startswith(before.closing.strip("\n> "))
        for piece in pieces:
            assert re.fullmatch(
                r"(?:> )*[`*_~|\[ ]*(?:\d{1,9}\\[.)][ \t]*)?(?:[\w+#.-]*\n(?:.*\n)*(?:> )?)?", piece.opening
            )
            assert re.fullmatch(r"(?:\n(?:> )?`{3,})?|[`*_~| \]]*(?:\]\(.*\))?[*_~|]*", piece.closing)


PIECES = ["word ", "Sentence. ", "\n", "\n\n", " ", "\t", "a" * 30, "😀", FAMILY, "🇩🇪🇫🇷", "e\u0301", "你好。"]
PIECES += ["```\n", "```py\n", "\n```\n", "````\n", "``` x\n", "`", "   ```\n", "\r\n```\r\n", "```" + "i" * 40]


def test_many_texts_of_pieces_keep_their_words():
    """A larger size, beside the properties above."""
    chance = random.Random(20_261_122)
    for _ in range(1_500):
        text, limit = "".join(chance.choices(PIECES, k=chance.randrange(15))), chance.choice((16, 17, 23, 40, 64))
        is_sound(text, limit)
        keeps_the_words(text, limit)


@settings(max_examples=whole_or(300, 75), deadline=None)
@given(
    st.lists(
        st.one_of(
            st.text("ab .", min_size=1, max_size=200).filter(str.strip),
            st.builds(
                "```{}\n{}\n```".format, st.sampled_from(["", "py"]), st.text("ab \n", max_size=300).map("x{}".format)
            ),
        ),
        max_size=8,
    ),
    st.integers(32, 120),
)
def test_every_chunk_of_a_sound_document_is_sound(blocks, limit):
    text = "\n".join(blocks)
    for chunk in split(text, limit):
        lines = [line for line in chunk.split("\n") if line.lstrip(" ").startswith("```")]
        assert len(lines) % 2 == 0
        assert all(line == "```" for line in lines[1::2])
    for block in blocks:
        if block.startswith("```") and utf16_length(block) <= limit:
            assert any(block in chunk for chunk in split(text, limit))


def test_the_cut_prefers_paragraph_then_line_then_sentence_then_word():
    assert split("one two three\n\nfour five\nsix seven", 25) == ("one two three", "four five\nsix seven")
    assert split("one two three\nfour five. six seven", 24) == ("one two three", "four five. six seven")
    assert split("one two three. four five six", 22) == ("one two three.", "four five six")
    assert split("one two three four five six", 17) == ("one two three", "four five six")
    assert split("一二三四五六七八九。一二三四五六七八九", 16) == ("一二三四五六七八九。", "一二三四五六七八九")
    assert split("x" * 40, 16) == ("x" * 16, "x" * 16, "x" * 8)


def test_the_number_of_an_item_stays_with_its_words():
    parts = ("one two three\n2. six seven", "eight nine ten")
    assert split("one two three\n2. six seven eight nine ten", 26) == parts


def test_a_part_that_begins_in_a_list_in_a_list_is_not_counted_with_the_list_around_it():
    text = "1. one\n   1. two and three\n   2. four and five\n2. six and seven"
    assert split(text, 40) == ("1. one\n   1. two and three", "2\\. four and five\n2. six and seven")
    for part in split(text, 40):
        assert split(part, 40) == (part,)


def test_what_fits_is_left_as_it_is():
    for text in ("hello", "```py\nx\n```", "**bold** [x](https://y.org)", "- a\n  - b"):
        assert split(text, 40) == (text,)
    assert split("unclosed\n```py\nx", 40) == ("unclosed\n```py\nx\n```",)
    assert split(" \n\t ", 16) == split("", 16) == ()
    assert split("\n hello \n", 16) == ("hello",)


def test_a_fence_that_fits_goes_whole_into_the_next_chunk():
    assert split("Some words before it.\n```py\nx = 1\ny = 2\n```\nAfter.", 40) == (
        "Some words before it.",
        "```py\nx = 1\ny = 2\n```\nAfter.",
    )


def test_a_fence_that_does_not_fit_is_closed_and_reopened_and_keeps_its_indentation():
    assert split("```py\nif a:\n    b = 1\n    c = 2\nelse:\n    d = 3\n```\nEnd.", 32) == (
        "```py\nif a:\n    b = 1\n```",
        "```py\n    c = 2\nelse:\n```",
        "```py\n    d = 3\n```\nEnd.",
    )


def test_a_fence_that_is_never_closed_is_closed_in_every_chunk():
    assert split("```\n" + "abcdefg\n" * 4, 24) == ("```\nabcdefg\nabcdefg\n```", "```\nabcdefg\nabcdefg\n```")


def test_characters_made_of_several_code_points_stay_together():
    assert split(FAMILY * 4, 23) == (FAMILY * 2,) * 2
    assert split("🇩🇪" * 9, 18) == ("🇩🇪" * 4, "🇩🇪" * 4, "🇩🇪")
    assert split("e\u0301" * 17, 17) == ("e\u0301" * 8, "e\u0301" * 8, "e\u0301")
    assert split("👍🏽" * 5, 19) == ("👍🏽" * 4, "👍🏽")
    assert split("a" + "\u0301" * 40, 16)[0] == "a" + "\u0301" * 15


TABLE = "| a | b |\n|---|---|\n"


def test_tables_stay_tables_where_they_are_asked_for():
    text = f"Here:\n{TABLE}| **c** | `d\\|e` |\n\nDone."
    assert split(text, 200, tables=True) == (text,)
    assert "|" not in split(text, 200)[0].replace("d|e", "")
    # what is no table is written as ever
    assert split(f"{text}\n---", 200, tables=True) == (f"{text}\n{'─' * 12}",)
    assert split("a | b", 200, tables=True) == ("a | b",)


def test_a_table_is_cut_between_rows_and_every_part_has_its_head():
    rows = [f"| row {n} | what belongs to it, and to nobody else here |\n" for n in range(30)]
    parts = split(f"Before.\n\n{TABLE}{''.join(rows)}\nAfter.", 500, tables=True)
    assert parts[0].startswith("Before.") and parts[-1].endswith("After.")
    assert all(utf16_length(part) <= 500 and TABLE.strip() in part for part in parts)
    assert "".join(parts).count("| row ") == len(rows) and rows[0].strip() in parts[0]


def test_a_table_goes_whole_into_the_next_chunk():
    table = TABLE + "".join(f"| row {n} | and what belongs to it |\n" for n in range(6))
    first, second = split(f"{'word ' * 40}\n{table}", 400, tables=True)
    assert "|" not in first and second == table.strip()


def test_a_row_that_fits_no_message_is_drawn():
    parts = split(f"{TABLE}| c | d |\n| {'e ' * 200} | f |", 300, tables=True)
    assert parts[0].startswith(f"{TABLE}| c | d |\n") and "|" not in "".join(parts[1:])
    assert "".join("".join(parts).split()).count("e") == 200 and all(utf16_length(part) <= 300 for part in parts)


def test_no_more_marks_than_are_drawn_stand_in_a_part():
    rows = "".join(f"| **{n}** | `{n}` |\n" for n in range(60))
    parts = split(TABLE + rows, 4096, 40, tables=True)
    assert [int(n) for part in parts for n in re.findall(r"\*\*(\d+)", part)] == list(range(60))
    narrow = [write(read(part)) for part in parts]
    assert all(sum(span.is_drawn for span in one.spans) <= 40 for one in narrow)


def test_a_long_uneven_table_is_cut_quickly():
    rows = "".join(f"| {'x' * (3000 if n == 700 else 3)} | {n} |\n" for n in range(5000))
    began = time.process_time()
    parts = split(TABLE + rows, 4096, 90, tables=True)
    assert time.process_time() - began < 3 and "".join(parts).count("| xxx") == 5000


def test_a_limit_too_small_to_hold_a_fence_is_refused():
    with pytest.raises(ValueError, match="16"):
        split("x", 15)


@pytest.mark.parametrize("limit", [16, 2000, 4096])
def test_hostile_text_is_split_quickly(limit):
    lots = whole_or(1_000_000, 200_000) if limit > 16 else whole_or(100_000, 20_000)
    texts = [" " * lots, "a" + " " * lots + "b", "\n" * lots + "x", "a" * lots, "a " * (lots // 2), "`" * 100_000]
    texts += ["```\n" * 25_000, "```py\n" + "x = 1\n" * 16_000, "   ```\n" * 12_500, FAMILY * 5000, "🇩🇪" * 25_000]
    texts += ["a" + "\u0301" * 100_000, "你好。" * 33_000, ("```" + "i" * 390 + "\n") * 250, "\t" * 100_000 + "```x"]
    for text in texts:
        started = time.process_time()
        split(text, limit)
        assert time.process_time() - started < 5, (text[:20], limit)  # a quadratic one takes minutes


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("a\n```py\ncode", "a\n```py\ncode\n```"),
        ("a\n```py\ncode\n```\nb", "a\n```py\ncode\n```\nb"),
        ("````\n```\nstill inside", "````\n```\nstill inside\n````"),
        ("a\n```p", "a"),
        ("it is **ver", "it is **ver**"),
        ("it is **", "it is"),
        ("it is **very *mu", "it is **very *mu***"),
        ("see [the do", "see"),
        ("see [the docs](https://x.o", "see"),
        ("see [the docs](https://x.org) and", "see [the docs](https://x.org) and"),
        ("run `ls -", "run"),
        ("so \\(x_1 +", "so"),
        ("so\n\n\\[\nx_1 +", "so"),
        ("rows:\n\n| a | b |", "rows:"),
        ("rows:\n\n| a | b |\n", "rows:"),
        ("rows:\n\n| a | b |\n|---|--", "rows:"),
        ("rows:\n\n| a | b |\n|---|---|\n| 1 | 2", "rows:\n\n```\na  b\n─  ─\n```"),
        ("rows:\n\n| a | b |\n|---|---|\n| 1 | 2 |\n| 3", "rows:\n\n```\na  b\n─  ─\n1  2\n```"),
        ("2 * 3 and snake_ca", "2 * 3 and snake_ca"),
        ("> ```py\n> x = 1", "> ```py\n> x = 1\n> ```"),
    ],
)
def test_of_an_answer_that_goes_on_only_what_is_whole_is_shown(text: str, shown: str):
    assert so_far(text, 2000) == shown


@given(DOCUMENTS, LIMITS)
def test_what_is_shown_of_an_answer_fits_and_is_part_of_it(text, limit):
    assert utf16_length(so_far(text, limit)) <= limit
