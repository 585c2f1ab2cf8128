"""A cache holds what was used lately: never more entries than it may, and never more bytes, however long texts are."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bot.runtime.lru_cache import ENTRY, LRUCache, takes

texts = st.text(max_size=50).map(lambda text: text * 20)
steps = st.lists(st.tuples(st.sampled_from(["put", "get", "drop"]), st.integers(0, 20), texts), max_size=60)


def test_the_longest_unused_makes_room():
    lately: LRUCache[str, int] = LRUCache(2)
    assert lately.put("a", 1) and lately.put("b", 2)
    assert lately.get("a") == 1  # used now
    assert not lately.put("c", 3)
    assert (lately.get("a"), lately.get("b"), lately.get("c")) == (1, None, 3)


def test_what_is_dropped_is_gone():
    lately: LRUCache[str, int] = LRUCache(2)
    lately.put("a", 1)
    assert (lately.drop("a"), lately.drop("a")) == (1, None)
    lately.put("b", 2)
    assert list(lately) == ["b"]
    lately.clear()
    assert len(lately) == 0


@given(st.lists(st.integers(0, 9)), st.integers(1, 5))
def test_it_never_holds_more_and_always_the_newest(keys: list[int], most: int):
    lately: LRUCache[int, int] = LRUCache(most)
    for key in keys:
        lately.put(key, key)
    assert list(lately) == list(dict.fromkeys(reversed(keys)))[:most][::-1]


@given(steps)
def test_it_holds_no_more_than_it_may_and_knows_how_much_that_is(done: list[tuple[str, int, str]]):
    cache = LRUCache[int, str](most_size=5000)
    for step, key, text in done:
        match step:
            case "put":
                cache.put(key, text)
                assert cache.get(key) == text
            case "get":
                cache.get(key)
            case _:
                cache.drop(key)
        held = {key: cache.get(key) for key in cache}
        assert cache.size == sum(ENTRY + takes(key) + takes(text) for key, text in held.items())
        assert cache.size <= 5000 or len(cache) == 1
    cache.clear()
    assert not cache.size and not len(cache)


def test_what_was_used_last_stays():
    cache = LRUCache[str, str](most_size=3 * (ENTRY + takes("a") + takes("x" * 100)))
    for name in "abc":
        cache.put(name, "x" * 100)
    cache.get("a")
    cache.put("d", "x" * 100)
    assert list(cache) == ["c", "a", "d"]
