"""A link that is shown as text leads nowhere, however it is written, and can still be copied."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.text.links import is_within, plain_host
from bot.text.links_as_text import as_text, hosts_in, without_last_link
from bot.text.splitter import split
from tests.fakes.lengths import whole_or
from tests.rendering.live_links import leads_to

EVIL = "evil.com"
AROUND = st.text(st.sampled_from("ab `*_~|[]()<>\\\n#-.:/!&x")) | st.text(max_size=20)
WRITTEN = st.sampled_from(
    (
        f"https://{EVIL}/x?y=1",
        f"http://{EVIL}",
        EVIL,
        f"www.{EVIL}/x",
        f"[label](https://{EVIL}/x)",
        f"[https://example.org](https://{EVIL}/x)",
        f"![picture](https://{EVIL}/x.png)",
        f"<https://{EVIL}/x>",
        f"**https://{EVIL}/x**",
        f"| a | b |\n|---|---|\n| https://{EVIL}/x | c |",
        f"> see https://{EVIL}/x",
        f"[a]: https://{EVIL}/x",
        "https://EVIL.com/x",
        "evil\\.com",
        "evil&#46;com/x",
        "ev**il.c**om",
    )
)


@given(AROUND, WRITTEN, AROUND, WRITTEN, AROUND)
@settings(max_examples=whole_or(300, 75), deadline=None)
def test_nothing_around_it_makes_a_link_live_again(one, link, two, other, three):
    text = f"{one} {link} {two} {other} {three}"
    hosts = [host for host in hosts_in(text) if is_within(host, EVIL)]
    for part in as_text(text, hosts, lambda shown: split(shown, 2000)):
        assert EVIL not in leads_to(part)


@given(st.integers(1, 60), WRITTEN, st.sampled_from([16, 40, 100]))
@settings(max_examples=whole_or(100, 40), deadline=None)
def test_no_cut_makes_a_link_live_again(many, link, limit):
    for part in as_text(f"{'word ' * many}{link}/{'y' * many}", {EVIL}, lambda shown: split(shown, limit)):
        assert EVIL not in leads_to(part)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("See https://evil.com/x?y=1.", "See `https://evil.com/x?y=1`."),
        ("See <https://evil.com/x>", "See `https://evil.com/x`"),
        ("[the news](https://evil.com/x)!", "the news (`https://evil.com/x`)!"),
        ("[https://bank.com](https://evil.com/x)", "https://bank.com (`https://evil.com/x`)"),
        ("`https://evil.com`", "`https://evil.com`"),
        ("```\nhttps://evil.com\n```", "```\nhttps://evil.com\n```"),
        ("https://good.com and evil.com", "https://good.com and `evil.com`"),
        ("a ` b https://evil.com/x", "a ` b ``https://evil.com/x``"),
        ("evil\\.com", "```\nevil\\.com\n```"),
    ],
)
def test_it_is_shown_whole(text, shown):
    assert as_text(text, {EVIL}) == (shown,)


def test_a_text_without_such_a_link_stays_what_it_was():
    assert as_text("https://good.com/x `evil.com`", {EVIL}) == ("https://good.com/x `evil.com`",)


def test_a_link_that_may_go_on_is_not_shown_yet():
    assert without_last_link("see https://evil.co") == "see"
    assert without_last_link("see evil.co") == "see"
    assert without_last_link("see https://evil.com now") == "see https://evil.com now"
    assert without_last_link("so it is.") == "so it is."


@pytest.mark.parametrize(
    ("host", "known"),
    [
        ("example.org", "example.org"),
        ("docs.example.org", "example.org"),
        ("EXAMPLE.org.", "example.org"),
        ("www.example.org", "example.org"),
        ("пример.рф", "xn--e1afmkfd.xn--p1ai"),
        ("a.ПРИМЕР.рф", "пример.рф"),
        ("ｅｘａｍｐｌｅ。org", "example.org"),
    ],
)
def test_a_known_host_has_spellings_and_hosts_under_it(host, known):
    assert is_within(plain_host(host), plain_host(known))


@pytest.mark.parametrize(
    ("host", "known"),
    [
        ("example.org", "docs.example.org"),
        ("badexample.org", "example.org"),
        ("example.org.evil.net", "example.org"),
        ("example-org.net", "example.org"),
        ("exаmple.org", "example.org"),  # with a letter of another script
        ("evil.co.uk", "co.uk"),
        ("evil.org", "org"),
        ("1.10.0.0.1", "10.0.0.1"),
    ],
)
def test_a_longer_name_with_a_known_one_in_it_is_another(host, known):
    assert not is_within(plain_host(host), plain_host(known))


LABEL = st.from_regex(r"[a-z0-9]{1,8}", fullmatch=True)


@given(st.lists(LABEL, min_size=2, max_size=4), st.lists(LABEL, min_size=1, max_size=3))
def test_hosts_lie_under_hosts_whole_label_by_whole_label(known, more):
    base = ".".join(known)
    assert is_within(base, base)
    assert not is_within(f"{more[0]}{base}", base)
    assert not is_within(f"{base}.{'.'.join(more)}", base) or f"{base}.{'.'.join(more)}".endswith("." + base)


def test_a_long_word_is_no_link_and_is_read_quickly():
    began = time.process_time()
    assert without_last_link("a" * 20_000 + " ") == "a" * 20_000 + " "
    assert time.process_time() - began < 0.3
