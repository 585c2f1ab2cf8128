"""Properties of what cuts, hides and draws text: nothing lost, nothing leaked, nobody called."""

from __future__ import annotations

import base64
import io
import json
import re
import time
import unicodedata
from contextlib import redirect_stdout
from urllib.parse import quote

from hypothesis import given
from hypothesis import strategies as st

from adapters.discord.base.markup import DEAD_AT, WIDE_AT
from adapters.discord.base.markup import discord_markdown as drawn_for_discord
from adapters.telegram.markup import MAX_ENTITIES
from adapters.telegram.sender import plain_text as drawn_for_telegram
from bot.cli.tables import write_table
from bot.text.redaction import Redactor
from bot.text.text import clean, excerpt, fence, one_line_name, unfence, utf16_length, visible
from tests.bot.text.test_redaction import MESSES
from tests.bot.text.test_redaction import REDACTOR as OF_MANY
from tests.bot.text.test_redaction import SECRETS as MANY
from tests.bot.text.test_splitter import PIECES, is_sound, keeps_the_words
from tests.faults.fuzz.junk import HOSTILE, SECRET, TEXTS

LIMITS = st.sampled_from([2000, 4096])
LONG = st.lists(
    st.tuples(st.sampled_from([*PIECES, *HOSTILE]), st.sampled_from([1, 1, 1, 2, 50, 700, 2100])), max_size=9
).map(lambda parts: "".join(piece * times for piece, times in parts)[:12_000])
REDACTOR = Redactor.of({"providers.openai.api_key": SECRET, "phrase": "pass phrase of äß/+\"'"})
SPELT = {
    "plain": lambda text: text,
    "url": lambda text: quote(text, safe=""),
    "base64": lambda text: base64.b64encode(text.encode()).decode(),
    "base64 behind": lambda text: base64.b64encode(b"user:" + text.encode()).decode(),
    "hex": lambda text: text.encode().hex(),
    "json": lambda text: json.dumps(text)[1:-1],
}
MARKER = re.compile(r"\[redacted:[\w.-]{1,64}:\d{1,5}\]")
_SLOW = 1.0


@given(LONG, LIMITS)
def a_long_text_is_cut_as_promised(text: str, limit: int) -> None:
    is_sound(text, limit)
    keeps_the_words(text, limit)


@given(MESSES, st.sampled_from(sorted(SPELT)), MESSES)
def no_spelling_of_a_secret_is_left(before: str, kind: str, after: str) -> None:
    spelt = SPELT[kind](SECRET)
    shown = REDACTOR.redact(before + spelt + after).text
    inner = spelt.rstrip("=")[6:-4] if kind.startswith("base64") else spelt
    assert SECRET not in shown and inner not in shown


@given(st.sampled_from(sorted(MANY)), MESSES, st.integers(450, 700), MESSES, st.booleans())
def no_secret_of_many_is_left_in_a_long_text(name: str, before: str, length: int, after: str, at_the_end: bool) -> None:
    text = before + "x" * length + " " + MANY[name] + ("" if at_the_end else after)
    shown = OF_MANY.redact(text)
    assert MANY[name] not in shown.text
    assert OF_MANY.redact(shown.text).count == 0


@given(st.one_of(MESSES, TEXTS, LONG))
def what_is_no_secret_stays_and_it_takes_no_time(text: str) -> None:
    began = time.thread_time()
    redacted = REDACTOR.redact(text)
    assert time.thread_time() - began < _SLOW
    if redacted.count == 0:
        assert redacted.text == text
        return
    at, pieces = 0, MARKER.split(redacted.text)
    for piece in pieces:
        found = text.find(piece, at)
        assert found >= 0, "what stands between the markers was not there, or not in this order"
        at = found + len(piece)
    assert text.startswith(pieces[0]) and text.endswith(pieces[-1])


@given(st.one_of(TEXTS, LONG))
def discord_gets_the_same_words_that_call_nobody(text: str) -> None:
    shown, sound = drawn_for_discord(text), clean(text).text
    outside = re.sub(r"```.+?```|``.+?``|`[^`]+`", "", shown, flags=re.DOTALL)
    assert not re.search(r"@(?:everyone|here)", outside, re.IGNORECASE)
    assert utf16_length(shown) <= max(2000, utf16_length(sound))
    assert _bare(shown) == _bare(sound)


def _bare(text: str) -> str:
    # of more than three marks around a block three are left, and those in it are parted
    text = text.replace(DEAD_AT, "@").replace(WIDE_AT, "@").replace("\\", "").replace("\u2060", "")
    return text.replace("`", "").replace("\u02cb", "")


@given(st.one_of(TEXTS, LONG))
def telegram_gets_entities_that_lie_in_the_text(text: str) -> None:
    text = clean(text).text
    marked = drawn_for_telegram(text[:4096])
    total = utf16_length(marked.text)
    assert total <= max(4096, utf16_length(text[:4096])) and len(marked.entities) <= MAX_ENTITIES
    units = marked.text.encode("utf-16-le")
    for entity in marked.entities:
        assert 0 <= entity.offset < entity.offset + entity.length <= total
        units[2 * entity.offset : 2 * (entity.offset + entity.length)].decode("utf-16-le")  # no half character


@given(st.lists(st.lists(TEXTS, min_size=2, max_size=2), max_size=3))
def no_cell_steers_a_terminal(rows: list[list[str]]) -> None:
    out = io.StringIO()
    with redirect_stdout(out):
        write_table(["name", "says"], rows)
    assert not any(unicodedata.category(letter) in {"Cc", "Cf", "Cs"} and letter != "\n" for letter in out.getvalue())


@given(TEXTS, st.integers(1, 80), st.sampled_from(["", "py", "c++", "json` \n x"]))
def whatever_is_shown_can_be_seen(text: str, limit: int, info: str) -> None:
    assert len(excerpt(text, limit)) <= limit and "\n" not in excerpt(text, limit)
    assert len(one_line_name(text, limit).splitlines()) == 1
    shown = visible(text)
    assert visible(shown) == shown and unfence(fence(shown, info)) == shown
