"""Server-sent events, however they are cut."""

from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

from adapters.model_http.sse import SseParser


def cut(stream: bytes, *at: int) -> list[bytes]:
    events, found = SseParser(), []
    places = [0, *sorted(place % (len(stream) + 1) for place in at), len(stream)]
    for start, end in itertools.pairwise(places):
        found += events.feed(stream[start:end])
    return [*found, *events.rest()]


STREAM = ': hello\r\n\r\ndata: {"a":"é😀"}\r\n\r\nevent: x\rdata:one\rdata: two\r\rid: 7\n\n\ndata: [DONE]\n\n'.encode()
FOUND = ['{"a":"é😀"}'.encode(), b"one\ntwo", b"[DONE]"]


@given(st.lists(st.integers(0, len(STREAM)), max_size=12))
def test_cuts_do_not_matter(at: list[int]):
    assert cut(STREAM, *at) == FOUND


def test_every_byte_alone():
    assert cut(STREAM, *range(len(STREAM))) == FOUND


def test_a_line_of_megabytes_in_small_pieces():
    line = b"data: " + b"x" * 3_000_000 + b"\n\n"
    assert cut(line, *range(0, len(line), 4096)) == [b"x" * 3_000_000]


def test_the_last_event_may_lack_its_blank_line():
    assert cut(b"data: a\n\ndata: b") == [b"a", b"b"]


@given(st.binary(max_size=200))
def test_no_bytes_can_break_it(data: bytes):
    cut(b"data: " + data)
