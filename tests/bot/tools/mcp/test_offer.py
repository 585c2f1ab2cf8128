from __future__ import annotations

import re

from hypothesis import example, given, settings
from hypothesis import strategies as st

from bot.tools.mcp.server_offer import MAX_NAME_CHARACTERS, offered_names

SAFE = re.compile(r"[A-Za-z0-9_-]{1,64}")


@settings(max_examples=40)
@given(st.lists(st.text(max_size=90), max_size=30))
@example(["a b", "a.b", "a_b", "a b"])
@example(["", " ", "\u202e", "x" * 80, "x" * 81])
def test_every_name_is_one_that_providers_take_and_none_is_given_twice(names):
    found = offered_names("a-server-of-24-characters", names)
    assert list(found) == list(dict.fromkeys(names))
    assert len(set(found.values())) == len(found)
    for given_name in found.values():
        assert SAFE.fullmatch(given_name) and len(given_name) <= MAX_NAME_CHARACTERS
        assert given_name.startswith("mcp_a-server-of-24-characters_")


def test_plain_names_stay_readable_and_servers_never_meet():
    assert offered_names("git", ["log", "diff"]) == {"log": "mcp_git_log", "diff": "mcp_git_diff"}
    assert not set(offered_names("a", ["b_c"]).values()) & set(offered_names("a-b", ["c"]).values())
