"""The parts of a recorded request that can be left out, and the inputs without some of them.

A section is made of its lines, and a line of its sentences; the history of its messages; what is offered of its tools.
The newest message stays, and so does whatever is `pinned`. Left out is always an input: the rest is assembled as ever.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import NamedTuple

from bot.context.section import loaded_section
from bot.domain.base import quarter_bytes
from bot.domain.handles import HandleKind, handle, handle_pattern
from bot.domain.messages import Message, Role, TextPart
from bot.domain.snapshot import ContextInputs, ContextSnapshot, SectionStability
from bot.domain.turn import RequestRecord
from bot.inspect.diff.find_words import SourcedLine
from bot.mind.proof.proof_values import ProofPart
from bot.prompts import render
from bot.replay.recorded_inputs import RecordedInputs, RecordedSection, recorded_inputs, recorded_limits, with_texts

HISTORY, TOOLS, NEUTRAL = "history", "tools", "neutral"
MAX_NEUTRAL_TOKENS = 24_000
"""How much text that says nothing stands in for what was left out, at most."""
_BULLET = re.compile(rf"- ({handle_pattern(HandleKind.MEMORY)}) \| ")
_SENTENCE = re.compile(r"[^.!?…。！？]*(?:[.!?…]+[\"”»')\]]*(?=\s|$)|[。！？]+|$)\s*|.+")
_MIN_SENTENCE_CHARS = 8


class PartKind(StrEnum):
    """What can be left out."""

    SECTION = "section"
    LINE = "line"
    SENTENCE = "sentence"
    MEMORY = "memory"
    HISTORY = "history"
    MESSAGE = "message"
    SUMMARY = "summary"
    TOOLS = "tools"
    TOOL = "tool"


class ReplayPart(NamedTuple):
    """A part with its words. `name` is a section's, a tool's or a role's, `number` a line or a message, from 1.

    `handle` opens the record behind it, where there is one; `by` is who wrote a message, as people call them.
    """

    id: str
    kind: PartKind
    name: str
    number: int = 0
    text: str = ""
    handle: str = ""
    by: str = ""


class PartChange(NamedTuple):
    """How a replay differs from its record. `replaced` are parts by id, with the words that stand there instead."""

    left_out: tuple[str, ...] = ()
    replaced: Mapping[str, str] = {}
    neutral_tokens: int = 0


AS_IT_WAS = PartChange()


class _Piece(NamedTuple):
    """A stretch of a section's text, as long as the smallest part; all of them in order are the text."""

    ids: tuple[str, ...]
    text: str


@dataclass(frozen=True)
class DividedRequest:
    """A recorded request, taken apart once. `pinned` are tools that stay: without `skip` nobody can choose silence."""

    recorded: RecordedInputs
    pinned: frozenset[str] = frozenset()

    @cached_property
    def every(self) -> tuple[ReplayPart, ...]:
        """All parts, each before those of which it is made, in the order of the request."""
        return tuple(self._every())

    def part_of(self, line: SourcedLine) -> str:
        """Name the part in which a line of the request stands, as small as it is known; empty where it is none."""
        remembered = (part.id for part in self.every if part.handle and part.handle == line.source.handle)
        section, number, tool = line.piece
        wanted = ""
        if line.message:
            wanted = _message_id(line.message - 1)
        elif section:
            wanted = next(remembered, "") or _line_id(section, number)
        elif tool:
            wanted = _tool_id(tool)
        return wanted if wanted in self.by_id else ""

    def smallest(self, name: str) -> str:
        """Name the part that people mean by another one: a history that is one exchange is its message."""
        asked = [part for part in self._before_newest if part.name == Role.USER.value]
        return asked[0].id if name == HISTORY and len(asked) == 1 else name

    @property
    def _before_newest(self) -> Iterator[ReplayPart]:
        messages = self.recorded.messages[: max(self.recorded.carrier, 0)]
        return (self.by_id[_message_id(at)] for at in range(len(messages)))

    @property
    def newest(self) -> str:
        """The message that is answered: it always stays."""
        return _message_id(self.recorded.carrier)

    @cached_property
    def by_id(self) -> dict[str, ReplayPart]:
        """The parts by their names."""
        return {part.id: part for part in self.every}

    @cached_property
    def tree(self) -> tuple[ProofPart, ...]:
        """The same as a proof takes them."""
        return (*self._section_parts(), *self._history_parts(), *self._tool_parts())

    @cached_property
    def together(self) -> tuple[tuple[str, ...], ...]:
        """Messages of which none goes without the others: what a model called for, and what came back."""
        found: list[list[str]] = []
        for at, message in enumerate(self.recorded.messages):
            if message.role is Role.TOOL and found:
                found[-1].append(_message_id(at))
            elif message.role is Role.ASSISTANT and message.calls:
                found.append([_message_id(at)])
        return tuple(tuple(one) for one in found if len(one) > 1)

    def with_change(self, change: PartChange) -> ContextSnapshot:
        """Assemble the request with a change; without any it is the recorded one."""
        if not change.left_out and not change.replaced and not change.neutral_tokens:
            return self.recorded.assembled()
        unknown = {*change.left_out, *change.replaced} - self.by_id.keys()
        if unknown:
            raise ValueError(f"no part is called {', '.join(sorted(unknown))}")
        inputs = self._changed(frozenset(change.left_out), change.replaced)
        if not change.neutral_tokens:
            return self.recorded.assembled(inputs)
        neutral = loaded_section(NEUTRAL, _neutral_text(min(change.neutral_tokens, MAX_NEUTRAL_TOKENS)))
        padded = RecordedSection(NEUTRAL, SectionStability.STATIC)
        recorded = self.recorded._replace(sections=(*self.recorded.sections, padded))
        # model_copy: every value is validated already
        return recorded.assembled(inputs.model_copy(update={"loaded": (*inputs.loaded, neutral)}))

    def _changed(self, left_out: frozenset[str], replaced: Mapping[str, str]) -> ContextInputs:
        inputs, texts = self.recorded.inputs, self.recorded.texts
        gone: set[str] = set()
        for name, text in texts.items():
            texts[name] = self._section_text(name, text, left_out, replaced)
            gone |= {f"memory:{p.handle}" for p in self._lines_of(name) if p.handle and p.id in left_out}
        kept = [
            (at, _replaced(message, replaced.get(_message_id(at))))
            for at, message in enumerate(self.recorded.messages)
            if at == self.recorded.carrier or not ({_message_id(at)} | self._whole_history(at)) & left_out
        ]
        before = tuple(message for at, message in kept if at <= self.recorded.carrier)
        # model_copy: every value is validated already
        return inputs.model_copy(
            update={
                "loaded": with_texts(inputs, texts, frozenset(gone)),
                "trigger": inputs.trigger.model_copy(update={"messages": before}),
                "rounds": tuple(message for at, message in kept if at > self.recorded.carrier),
                "tools": tuple(
                    tool.replace(description=replaced.get(_tool_id(tool.name), tool.description))
                    for tool in inputs.tools
                    if tool.name in self.pinned or not {_tool_id(tool.name), TOOLS} & left_out
                ),
            }
        )

    def _whole_history(self, at: int) -> frozenset[str]:
        return frozenset((HISTORY,)) if at < self.recorded.carrier else frozenset()

    def _section_text(self, name: str, text: str, left_out: frozenset[str], replaced: Mapping[str, str]) -> str:
        whole = _section_id(name)
        if whole in left_out:
            return ""
        if whole in replaced:
            return replaced[whole]
        kept, last = [], ""
        for piece in self._pieces[name]:
            if left_out.isdisjoint(piece.ids):
                other = next((one for one in piece.ids if one in replaced), "")
                if not other:
                    kept.append(piece.text)
                elif other != last:
                    kept.append(replaced[other] + piece.text[len(piece.text.rstrip()) :])
                last = other
        found = "".join(kept)
        return found if len(kept) == len(self._pieces[name]) else found.rstrip("\n")

    @cached_property
    def _pieces(self) -> dict[str, tuple[_Piece, ...]]:
        return {name: tuple(_pieces_of(name, text)) for name, text in self.recorded.texts.items()}

    def _lines_of(self, name: str) -> Iterator[ReplayPart]:
        known = {source for one in self.recorded.inputs.loaded if one.name == name for source in one.sources}
        for number, line, sentences in _lines(self.recorded.texts[name]):
            words, remembered = line.strip(), _BULLET.match(line)
            if remembered is not None and f"memory:{remembered[1]}" in known:
                yield ReplayPart(_line_id(name, number), PartKind.MEMORY, name, number, words, remembered[1])
                continue
            yield ReplayPart(_line_id(name, number), PartKind.LINE, name, number, words)
            for at, sentence in enumerate(sentences, 1):
                yield ReplayPart(_sentence_id(name, number, at), PartKind.SENTENCE, name, number, sentence.strip())

    def _every(self) -> Iterator[ReplayPart]:
        for name, text in self.recorded.texts.items():
            yield ReplayPart(_section_id(name), PartKind.SECTION, name, text=text)
            yield from self._lines_of(name)
        messages = self.recorded.messages
        if self.recorded.carrier > 0:
            yield ReplayPart(HISTORY, PartKind.HISTORY, HISTORY)
        for at, message in enumerate(messages):
            kind = PartKind.SUMMARY if message.summary is not None else PartKind.MESSAGE
            opens = handle(HandleKind.INBOUND, message.inbound) if message.inbound else ""
            by = message.author.name if message.author and message.role is Role.USER else ""
            yield ReplayPart(_message_id(at), kind, message.role.value, at + 1, _said(message), opens, by)
        if self.recorded.inputs.tools:
            yield ReplayPart(TOOLS, PartKind.TOOLS, TOOLS)
        for tool in self.recorded.inputs.tools:
            yield ReplayPart(_tool_id(tool.name), PartKind.TOOL, tool.name, text=tool.description)

    def _section_parts(self) -> Iterator[ProofPart]:
        for name, text in self.recorded.texts.items():
            lines = [part for part in self._lines_of(name) if part.kind is not PartKind.SENTENCE]
            inside = [part for part in self._lines_of(name) if part.kind is PartKind.SENTENCE]
            below = [
                _proof_part(line, [_proof_part(one) for one in inside if one.number == line.number]) for line in lines
            ]
            # one line is its section
            yield ProofPart(id=_section_id(name), tokens=quarter_bytes(text), parts=_if_several(below))

    def _history_parts(self) -> Iterator[ProofPart]:
        recorded = self.recorded
        parts = [
            ProofPart(
                id=_message_id(at),
                tokens=message.quarter_bytes,
                # what this turn called for and got is no answer to the newest message, and goes without it
                role=message.role.value if at < recorded.carrier else "",
                removable=at != recorded.carrier,
            )
            for at, message in enumerate(recorded.messages)
        ]
        before, after = parts[: max(recorded.carrier, 0)], parts[max(recorded.carrier, 0) :]
        if before:
            yield ProofPart(id=HISTORY, tokens=sum(part.tokens for part in before), parts=tuple(before))
        yield from after

    def _tool_parts(self) -> Iterator[ProofPart]:
        parts = [
            ProofPart(id=_tool_id(tool.name), tokens=tool.quarter_bytes, removable=tool.name not in self.pinned)
            for tool in self.recorded.inputs.tools
        ]
        optional = [part for part in parts if part.removable]
        if optional:
            yield ProofPart(id=TOOLS, tokens=sum(part.tokens for part in optional), parts=tuple(optional))
        yield from (part for part in parts if not part.removable)


def parts_of(record: RequestRecord) -> DividedRequest:
    """Take a recorded request apart, to name its parts; whatever model is asked, they are called the same."""
    return DividedRequest(recorded_inputs(record, recorded_limits(record)))


def _if_several(parts: Sequence[ProofPart]) -> tuple[ProofPart, ...]:
    return tuple(parts) if len(parts) > 1 else ()


def _proof_part(part: ReplayPart, parts: Sequence[ProofPart] = ()) -> ProofPart:
    return ProofPart(id=part.id, tokens=quarter_bytes(part.text), parts=_if_several(parts))


def _section_id(name: str) -> str:
    return f"section:{name}"


def _line_id(name: str, line: int) -> str:
    return f"section:{name}:{line}"


def _sentence_id(name: str, line: int, sentence: int) -> str:
    return f"section:{name}:{line}.{sentence}"


def _message_id(at: int) -> str:
    return f"message:{at + 1}"


def _tool_id(name: str) -> str:
    return f"tool:{name}"


class _TextLine(NamedTuple):
    """A line that says something, with the blank ones behind it; `number` is its place in the text, from 1."""

    number: int
    text: str
    sentences: tuple[str, ...]


def _lines(text: str) -> Iterator[_TextLine]:
    found: list[tuple[int, str]] = []
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip() or not found:
            found.append((number, line))
        else:
            found[-1] = found[-1][0], f"{found[-1][1]}\n{line}"
    last = len(found) - 1
    for at, (number, line) in enumerate(found):
        ended = line if at == last else f"{line}\n"
        yield _TextLine(number, ended, _sentences(ended))


def _sentences(line: str) -> tuple[str, ...]:
    """Cut a line into its sentences; nothing where it is one, or what remains would be no sentence."""
    found = [one for one in _SENTENCE.findall(line) if one]
    if len(found) < 2 or "".join(found) != line or any(len(one.strip()) < _MIN_SENTENCE_CHARS for one in found):
        return ()
    return tuple(found)


def _pieces_of(name: str, text: str) -> Iterator[_Piece]:
    for number, line, sentences in _lines(text):
        own = _line_id(name, number)
        for at, sentence in enumerate(sentences or (line,), 1):
            yield _Piece((own, _sentence_id(name, number, at)) if sentences else (own,), sentence)


def _said(message: Message) -> str:
    return "\n".join((*message.texts, *(call.name for call in message.calls)))


def _replaced(message: Message, text: str | None) -> Message:
    """Return a message with other words in the place of its own; what it calls for or got stays."""
    if text is None:
        return message
    words = iter((TextPart(text=text),))
    parts = [one if not isinstance(one, TextPart) else next(words, None) for one in message.parts]
    kept = tuple(one for one in parts if one is not None) or (TextPart(text=text),)
    # not model_copy: it would carry the cached digest of the words along
    return Message(role=message.role, parts=kept, author=message.author, at=message.at, inbound=message.inbound)


def _neutral_text(tokens: int) -> str:
    """Return text that says nothing, of about so many tokens."""
    once = render("replay/neutral")
    return "\n".join([once] * max(1, tokens // max(1, quarter_bytes(once))))
