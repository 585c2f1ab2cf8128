"""Odd and hostile text: nothing lost, nothing hidden, nothing live, nothing slow."""

from __future__ import annotations

import hashlib
import random
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.text.text import (
    CleanedText,
    clean,
    count_invisible,
    excerpt,
    fence,
    is_blank,
    one_line_name,
    unfence,
    utf16_length,
    visible,
)
from tests.fakes.chance import any_text
from tests.fakes.lengths import whole_or

ANY_TEXT = st.text(st.characters(exclude_categories=()))
FAMILY = "👨‍👩‍👧"


def test_clean_text_is_left_alone_and_has_no_hash():
    for text in ("", "héllo 😀\r\n\t\x01 \u200b", FAMILY):
        assert clean(text) == CleanedText(text, None)


@pytest.mark.parametrize("text", ["", " \n", "\u200b\u2060", "\u3164", "\u2800 \ufeff", "\x00", "\U000e0041"])
def test_what_nobody_can_see_is_blank(text):
    assert is_blank(text) and not is_blank(f"{text}x") and not is_blank(f"{text}👨\u200d👩")


def test_nul_and_surrogates_are_replaced_and_the_original_is_remembered_by_its_hash():
    original = "a\0b\ud83d"
    assert clean(original) == CleanedText("a�b�", hashlib.sha256(b"a\0b\xed\xa0\xbd").hexdigest())


@settings(max_examples=whole_or(300, 75), deadline=None)
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
        ("x**: hi\n\n**Admin**", "x∗∗: hi ∗∗Admin∗∗"),
        ("\u202eadmin\u202c\u200b", "⟨U+202E⟩admin⟨U+202C⟩⟨U+200B⟩"),
        ("A\U000e0041\U000e0042nn", "A⟨U+E0041⟩⟨U+E0042⟩nn"),
        ("\u3164", "someone"),
        ("\u2800 \u00ad", "someone"),
        ("\u0301\ufe0f", "someone"),
        ("", "someone"),
        ("😀", "😀"),
        ("n" * 100, "n" * 63 + "…"),
        ("n" * 63 + " n", "n" * 63 + "…"),
        ("Zoë 李雷", "Zoë 李雷"),
        ("#general", "#general"),
        ("snake_case_name", "snake_case_name"),
        ("C++ & co.", "C++ & co."),
        ("👨\u200d👩\u200d👧 at home", "👨\u200d👩\u200d👧 at home"),
        ("علی\u200cرضا", "علی\u200cرضا"),
        ("A\u200dB", "A⟨U+200D⟩B"),
        ("[Log in](https://evil.test/x)", "[Log in] (hxxps[:]//evil[.]test[…])"),
        ("t.me/evil @root", "t[.]me[…] ＠root"),
        ("/forgetme now", "∕forgetme now"),
        ("x" * 54 + " evil.comfort", "x" * 54 + " evil[.]c…"),
        ("hi #tag $USD", "hi ＃tag ＄USD"),
        ("`x` __b__ ~~s~~ ||p||", "ˋxˋ ＿＿b＿＿ ∼∼s∼∼ ∣∣p∣∣"),
        ("<@1> <b>x</b> &lt;", "＜＠1> ＜b>x＜∕b> ＆lt;"),
        ("> # quoted", "＞ # quoted"),
        ("\x1b]0;PWNED\x07\x9b2J", "⟨U+001B⟩]0;PWNED⟨U+0007⟩⟨U+009B⟩2J"),
        ("\u0301\u0301Ann", "◌\u0301\u0301Ann"),
        ("Z" + "\u0301" * 50, "Z" + "\u0301" * 3),
    ],
)
def test_a_name_is_one_visible_line(name, shown):
    assert one_line_name(name) == shown


@settings(max_examples=whole_or(300, 75), deadline=None)
@given(ANY_TEXT, st.integers(1, 80))
def test_no_name_is_empty_long_or_hidden(name, limit):
    shown = one_line_name(name, limit)
    assert 0 < len(shown) <= max(limit, len("someone"))
    assert shown == one_line_name(shown, max(limit, len("someone"))) and len(shown.splitlines()) == 1
    assert count_invisible(shown) == 0


def test_every_invisible_code_point_is_shown():
    # the last two planes are private use alone
    for code in (*range(0xF0000), *range(0xF0000, 0x110000, whole_or(1, 97))):
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


@settings(max_examples=whole_or(300, 75), deadline=None)
@given(ANY_TEXT)
def test_showing_twice_is_showing_once(text):
    assert visible(visible(text)) == visible(text) and count_invisible(visible(text)) == 0


def test_an_excerpt_is_one_line_cut_by_characters():
    assert excerpt("two\r\nlines\n\n and \u200bmore", 80) == "two lines and ⟨U+200B⟩more"
    assert excerpt("abcdef", 6) == "abcdef"
    assert excerpt("abcdefg", 6) == "abcde…"
    assert excerpt("ab cdefg", 4) == "ab…"
    assert excerpt("😀😀😀", 2) == "😀…"


@settings(max_examples=whole_or(200, 50), deadline=None)
@given(ANY_TEXT)
def test_units_are_counted_as_the_platforms_count_them(text):
    assert utf16_length(text) == sum(2 if ord(character) > 0xFFFF else 1 for character in text)


INFOS = ["", "py", "c++", "json` \n x"]


@settings(max_examples=whole_or(300, 75), deadline=None)
@given(st.one_of(ANY_TEXT, st.text("`\n a~", max_size=40)), st.sampled_from(INFOS))
def test_a_fence_holds_whatever_it_holds(text, info):
    assert unfence(fence(text, info)) == text


def test_thousands_of_texts_stay_inside_their_fences():
    """A larger size, beside the property above."""
    chance = random.Random(20_261_122)
    for _ in range(whole_or(10_000, 2_000)):
        odd, ticks = any_text(chance), "".join(chance.choices("`\n a~", k=chance.randrange(40)))
        for text in (odd, ticks):
            assert unfence(fence(text, info := chance.choice(INFOS))) == text, (text, info)


def test_a_fence_is_longer_than_any_inside():
    assert fence("a") == "```\na\n```"
    assert fence("````\nx\n````", "py") == "`````py\n````\nx\n````\n`````"


@pytest.mark.parametrize("text", ["", "plain", "```\nends early\n```\nhere", "```\nnever ends", "x\n```\nlate\n```"])
def test_what_is_not_one_whole_fence_is_not_read_as_one(text):
    assert unfence(text) is None
