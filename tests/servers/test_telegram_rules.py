"""Invariants of the server's own rules, by generated examples."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from tests.fakes.lengths import whole_or
from tests.servers.telegram import FIRST_UPDATE, Inlet
from tests.servers.telegram.inlet import FUTURE
from tests.servers.telegram.markup import parsed
from tests.servers.telegram.refusals import Refused
from tests.servers.telegram.spans import cleaned, cut, found, joined, stripped, units

QUICK = settings(deadline=None, max_examples=whole_or(100, 40))
MARKED = st.text(st.sampled_from("ab <>/&;*_`[]()~|\\\n🍵ä.=\"'bi"), max_size=40)
ODD = st.text(st.sampled_from("a1 @/#:.-_?\n🍵ähtps\u200b"), max_size=60)


@QUICK
@given(st.one_of(ODD, st.text(max_size=60)))
def test_what_is_found_stands_in_the_text(text):
    entities = found(text)
    places = [(entity["offset"], entity["offset"] + entity["length"]) for entity in entities]
    assert all(start < end <= units(text) for start, end in places)
    assert all(end <= start for (_, end), (start, _) in pairwise(places))
    assert all("\ufffd" not in cut(text, e["offset"], e["length"]) for e in entities if "\ufffd" not in text)


@QUICK
@given(MARKED, st.sampled_from(["HTML", "Markdown", "MarkdownV2"]))
def test_markup_parses_or_is_refused_in_the_apis_words(text, mode):
    try:
        plain, entities = parsed(text, mode)
    except Refused as refused:
        assert refused.code == 400 and refused.description.startswith("Bad Request: can't parse entities: ")
        return
    assert all(0 <= entity["offset"] < units(plain) for entity in entities)
    assert all(entity["offset"] + entity["length"] <= units(plain) for entity in entities)


@QUICK
@given(st.text(max_size=60))
def test_escaping_survives_every_mode(text):
    marked = "".join(f"\\{letter}" if 0 < ord(letter) <= 126 else letter for letter in text)
    html = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    assert parsed(marked, "MarkdownV2") == (text, [])
    assert parsed(html, "HTML") == (text, [])


@QUICK
@given(ODD, st.text(st.sampled_from(" \n\t"), max_size=3))
def test_blanks_are_cut_and_entities_follow(text, blank):
    padded = blank + text + blank
    body, entities = stripped(padded, found(padded))
    assert body == body.strip()
    assert entities == joined(entities, body) or len(joined(entities, body)) >= len(entities)
    assert cleaned(cleaned(text)) == cleaned(text)


class Queue(RuleBasedStateMachine):
    """Updates come in order, again and again, until an offset passes them, and never after."""

    def __init__(self) -> None:
        super().__init__()
        self.inlet = Inlet()
        self.waiting: list[int] = []
        self.now = 0

    @rule(gap=st.integers(0, 3))
    def happen(self, gap: int) -> None:
        self.inlet.skip(gap)
        assert self.inlet.add("message", {"text": "x"}, self.now)
        self.waiting.append(self.inlet.next_id - 1)

    @rule(limit=st.integers(1, 5), data=st.data())
    def poll(self, limit: int, data: st.DataObject) -> None:
        offset = data.draw(st.sampled_from([0, *self.waiting, self.inlet.next_id, self.inlet.next_id + FUTURE]))
        self.waiting = [number for number in self.waiting if number >= offset]
        self._take(offset, limit)

    @rule(limit=st.integers(1, 5), last=st.integers(1, 5))
    def keep_the_last(self, limit: int, last: int) -> None:
        self.waiting = self.waiting[-last:]
        self._take(-last, limit)

    @rule()
    def ask_too_far(self) -> None:
        self._take(self.inlet.next_id + FUTURE + 1, 100)

    @rule()
    def sleep_a_day(self) -> None:
        self.now += 86_400
        self.waiting.clear()
        self._take(0, 100)

    @invariant()
    def nothing_else_waits(self) -> None:
        assert [update["update_id"] for update in self.inlet.pending] == self.waiting
        assert self.inlet.next_id >= FIRST_UPDATE

    def _take(self, offset: int, limit: int) -> None:
        batch = [update["update_id"] for update in self.inlet.take(offset, limit, self.now)]
        assert batch == self.waiting[:limit]


TestQueue = Queue.TestCase
TestQueue.settings = QUICK
