"""Say what an answer was made of: the sources that share most with it, with who said them, when and where."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import NamedTuple

from bot.cortex.words.report import MAX_CHARACTERS, MAX_LINES, sureness
from bot.domain.finding import Confidence
from bot.domain.handles import Handle, HandleKind, parse_handle
from bot.inspect.diff.find_words import SourceKind
from bot.mind.silence_suspects import SilenceSuspect, SuspectSign
from bot.mind.source_ranking import AnswerSource, content, shared_words
from bot.ports.store import Store
from bot.prompts import render
from bot.sentences import say
from bot.text.redaction import Redactor
from bot.text.terms import spoken, terms
from bot.text.text import cut_line, quote_line
from bot.text.times import age

MAX_SHOWN = 3
"""Sources of the first message."""
_COLUMNS = 38
_NAME_CHARS = 12
_REASON_CHARS = 60
_MAX_PROOF_CHARS = 150
_TELLING_SIGNS = frozenset({SuspectSign.NON_ADMIN, SuspectSign.OWN_SKIP})


class SourceRecord(NamedTuple):
    """Who said something or which tool returned it, and when (UTC ms); empty and 0 where no record says."""

    author: str = ""
    at: int = 0
    tool: str = ""


class _SourceRow(NamedTuple):
    """A source in words, each cut to a phone's line."""

    kind: str
    tool: str
    author: str
    age: str
    line: str
    shared: str
    place: str
    handle: str
    signs: str


class SourcesText(NamedTuple):
    """What is shown of the sources of an answer, or of the suspects of a silence with the model's own reason.

    `hidden` places of the request are not shown to the reader; `reason` is None for an answer. `title` says what is
    shown where it is neither. `taken` are the words of the answer where nobody named one.
    """

    channel: str
    session: str
    sources: tuple[AnswerSource, ...]
    records: Mapping[str, SourceRecord]
    now: int
    hidden: int = 0
    reason: str | None = None
    title: str = ""
    taken: str = ""
    sure: Confidence = Confidence.LIKELY


@dataclass(frozen=True)
class SourceRecords:
    """Finds out who stands behind a source."""

    store: Store

    async def of(self, name: str) -> SourceRecord:
        """Return who said what a handle opens, and when."""
        parsed = parse_handle(name)
        return await self._read(parsed) if parsed is not None else SourceRecord()

    async def _read(self, parsed: Handle) -> SourceRecord:
        store = self.store
        match parsed.kind:
            case HandleKind.MEMORY:
                memory = await store.memories.by_handle(parsed)
                return SourceRecord(memory.body.provenance.author_name, memory.body.created_at) if memory else _NOBODY
            case HandleKind.INBOUND:
                heard = await store.ledger.by_handle(parsed)
                return SourceRecord(heard.inbound.author.name, heard.inbound.sent_at) if heard else _NOBODY
            case HandleKind.CALL:
                call = await store.journal.call_by_handle(parsed)
                return SourceRecord(at=call.execution_start, tool=call.tool_name) if call else _NOBODY
            case HandleKind.TURN:
                turn = await store.journal.turn_by_handle(parsed)
                return SourceRecord(at=turn.started_at) if turn else _NOBODY
            case _:
                return _NOBODY


_NOBODY = SourceRecord()


def as_source(found: SilenceSuspect) -> AnswerSource:
    """Lay a suspect out like a source; what stands out in it takes the place of the shared words."""
    line, signs = found.line, found.signs[:2]
    # whose it is, and that it is the bot's own, says what to do about it, however little it counts
    signs += tuple(sign for sign in found.signs[2:] if sign in _TELLING_SIGNS)
    words = tuple(say("suspects.sign", sign=sign.value.replace(" ", "-")) for sign in signs)
    return AnswerSource(line.source, line.where, line.text, words, found.score, line.message, piece=line.piece)


def sources_text(told: SourcesText, redactor: Redactor) -> str:
    """Write the first message, for a phone: 15 lines and 900 characters at most."""
    shown = told.sources[:MAX_SHOWN]
    while True:
        rows = [_row(one, told, redactor) for one in shown]
        text = render(
            "cortex/sources",
            channel=cut_line(told.channel, 12),
            session=told.session,
            title=told.title,
            sure=sureness(told.sure),
            sources=rows,
            reason=None if told.reason is None else quote_line(redactor.redact(told.reason).text, _COLUMNS - 10),
            hidden=told.hidden if len(shown) < MAX_SHOWN else 0,
            taken=quote_line(redactor.redact(told.taken).text, _COLUMNS - 4) if told.taken else "",
        )
        if not shown or (len(text) <= MAX_CHARACTERS and text.count("\n") < MAX_LINES):
            return text
        shown = shown[:-1]


def suspect_ways(told: SourcesText, how: str, redactor: Redactor) -> tuple[tuple[str, ...], ...]:
    """Say in lines for the first message what may have made the model silent: all suspects, then one less, and so on.

    `how` is what it did, as a sentence.
    """
    rows = [_row(one, told, redactor) for one in told.sources[:MAX_SHOWN]]
    reason = quote_line(redactor.redact(told.reason or "").text, _REASON_CHARS)
    texts = (
        render("cortex/suspects", how=how.rstrip("."), reason=reason, sources=rows[:count])
        for count in range(len(rows), 0, -1)
    )
    return tuple(tuple(text.split("\n")) for text in texts)


def _row(found: AnswerSource, told: SourcesText, redactor: Redactor) -> _SourceRow:
    name = found.source.handle
    record = told.records.get(name, _NOBODY)
    recalled = found.source.kind is SourceKind.RESULT and name[:1] == HandleKind.MEMORY.value
    words = redactor.redact(content(found.as_line)).text
    return _SourceRow(
        kind=(SourceKind.MEMORY if recalled else found.source.kind).value,
        # a skill comes back from a tool, and is a skill all the same
        tool=quote_line(record.tool, _NAME_CHARS) if found.source.kind is SourceKind.RESULT else "",
        author=quote_line(record.author, _NAME_CHARS) if found.source.kind is not SourceKind.PROGRAM else "",
        age=age(told.now - record.at) if record.at else "",
        line=_wrapped(words) if told.title else quote_line(_around(words, _centre(found, told.reason)), _COLUMNS - 4),
        # three signs are two lines of a phone
        shared=cut_line(", ".join(shared_words(found)), _COLUMNS - 9 if told.reason is None else 2 * _COLUMNS - 4),
        place=cut_line(_place(found), _COLUMNS - 12),
        handle=name,
        signs=cut_line(", ".join(found.signs), _COLUMNS - 4),
    )


def _centre(found: AnswerSource, reason: str | None) -> Sequence[str]:
    """Return the words of which a line is to show one: what it shares with the answer, or with the model's reason."""
    return shared_words(found) if reason is None else [spoken(term) for term in terms(reason)]


def _wrapped(words: str) -> str:
    """Show more of a line that is quoted as a proof: what it says may stand at its end."""
    lines = wrap(quote_line(words, _MAX_PROOF_CHARS), _COLUMNS - 4, break_on_hyphens=False)
    return "\n   ".join(lines)


def _place(found: AnswerSource) -> str:
    if found.source.kind in {SourceKind.CONFIG, SourceKind.SKILL, SourceKind.FILE}:
        return found.source.what
    return found.where


def _around(words: str, shared: Sequence[str]) -> str:
    """Cut a long line so that the first of the shared words is in it."""
    room = _COLUMNS - 4
    at = next((place for one in shared if (place := words.casefold().find(one)) >= 0), 0)
    start = at - room // 3
    return words if len(words) <= room or start <= 0 else f"…{words[start:].lstrip()}"
