from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bot.runtime.lru import LruMap


def test_the_longest_unused_makes_room():
    lately: LruMap[str, int] = LruMap(2)
    assert lately.put("a", 1) and lately.put("b", 2)
    assert lately.get("a") == 1  # used now
    assert not lately.put("c", 3)
    assert (lately.get("a"), lately.get("b"), lately.get("c")) == (1, None, 3)


def test_what_is_dropped_is_gone():
    lately: LruMap[str, int] = LruMap(2)
    lately.put("a", 1)
    assert (lately.drop("a"), lately.drop("a")) == (1, None)
    lately.put("b", 2)
    assert list(lately) == ["b"]
    lately.clear()
    assert len(lately) == 0


@given(st.lists(st.integers(0, 9)), st.integers(1, 5))
def test_it_never_holds_more_and_always_the_newest(keys: list[int], most: int):
    lately: LruMap[int, int] = LruMap(most)
    for key in keys:
        lately.put(key, key)
    assert list(lately) == list(dict.fromkeys(reversed(keys)))[:most][::-1]
