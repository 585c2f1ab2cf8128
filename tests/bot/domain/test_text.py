"""Odd and hostile text: nothing lost, nothing hidden, nothing live, nothing slow."""

from __future__ import annotations

import hashlib
import re
import time
import unicodedata
from itertools import pairwise

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from bot.domain.figures import duration, exact_number, money, quantity
from bot.domain.links import defang
from bot.domain.splitting import plan_split, split
from bot.domain.text import (
    Cleaned,
    clean,
    count_invisible,
    excerpt,
    fence,
    one_line_name,
    unfence,
    utf16_length,
    visible,
)

ANY_TEXT = st.text(st.characters(exclude_categories=()))
FAMILY = "👨‍👩‍👧"


def test_clean_text_is_left_alone_and_has_no_hash():
    for text in ("", "héllo 😀\r\n\t\x01 \u200b", FAMILY):
        assert clean(text) == Cleaned(text, None)


def test_nul_and_surrogates_are_replaced_and_the_original_is_remembered_by_its_hash():
    original = "a\0b\ud83d"
    assert clean(original) == Cleaned("a�b�", hashlib.sha256(b"a\0b\xed\xa0\xbd").hexdigest())


@settings(max_examples=1000, deadline=None)
@given(ANY_TEXT)
def test_cleaning_touches_nothing_else_and_gives_what_every_store_holds(text):
    cleaned = clean(text)
    assert len(cleaned.text) == len(text)
    assert all(after in (before, "\ufffd") for before, after in zip(text, cleaned.text, strict=True))
    assert "\0" not in cleaned.text and cleaned.text.encode().decode() == cleaned.text
    assert clean(cleaned.text) == (cleaned.text, None)
    assert (cleaned.original_sha256 is None) == (cleaned.text == text)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Ann", "Ann"),
        ("  Ann \t of\nGreen\u2028Gables ", "Ann of Green Gables"),
        ("x**: hi\n\n**Admin**", "x**: hi **Admin**"),
        ("\u202eadmin\u202c\u200b", "admin"),
        ("A\U000e0041\U000e0042nn", "Ann"),
        ("\u3164", "someone"),
        ("\u2800 \u00ad", "someone"),
        ("\u0301\ufe0f", "someone"),
        ("", "someone"),
        ("😀", "😀"),
        ("n" * 100, "n" * 64),
        ("n" * 63 + " n", "n" * 63),
        ("Zoë 李雷", "Zoë 李雷"),
    ],
)
def test_a_name_is_one_visible_line(name, shown):
    assert one_line_name(name) == shown


@settings(max_examples=1000, deadline=None)
@given(ANY_TEXT, st.integers(1, 80))
def test_no_name_is_empty_long_or_hidden(name, limit):
    shown = one_line_name(name, limit)
    assert 0 < len(shown) <= max(limit, len("someone"))
    assert shown == one_line_name(shown, max(limit, len("someone"))) and len(shown.splitlines()) == 1
    assert count_invisible(shown) == 0


def test_every_invisible_code_point_is_shown():
    for code in range(0x110000):
        character = chr(code)
        hidden = unicodedata.category(character) in {"Cc", "Cf", "Co", "Cs", "Zl", "Zp"} or 0xE0000 <= code <= 0xE007F
        if hidden and character not in "\n\t":
            assert visible(f"a{character}b") == f"a⟨U+{code:04X}⟩b" and count_invisible(character) == 1


def test_what_can_be_seen_stays():
    for text in ("plain\n\ttext", "naïve 李雷 привет مرحبا", "❤️ 👍🏽 🇩🇪 1️⃣", "⟨U+200B⟩", "x̂ नमस्ते"):
        assert visible(text) == text and count_invisible(text) == 0


def test_joiners_inside_emoji_are_shown_like_any_other():
    assert visible(FAMILY) == "👨⟨U+200D⟩👩⟨U+200D⟩👧"


def test_a_row_of_variation_selectors_is_a_message_not_an_emoji():
    assert visible("😀\ufe0f\U000e0101\ufe01") == "😀\ufe0f⟨U+E0101⟩⟨U+FE01⟩"


@settings(max_examples=1000, deadline=None)
@given(ANY_TEXT)
def test_showing_twice_is_showing_once(text):
    assert visible(visible(text)) == visible(text) and count_invisible(visible(text)) == 0


def test_an_excerpt_is_one_line_cut_by_characters():
    assert excerpt("two\r\nlines\n\n and \u200bmore", 80) == "two lines and ⟨U+200B⟩more"
    assert excerpt("abcdef", 6) == "abcdef"
    assert excerpt("abcdefg", 6) == "abcde…"
    assert excerpt("ab cdefg", 4) == "ab…"
    assert excerpt("😀😀😀", 2) == "😀…"


@settings(max_examples=500, deadline=None)
@given(ANY_TEXT)
def test_units_are_counted_as_the_platforms_count_them(text):
    assert utf16_length(text) == sum(2 if ord(character) > 0xFFFF else 1 for character in text)


# --- splitting


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


@settings(max_examples=1000, deadline=None)
@given(DOCUMENTS, LIMITS)
def test_no_chunk_is_too_long_empty_or_half_a_character(text, limit):
    for chunk in split(text, limit):
        assert chunk.strip() and utf16_length(chunk) <= limit
    for piece in plan_split(text, limit):
        assert text[piece.start - 1 : piece.start + 1] != "e\u0301"


@settings(max_examples=1000, deadline=None)
@given(DOCUMENTS, LIMITS)
def test_what_a_split_leaves_out_is_whitespace_and_what_it_adds_are_fence_lines(text, limit):
    pieces = plan_split(text, limit)
    assert split(text, limit) == tuple(
        piece.opening + text[piece.start : piece.end] + piece.closing for piece in pieces
    )
    edges = [0, *(edge for piece in pieces for edge in (piece.start, piece.end)), len(text)]
    assert edges == sorted(edges)
    assert all(not text[end:start].strip() for end, start in zip(edges[::2], edges[1::2], strict=True))
    for before, after in pairwise(pieces):
        if before.closing:
            assert text[before.end : after.start] in {"", "\n"}
            assert after.opening.startswith(before.closing[1:])
    for piece in pieces:
        assert re.fullmatch(r"(`{3,}[^`\n]*\n)?", piece.opening)
        assert re.fullmatch(r"(\n`{3,})?", piece.closing)


@settings(max_examples=300, deadline=None)
@given(
    st.lists(
        st.one_of(
            st.text("ab .", min_size=1, max_size=200).filter(str.strip),
            st.builds("```{}\n{}\n```".format, st.sampled_from(["", "py"]), st.text("ab \n", max_size=300)),
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


def test_what_fits_is_left_as_it_is():
    for text in ("hello", "```py\nx\n```", "unclosed\n```py\nx"):
        assert split(text, 40) == (text,)
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


def test_a_limit_too_small_to_hold_a_fence_is_refused():
    with pytest.raises(ValueError, match="16"):
        split("x", 15)


@pytest.mark.parametrize("limit", [16, 2000, 4096])
def test_hostile_text_is_split_quickly(limit):
    lots = 1_000_000 if limit > 16 else 100_000
    texts = [" " * lots, "a" + " " * lots + "b", "\n" * lots + "x", "a" * lots, "a " * (lots // 2), "`" * 100_000]
    texts += ["```\n" * 25_000, "```py\n" + "x = 1\n" * 16_000, "   ```\n" * 12_500, FAMILY * 5000, "🇩🇪" * 25_000]
    texts += ["a" + "\u0301" * 100_000, "你好。" * 33_000, ("```" + "i" * 390 + "\n") * 250, "\t" * 100_000 + "```x"]
    for text in texts:
        started = time.process_time()
        split(text, limit)
        assert time.process_time() - started < 5, (text[:20], limit)  # a quadratic one takes minutes


# --- fencing


@settings(max_examples=2000, deadline=None)
@given(st.one_of(ANY_TEXT, st.text("`\n a~", max_size=40)), st.sampled_from(["", "py", "c++", "json` \n x"]))
def test_a_fence_holds_whatever_it_holds(text, info):
    assert unfence(fence(text, info)) == text


def test_a_fence_is_longer_than_any_inside():
    assert fence("a") == "```\na\n```"
    assert fence("````\nx\n````", "py") == "`````py\n````\nx\n````\n`````"


@pytest.mark.parametrize("text", ["", "plain", "```\nends early\n```\nhere", "```\nnever ends", "x\n```\nlate\n```"])
def test_what_is_not_one_whole_fence_is_not_read_as_one(text):
    assert unfence(text) is None


# --- defanging

HOSTS = (
    *("evil.com", "EVIL.COM", "a.b.evil.co.uk", "evil.io", "пример.рф", "例え.com", "xn--e1afmkfd.xn--p1ai", "t.me"),
    *("discord.gg", "sub-domain.evil.app", "203.0.113.7", "evil.zip", "www.evil.net"),
)
WITH_SCHEME = (
    *(
        "http://{}/CANARY",
        "https://{}/x?q=CANARY",
        "HTTPS://{}#CANARY",
        "hTTp://{}",
        "ftp://{}/CANARY",
        "https:\\\\{}\\CANARY",
    ),
    *(
        "tg://{}/CANARY",
        "discord://{}/CANARY",
        "steam://{}/CANARY",
        "https://user:CANARY@{}/",
        "https://{}:8443/CANARY",
    ),
    *(
        "<https://{}/CANARY>",
        "[click](https://{}/CANARY)",
        "[https://{}](http://{}/CANARY)",
        "(see http://{}/CANARY).",
        "https:///{}",
    ),
    *(
        "ht\u200btps://{}/CANARY",
        "https:/\u2060/{}/CANARY",
        "https：//{}/CANARY",
        "||https://{}/CANARY||",
        "**http://{}/CANARY**",
    ),
    *("x:https://{}/CANARY", "http://http://{}/CANARY", "view-source:https://{}/CANARY", "[a]: https://{}/CANARY 'b'"),
)
BARE = (
    *("{}", "{}/CANARY", "{}?q=CANARY", "//{}/CANARY", "see {}.", "“{}”", "({})", "<{}>", "*{}*", "[click]({}/CANARY)"),
    *(
        "mailto:bob@{}",
        "bob@{}",
        "\u202e{}/CANARY\u202c",
        "{}:8080/CANARY",
        "javascript:open('{}/CANARY')",
        "data:text/html,{}",
    ),
)
SPELLINGS = [(form, host) for host in HOSTS for form in (*WITH_SCHEME, *BARE)]


def is_live(text: str) -> bool:
    """Look the way both clients do, and a little harder: a scheme with slashes, a host with an ordinary dot, a ping."""
    host = r"[^\s.\[\]()<>/:@*“”|]+\.(?:com|uk|co|io|me|gg|app|net|zip|рф|xn--p1ai|7)(?![\w-])"
    return bool(
        re.search(rf"(?i)[:：][/\\／]{{2}}|{host}|\]\(|@|<#|mailto:|javascript:|data:|[\u200b\u2060\u202e]", text)
    )


def test_no_spelling_of_a_link_stays_live():
    assert len(SPELLINGS) >= 500
    live = [form.replace("{}", host) for form, host in SPELLINGS if is_live(defang(form.replace("{}", host)))]
    assert live == []


def test_no_dead_link_carries_a_path_or_a_query():
    carrying = [form.replace("{}", host) for form, host in SPELLINGS if "CANARY" in defang(form.replace("{}", host))]
    assert carrying == []


@pytest.mark.parametrize("zero_width", ["\u200b", "\u00ad", "\u2060", "\U000e0041", "\ufeff"])
def test_a_link_split_by_something_invisible_is_dead_and_shows_it(zero_width):
    for at in range(1, len("evil.com/")):
        shown = defang("evil.com/x"[:at] + zero_width + "evil.com/x"[at:])
        assert zero_width not in shown and not is_live(shown)
        assert f"⟨U+{ord(zero_width):04X}⟩" in shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("see https://example.com/path?q=1.", "see hxxps[:]//example[.]com[…]."),
        ("http://example.com", "hxxp[:]//example[.]com"),
        ("https://example.com/", "hxxps[:]//example[.]com"),
        ("(https://user:pw@a.io:8080/x)", "(hxxps[:]//a[.]io:8080[…])"),
        ("[text](https://a.io/x) [b](b.io)", "[text] (hxxps[:]//a[.]io[…]) [b] (b[.]io)"),
        ("http://[2001:db8::1]/x", "hxxp[:]//[2001:db8::1][…]"),
        ("tg://resolve?domain=x", "tg[:]//resolve[…]"),
        ("t.me/x, discord.gg/y!", "t[.]me[…], discord[.]gg[…]!"),
        ("https://evil%2Ecom/x https://evil。com/x", "hxxps[:]//evil%2Ecom[…] hxxps[:]//evil[。]com[…]"),
        ("ann@example.com", "ann＠example[.]com"),
        ("javascript:alert(1)", "javascript[:][…]"),
        (
            "@everyone @here @ann <@123> <@!5> <@&7> <#8> </ban:9>",
            "＠everyone ＠here ＠ann <＠123> <＠!5> <＠&7> ＜#8> ＜/ban:9>",
        ),
    ],
)
def test_how_a_dead_link_reads(text, shown):
    assert defang(text) == shown


@pytest.mark.parametrize(
    "text",
    [
        "3.14, 1,204.50 and 99.9% at 02:41 and 02:41:07, 2.1 s, v1.2.3, 1.2.3-rc.1, 10.5K",
        "main.py, main.py:42, config.toml, notes.txt, index.html, Node.js, tests/bot/test_text.py, snake_case.rs",
        "channels.general.mode = quiet; bot.domain.redaction; e.g. this, i.e. that, U.S.A., wait...so",
        "discord:123456789012345678:99 data: 3 rows, ratio 3:1, http is a word, a <b> c, f(x)[0]",
        "你好。世界 привет, мир",
        "**bold** _it_ `code` # title - item > quote 1. one",
    ],
)
def test_what_is_no_link_survives(text):
    assert defang(text) == text


@settings(max_examples=1000, deadline=None)
@given(st.one_of(ANY_TEXT, st.text("ahtps:/.@<>#[]()w com1\u200b", max_size=40)))
def test_defanging_twice_is_defanging_once_and_leaves_no_ping(text):
    once = defang(text)
    assert defang(once) == once
    assert not re.search(r"@|:[/\\]{2}|\]\(|[\x00\x01]", once)
    assert count_invisible(once) == 0


def test_hostile_text_is_defanged_quickly():
    traps = [
        "a",
        ".",
        "a.",
        "://",
        "@",
        "a.b/",
        "http://a.com/",
        "](",
        "<#",
        "</a",
        "data:",
        "http://a@",
        "a:",
        "[a](",
        "%",
    ]
    traps += [
        "http://" + "a" * 190 + " ",
        "。",
        "a。",
        "xn--a.",
        "</" + "a" * 90,
        "http://a.com/" + ")" * 999 + "x",
        "\u200b",
    ]
    for trap in traps:
        text = (trap * (100_000 // len(trap) + 1))[:100_000]
        started = time.process_time()
        defang(text)
        assert time.process_time() - started < 0.5, trap[:20]


# --- numbers


@pytest.mark.parametrize(
    ("number", "shown"),
    [
        (0, "0"),
        (999, "999"),
        (1000, "1K"),
        (1204, "1.2K"),
        (999_949, "999.9K"),
        (999_950, "1M"),
        (1_234_567, "1.2M"),
        (2_500_000_000, "2.5B"),
        (-1500, "-1.5K"),
    ],
)
def test_quantities_are_rounded(number, shown):
    assert quantity(number) == shown


def test_exact_numbers_are_not():
    assert [exact_number(number) for number in (7, 1204, -1234567)] == ["7", "1,204", "-1,234,567"]


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [
        (0, "0 ms"),
        (0.0004, "0.4 ms"),
        (0.34, "340 ms"),
        (0.9999, "1 s"),
        (2.1, "2.1 s"),
        (12.4, "12 s"),
        (59.7, "1 min"),
        (240, "4 min"),
        (3599, "1 h"),
        (7200, "2 h"),
        (5400, "1.5 h"),
        (172_800, "2 d"),
        (-2.1, "-2.1 s"),
    ],
)
def test_durations_have_one_unit(seconds, shown):
    assert duration(seconds) == shown


@pytest.mark.parametrize(
    ("usd", "shown"),
    [
        (0, "$0.00"),
        (0.04, "$0.04"),
        (0.0012, "$0.0012"),
        (0.00999, "$0.01"),
        (0.00001, "<$0.0001"),
        (1204.5, "$1,204.50"),
        (-0.04, "-$0.04"),
    ],
)
def test_money_below_a_cent_still_says_something(usd, shown):
    assert money(usd) == shown


@settings(max_examples=300, deadline=None)
@given(st.floats(0, 1e9), st.floats(0, 1e9))
def test_a_figure_is_short_and_has_its_unit(seconds, usd):
    assume(seconds >= 0)
    assert re.fullmatch(r"\d+(\.\d)? (ms|s|min|h|d)", duration(seconds))
    assert re.fullmatch(r"<?\$[\d,]+\.\d+", money(usd))
