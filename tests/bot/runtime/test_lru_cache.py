"""A cache holds what was used lately, and never more bytes than it may, however long the texts are."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bot.runtime.lru_cache import ENTRY, LRUCache, takes

texts = st.text(max_size=50).map(lambda text: text * 20)
steps = st.lists(st.tuples(st.sampled_from(["put", "get", "drop"]), st.integers(0, 20), texts), max_size=60)


@given(steps)
def test_it_holds_no_more_than_it_may_and_knows_how_much_that_is(done: list[tuple[str, int, str]]):
    cache = LRUCache[int, str](5000)
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
        assert cache.bytes == sum(ENTRY + takes(key) + takes(text) for key, text in held.items())
        assert cache.bytes <= 5000 or len(cache) == 1
    cache.clear()
    assert not cache.bytes and not len(cache)


def test_what_was_used_last_stays():
    cache = LRUCache[str, str](3 * (ENTRY + takes("a") + takes("x" * 100)))
    for name in "abc":
        cache.put(name, "x" * 100)
    cache.get("a")
    cache.put("d", "x" * 100)
    assert list(cache) == ["c", "a", "d"]
