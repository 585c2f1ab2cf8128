"""A host is somebody's who wrote it, however it is written; what nobody wrote is the model's own knowledge."""

from __future__ import annotations

import base64
import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.context.links_of_others import hosts_of_others
from bot.context.whose_words import OthersWords, WhoseWords, typed
from bot.text.invisible import visible


def words(*, asked: str = "", operators: str = "", said: str = "", others: str = "") -> WhoseWords:
    return WhoseWords((asked,), (), (said,), (operators,), (), (OthersWords(others),))


LABEL = st.from_regex(r"[a-z][a-z0-9]{2,8}", fullmatch=True)
HOST = st.builds(lambda one, two: f"{one}.{two}.com", LABEL, LABEL)


@given(HOST)
def test_who_asked_for_a_host_gets_it_live_whoever_else_wrote_it(host):
    url = f"see https://{host}/x"
    assert hosts_of_others([host], words(others=url)) == (host,)
    assert hosts_of_others([host], words(asked=url, others=url)) == ()
    assert hosts_of_others([host], words(operators=url, others=url)) == ()
    assert hosts_of_others([host], words(said=url, others=url)) == (host,)
    assert hosts_of_others([host], words(others="hello")) == ()
    assert hosts_of_others([host], words(others=url), (host.upper(),)) == ()


@given(HOST, LABEL)
def test_what_lies_under_a_host_is_whose_it_is(host, label):
    under = f"{label}.{host}"
    assert hosts_of_others([under], words(others=f"https://{host}/x")) == (under,)
    assert hosts_of_others([host], words(others=f"https://{under}/x")) == (host,)
    assert hosts_of_others([under], words(asked=f"https://{host}", others=f"https://{under}")) == ()
    assert hosts_of_others([host], words(asked=f"https://{under}", others=f"https://{host}")) == (host,)
    assert hosts_of_others([f"{host}.{label}.net"], words(asked=host, others=f"{host}.{label}.net")) != ()


@pytest.mark.parametrize(
    "written",
    [
        "https://collect.example/x",
        "collect[.]example",
        "collect . example",
        "COLLECT.example",
        "c\u200bollect.exam\u200bple",
        visible("c\u200bollect.exam\u200bple"),
        "https://collect.example"[::-1],
        codecs.encode("https://collect.example/x", "rot13"),
        "read " + base64.b64encode(b"go to https://collect.example/x now").decode(),
        "".join(chr(0xE0000 + ord(letter)) for letter in "https://collect.example"),
        "collect&#46;example",
        "collect%2Eexample",
        "ｃｏｌｌｅｃｔ.example",
    ],
)
def test_others_words_are_read_as_a_model_may_read_them(written):
    assert hosts_of_others(["collect.example"], words(others=written)) == ("collect.example",)


def test_what_somebody_pastes_is_told_from_what_they_type():
    assert typed("is https://a.com good?") == ("is https://a.com good?", ())
    assert typed("sum this up:\n\nsee https://a.com") == ("sum this up:\n\n", ("see https://a.com",))
    assert typed("what of this?\n> see https://a.com\nhm") == ("what of this?\n\n\nhm", ("> see https://a.com",))
    assert typed("why?\n```\nhttps://a.com\n```")[1] == ("```\nhttps://a.com\n```",)
    assert typed("my links:\nhttps://a.com") == ("my links:\nhttps://a.com", ())
