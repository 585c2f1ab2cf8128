"""Open a record for an admin: authorised anew each time, other people's words fenced."""

from __future__ import annotations

from contextlib import suppress

from bot.cortex.targets.owned_record import OwnedRecord
from bot.cortex.targets.record_lookup import RecordLookup
from bot.cortex.targets.target_resolver import TargetResolver
from bot.cortex.words.quoting import by_model, quoted
from bot.domain.access import AccessRight
from bot.domain.handles import HandleKind, parse_handle
from bot.domain.ids import PersonKey
from bot.domain.record_access import may_read
from bot.errors import UserError
from bot.sentences import say
from bot.text.links import defang
from bot.text.redaction import Redactor
from bot.text.text import quote_line


def right_over_record(handle: str) -> AccessRight:
    """Return what it takes over a channel to open a record of it: memories are open to its moderators too."""
    parsed = parse_handle(handle)
    return AccessRight.AUDIT if parsed is not None and parsed.kind is HandleKind.MEMORY else AccessRight.INSPECT


class RecordViewer:
    """Shows records to those who may see them; to others they do not exist."""

    def __init__(self, records: RecordLookup, targets: TargetResolver, redactor: Redactor) -> None:
        self._records = records
        self._targets = targets
        self._redactor = redactor

    async def open(self, person: PersonKey, handle: str) -> str | None:
        """Return the text of a record; None when there is none that this person may open."""
        record = await self._records.read(handle)
        if record is None:
            return None
        named = () if record.key is None else (record.key,)
        target = None
        if named:
            # of a place that never spoke only the platform knows, and it may be away
            with suppress(UserError):
                target = await self._targets.of_session(person, *named)
        right = right_over_record(handle)
        if not may_read(await self._targets.reader(person, target, *named, right=right), record.owner):
            return None
        reads = AccessRight.RECALL if right is AccessRight.AUDIT else AccessRight.READ
        words = target is None or await self._targets.may(reads, person, target)
        return record_text(record, self._redactor, words=words)


def record_text(record: OwnedRecord, redactor: Redactor, *, words: bool) -> str:
    """Write a record; without `words`, what people and the model said in it is withheld."""
    # names in them are dead already; a second look costs nothing, and a line is one line
    shown = (*record.told, *record.lines) if words else record.lines
    lines = [" ".join(defang(redactor.redact(line).text).split()) for line in shown]
    if record.words_first:
        link = (record.link,) if record.link and words else ()
        return "\n".join((*_quotes(record, redactor, words=words), *link, *lines, record.handle))
    if not any(record.handle in line for line in lines):
        lines.append(record.handle)
    return "\n".join((*lines, *_quotes(record, redactor, words=words)))


def _quotes(record: OwnedRecord, redactor: Redactor, *, words: bool) -> list[str]:
    lines: list[str] = []
    for piece in record.words:
        if not words:
            lines += [f"{quote_line(piece.label, 80)}: {say('records.withheld')}"]
        elif piece.by_model:
            label = say("quoting.part-by-model", part=quote_line(piece.label, 80))
            lines += [label, by_model(piece.text, redactor)]
        elif piece.repeats_model:
            lines += [f"{quote_line(piece.label, 80)}:", by_model(piece.text, redactor)]
        else:
            heads = [] if record.words_first else [f"{quote_line(piece.label, 80)}:"]
            lines += [*heads, quoted(piece.text, redactor)]
    return lines
