"""Quote the lines that a finding about an answer rests on, as its reader may see them, and what can be done."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from bot.cortex.fixes.offers import ThreadReply
from bot.cortex.pages.context_capture import ContextCapturer
from bot.cortex.pages.sources_page import SourceRecords, SourcesText, sources_text
from bot.cortex.sessions.button_signing import ButtonVerb
from bot.cortex.sessions.buttons import ButtonFactory
from bot.cortex.sessions.session_threads import session_handle
from bot.cortex.targets import texts
from bot.cortex.targets.session_context import SessionContext
from bot.cortex.words.report import MAX_BUTTONS
from bot.domain.finding import EvidenceQuote, Finding, UndoCompaction
from bot.domain.handles import Handle, HandleKind, handle, parse_handle
from bot.domain.messages import Button
from bot.inspect.diff.diff_side import side_of
from bot.inspect.diff.find_words import SourcedLine, SourceKind, WordSource, every_line
from bot.mind.source_ranking import AnswerSource, content
from bot.ports.clock import Clock
from bot.ports.store import Store
from bot.sentences import say
from bot.text.redaction import Redactor

_LOST = "LOST-FACT"
_TITLES = {
    "DENIED-CONTEXT": "pages.was-told",
    "CONTRADICTION": "pages.contradicts",
    _LOST: "pages.told-no-more",
    "OWN-REFUSAL": "pages.said-before",
}
FACT_RULES = frozenset(_TITLES)
"""Rules whose findings rest on lines that are quoted behind the report."""


class _Seen(NamedTuple):
    """The lines of a request as a reader may see them, and how many places they may not."""

    lines: tuple[SourcedLine, ...]
    hidden: int


@dataclass(frozen=True)
class FactPages:
    """Reads records; nothing here changes anything, and no model is asked."""

    store: Store
    clock: Clock
    looking: ContextCapturer
    buttons: ButtonFactory
    redactor: Redactor

    async def of(self, talk: SessionContext, finding: Finding, request: int = 0) -> ThreadReply:
        """Quote what a finding rests on; raise UserError where the request cannot be looked at.

        `request` is the one that the answer came back for (0: not known): it can be kept as a check.
        """
        named = [parsed for one in finding.evidence if (parsed := parse_handle(one.handle)) is not None]
        if finding.rule == _LOST:
            found = await self._gone(talk, finding.quotes)
            hidden = len(finding.quotes) - len(found)
        else:
            seen = await self._seen(talk, named)
            found = tuple(_found_again(finding.quotes, seen.lines))
            hidden = max(seen.hidden, len(finding.quotes) - len(found))
        reading = SourceRecords(self.store)
        records = {one.source.handle: await reading.of(one.source.handle) for one in found}
        page = SourcesText(
            texts.channel_word(talk.target),
            session_handle(talk.session),
            found,
            records,
            self.clock.now(),
            hidden if len(found) < len(finding.quotes) else 0,
            title=say(_TITLES[finding.rule]),
            sure=finding.confidence,
        )
        fixes = await self._fixes(talk, finding, named)
        shows = self._openers(talk, records)[: max(1, MAX_BUTTONS - len(fixes))]
        keeps = self.buttons.keep_check(talk.session, await self.store.journal.request(request) if request else None)
        return ThreadReply(sources_text(page, self.redactor), (*fixes, *shows, *keeps))

    async def _seen(self, talk: SessionContext, named: Iterable[Handle]) -> _Seen:
        request = next((one for one in named if one.kind is HandleKind.REQUEST), None)
        stored = await self.store.journal.request_by_handle(request) if request is not None else None
        if stored is None:
            return _Seen((), 0)
        capture = await self.looking.capture(talk.caller, talk.target, stored.id)
        side = side_of(capture.inspection, capture.shown, self.clock.now())
        return _Seen(await asyncio.to_thread(lambda: tuple(every_line(capture.shown, side))), side.hidden)

    async def _gone(self, talk: SessionContext, quotes: Iterable[EvidenceQuote]) -> tuple[AnswerSource, ...]:
        """Quote messages that no request holds any more."""
        if not await self.looking.targets.may_read(talk.caller.person, talk.target):
            return ()
        return tuple(
            AnswerSource(
                WordSource(SourceKind.MESSAGE, say("pages.a-message"), one.handle),
                say("pages.not-told-any-more"),
                one.text,
                (),
                0.0,
            )
            for one in quotes
        )

    async def _fixes(self, talk: SessionContext, finding: Finding, named: Sequence[Handle]) -> tuple[Button, ...]:
        """Offer what puts a lost fact back, or takes one side of a contradiction out; a preview follows each press."""
        make, made = self.buttons, list[Button]()
        for parsed in sorted(named, key=lambda one: one.kind is HandleKind.INBOUND) if finding.rule == _LOST else ():
            if parsed.kind is HandleKind.COMPACTION:
                stored = await self.store.compactions.by_handle(parsed)
                if stored is not None and await self.store.offers.is_current(UndoCompaction(compaction=stored.id)):
                    made.append(
                        make.row(talk.session, ButtonVerb.PREVIEW_UNDO_COMPACTION, say("pages.put-back"), stored.id)
                    )
            elif parsed.kind is HandleKind.INBOUND and finding.quotes and finding.quotes[0].handle == handle(*parsed):
                heard = await self.store.ledger.by_handle(parsed)
                if heard is not None:
                    made.append(make.row(talk.session, ButtonVerb.PREVIEW_REMEMBER, say("pages.remember"), heard.id))
        for parsed in named if finding.rule == "CONTRADICTION" else ():
            memory = await self.store.memories.by_handle(parsed) if parsed.kind is HandleKind.MEMORY else None
            if memory is not None and not memory.forgotten_at:
                label = say("pages.forget", handle=handle(*parsed))
                made.append(make.row(talk.session, ButtonVerb.PREVIEW_FORGET, label, memory.id))
        return tuple(made)

    def _openers(self, talk: SessionContext, records: Iterable[str]) -> tuple[Button, ...]:
        named = [(name, parsed) for name in records if (parsed := parse_handle(name)) is not None]
        return tuple(
            self.buttons.opens(talk.session, say("pages.show", handle=name), parsed.kind, parsed.slot)
            for name, parsed in named
        )


def _found_again(quotes: Iterable[EvidenceQuote], lines: Sequence[SourcedLine]) -> Iterator[AnswerSource]:
    """Find each quote among what the reader may see; what they may not is left out."""
    for quote in quotes:
        words = quote.text.rstrip("…")
        holding = [line for line in lines if words in line.text or words in content(line)]
        own = next((line for line in holding if line.source.handle == quote.handle), None)
        line = own or next(iter(holding), None)
        if line is not None:
            text = line.text if line.source.kind is not SourceKind.CALL else words
            yield AnswerSource(line.source, line.where, text, (), 0.0, line.message)
