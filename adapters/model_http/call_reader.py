"""Put tool calls together from the pieces that services send; never with arguments nobody sent, and never twice.

What the protocol promises, a number and an id for each call, is what many services do not keep: all calls have the
number 0, ids are empty or new with every piece, names come in pieces or after their arguments, and what was sent in
pieces is sent once more as a whole.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from json import JSONDecoder
from typing import Any, NamedTuple

import orjson

from adapters.model_http.json_cache import is_object
from adapters.model_http.sse import json_text
from bot.domain.llm import MAX_CALLS
from bot.domain.messages import ProviderData, ToolCall
from bot.domain.repairs import AnswerRepair

_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
_PREFIX = re.compile(r"(?:functions|function|tools|tool|default_api|assistant)[.:/]+", re.IGNORECASE)
_NUMBER = re.compile(r":\d+$")
_PARALLEL = "multi_tool_use.parallel"
_DECODER = JSONDecoder()
_MAX_DOCUMENTS = 8
_UNKNOWN = "…"
"""Before arguments of which nobody knows whose they are; no JSON begins so, and nothing is run with it."""


class CallPiece(NamedTuple):
    """A piece of a call as it came; `at` is the number that it has. Empty: it said nothing of that."""

    at: int | None = None
    id: str = ""
    name: str = ""
    arguments: str = ""
    added: Mapping[str, Any] | None = None


class ReadCalls(NamedTuple):
    """The calls of an answer. `dropped` came beyond those that are taken."""

    calls: tuple[ToolCall, ...] = ()
    repairs: tuple[AnswerRepair, ...] = ()
    dropped: int = 0


@dataclass(eq=False)
class _GrowingCall:
    """A call that is still growing."""

    id: str = ""
    name: str = ""
    pieces: list[str] = field(default_factory=list)
    added: dict[str, Any] = field(default_factory=dict)
    at: int | None = None
    is_doubtful: bool = False
    _looked: tuple[int, bool] = (0, False)

    @property
    def arguments(self) -> str:
        return "".join(self.pieces)

    @property
    def is_whole(self) -> bool:
        count, known = self._looked
        if count == len(self.pieces):
            return known
        # a piece in the middle does not end so, and is not joined with all others for that
        known = self.pieces[-1].rstrip()[-1:] in ("}", '"', ">") and (
            is_object(self.arguments) or _whole_arguments(self.pieces) is not None
        )
        self._looked = len(self.pieces), known
        return known


class CallReader:
    """Grows with every piece. `offered` are the names of the tools that the model was offered."""

    def __init__(self, offered: Collection[str] = ()) -> None:
        self._offered = offered
        self._calls: list[_GrowingCall] = []
        self._by_index: dict[int, _GrowingCall] = {}
        self._by_id: dict[str, _GrowingCall] = {}
        self._newest: _GrowingCall | None = None
        self._surplus = _GrowingCall()
        self._repairs: dict[AnswerRepair, None] = {}
        self.dropped = 0

    @property
    def any(self) -> bool:
        """Whether anything came of a call."""
        return bool(self._calls)

    @property
    def are_whole(self) -> bool:
        """Whether every call has come with its name and its arguments."""
        return all(call.name and (call.is_whole or not call.arguments.strip()) for call in self._calls)

    def take(self, piece: CallPiece) -> None:
        """Add a piece to the call that it belongs to."""
        call = self._named(piece) if piece.name else self._nameless(piece)
        if call is None:
            return
        if piece.at is not None and (call is not self._surplus or piece.at in self._by_index):
            self._by_index[piece.at] = call
        self._newest = call
        if call is self._surplus:
            return
        if piece.id:
            call.id = call.id or piece.id
            self._by_id.setdefault(piece.id, call)
        if piece.arguments:
            call.pieces.append(piece.arguments)
        if piece.added:
            _add(call.added, piece.added)

    def read(self, provider: str) -> ReadCalls:
        """Return the calls as far as they came; `provider` gets back what it added to them."""
        found: list[ToolCall] = []
        seen: set[tuple[str | int, str, str]] = set()
        self._doubt()
        for number, call in enumerate(self._calls):
            if not call.name and not call.id and not call.arguments.strip():
                continue
            name, arguments = self._name(call.name), self._arguments(call)
            what = name, _canonical(arguments)
            # a number is one place: what stands there twice is one call
            known = {(place, *what) for place in (call.id, call.at) if place is not None and place != ""}
            if known & seen or (not call.id and any(what == one[1:] for one in seen)):
                self._repair(AnswerRepair.CALL_TWICE)
                continue
            seen |= known or {("", *what)}
            data = _data(provider, call.added)
            one = ToolCall(call_id=call.id or f"call_{number}", name=name, arguments=arguments, added=data)
            found += self._apart(one)
        return ReadCalls(tuple(found[:MAX_CALLS]), tuple(self._repairs), self.dropped + len(found[MAX_CALLS:]))

    def _doubt(self) -> None:
        """Run no call without arguments where anything is odd: what belongs to it may be with another."""
        in_pieces = any(call.arguments.strip() and not call.is_whole for call in self._calls)
        if in_pieces or self._repairs:
            for call in self._calls:
                if not call.arguments.strip() and not call.is_doubtful:
                    call.is_doubtful = True
                    self._repair(AnswerRepair.ARGUMENTS_ADRIFT)

    # whose a piece is

    def _nameless(self, piece: CallPiece) -> _GrowingCall | None:
        """Find the call that a piece without a name goes on with."""
        by_id = self._by_id.get(piece.id) if piece.id else None
        at_index = self._by_index.get(piece.at) if piece.at is not None else None
        found = by_id or at_index
        if found is not None:
            if piece.id and by_id is None and found.id:
                self._repair(AnswerRepair.STRAY_IDS)
            return found
        if not piece.arguments.strip() and not piece.id:
            return None
        if self.dropped:
            return self._surplus
        newest = self._newest
        if newest is None or newest.is_whole:
            # its name may come later
            return self._begun(piece)
        waiting = [call for call in self._calls if not call.is_whole]
        if len(waiting) > 1 and piece.arguments.strip():
            for call in waiting:
                call.is_doubtful = True
            self._repair(AnswerRepair.ARGUMENTS_ADRIFT)
        elif piece.at is not None or piece.id:
            self._repair(AnswerRepair.STRAY_IDS)
        return newest

    def _named(self, piece: CallPiece) -> _GrowingCall:
        """Find the call that a piece with a name begins or goes on with."""
        at_index = self._by_index.get(piece.at) if piece.at is not None else self._newest
        by_id = self._by_id.get(piece.id) if piece.id else None
        if by_id is not None and (at_index is by_id or piece.at is None or not by_id.name):
            at_index = by_id
        elif by_id is not None:
            # the same id under another number: the same call once more, or an id that is not one
            return self._begun(piece)
        found = at_index
        if found is None or found is self._surplus:
            return self._begun(piece)
        if not found.name:
            found.name = piece.name
            self._repair(AnswerRepair.NAME_IN_PIECES)
            return found
        if self._goes_on(found, piece):
            return found
        if piece.at is not None and found is self._by_index.get(piece.at):
            self._repair(AnswerRepair.SHARED_INDEX)
        return self._begun(piece)

    def _goes_on(self, call: _GrowingCall, piece: CallPiece) -> bool:
        """Say whether a piece with a name goes on with a call that has one, and take the name."""
        is_other = bool(piece.id and call.id and piece.id != call.id)
        begins = piece.arguments.lstrip().startswith("{")
        if call.arguments.strip():
            if call.is_whole or (is_other and begins):
                return False
            if piece.name != call.name:
                return False
            # the name once more with every piece; a whole object that goes on from what came is told later
            return not is_other or bool(piece.arguments)
        if piece.name == call.name:
            return not is_other
        name = self._joined(call.name, piece, is_other=is_other)
        if not name:
            return False
        call.name = name
        self._repair(AnswerRepair.NAME_IN_PIECES)
        return True

    def _joined(self, name: str, piece: CallPiece, *, is_other: bool) -> str:
        """Put a name together that comes in pieces, or grows; empty where it is the name of another call."""
        offered = self._offered
        if is_other or (name in offered and piece.name in offered):
            return ""
        if piece.name.startswith(name) and (piece.name in offered or not offered):
            return piece.name
        if name + piece.name in offered or name not in offered:
            return name + piece.name if offered or not piece.arguments else ""
        # a whole name, and behind it what is no tool: the rest of a name that is mended, as with marks of a channel
        return name + piece.name if piece.name.startswith("<|") else ""

    def _begun(self, piece: CallPiece) -> _GrowingCall:
        """Begin another call; beyond so many they are only counted, and nothing of them is kept."""
        if len(self._calls) < MAX_CALLS:
            call = _GrowingCall(name=piece.name, at=piece.at)
            self._calls.append(call)
            return call
        if piece.name or piece.id != self._surplus.id:
            self.dropped += 1
        self._surplus.id = piece.id
        return self._surplus

    # what a call is

    def _name(self, name: str) -> str:
        # only what a server left there is taken away: a name that a model invented stays one, and is answered as such
        mended = mended_name(name, self._offered) if "<|" in name else name
        if mended != name:
            self._repair(AnswerRepair.NAME_MENDED)
        return mended

    def _arguments(self, call: _GrowingCall) -> str:
        text = call.arguments
        if call.is_doubtful:
            return _UNKNOWN + text
        if not text.strip() or is_object(text):
            return text
        whole = _whole_arguments(call.pieces)
        if whole is None:
            return text
        self._repair(AnswerRepair.ARGUMENTS_TWICE)
        return whole

    def _apart(self, call: ToolCall) -> Iterator[ToolCall]:
        """Take the calls apart that a model wrote into the arguments of one."""
        uses = _parallel_uses(call) if call.name == _PARALLEL and _PARALLEL not in self._offered else None
        if uses is None:
            yield call
            return
        self._repair(AnswerRepair.PARALLEL_CALL)
        for number, (name, arguments) in enumerate(uses):
            mended = mended_name(name, self._offered)
            yield ToolCall(call_id=f"{call.call_id}_{number}", name=mended, arguments=arguments)

    def _repair(self, what: AnswerRepair) -> None:
        self._repairs[what] = None


def mended_name(name: str, offered: Collection[str]) -> str:
    """Return the name of a tool without what a server leaves around it; unchanged where no name comes out."""
    if name in offered:
        return name
    bare = name.strip().partition("<|")[0].strip().strip("\"'`")
    tries = [bare, _NUMBER.sub("", bare), _PREFIX.sub("", bare), _NUMBER.sub("", _PREFIX.sub("", bare))]
    tries += [bare.rpartition(".")[2], bare[: len(bare) // 2] if bare[: len(bare) // 2] * 2 == bare else bare]
    tries += [bare.replace("-", "_"), bare.lower()]
    if found := next((one for one in tries if one in offered), ""):
        return found
    if bare == _PARALLEL:
        return bare
    # it may be one that is opened by being called
    return next((one for one in reversed(tries[:4]) if one != name and _NAME.fullmatch(one)), name)


def objects_in(text: str) -> list[dict[str, Any]] | None:
    """Return the JSON objects that a text is made of; None where anything else is in it."""
    found: list[dict[str, Any]] = []
    at = 0
    while at < len(text):
        if text[at].isspace():
            at += 1
            continue
        if text.startswith("<|", at) and found:
            break
        try:
            value, at = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):
            return None
        if not isinstance(value, dict) or len(found) >= _MAX_DOCUMENTS:
            return None
        found.append(value)
    return found or None


def _whole_arguments(pieces: list[str]) -> str | None:
    """Return arguments that came more than once, or more and more of them; None where they are not whole."""
    pieces = [piece for piece in pieces if piece.strip()]
    if not pieces:
        return None
    last = pieces[-1]
    if is_object(last):
        earlier = pieces[:-1]
        grows = all(after.startswith(before) for before, after in zip(earlier, pieces[1:], strict=True))
        if grows or last.startswith("".join(earlier)):
            return last
    text = "".join(pieces)
    if text.lstrip().startswith('"'):
        try:
            inner = orjson.loads(text)
        except ValueError:
            return None
        return inner if isinstance(inner, str) and is_object(inner) else None
    objects = objects_in(text)
    if objects and len(objects) == 1 and "<|" not in text:
        # one object that is none for everybody else
        return None
    said = [one for one in objects or () if one]
    if not objects or any(one != said[0] for one in said):
        return None
    return json_text(said[0]) if said else "{}"


def _parallel_uses(call: ToolCall) -> list[tuple[str, str]] | None:
    try:
        uses = orjson.loads(call.arguments)["tool_uses"]
        return [(str(use["recipient_name"]), json_text(use.get("parameters") or {})) for use in uses]
    except (ValueError, KeyError, TypeError, AttributeError):
        return None


def _canonical(arguments: str) -> str:
    try:
        return orjson.dumps(orjson.loads(arguments or "{}"), option=orjson.OPT_SORT_KEYS).decode()
    except (ValueError, TypeError):
        return arguments


def _add(have: dict[str, Any], more: Mapping[str, Any]) -> None:
    for key, value in more.items():
        old = have.get(key)
        have[key] = {**old, **value} if isinstance(old, dict) and isinstance(value, dict) else value


def _data(provider: str, added: Mapping[str, Any]) -> ProviderData | None:
    return ProviderData(provider=provider, data=json_text(added)) if added else None
