"""Find whose words something can be made of: the sources of what a model was told, each with its authority.

The line is drawn so. A source is everything in a request that somebody may have written: people's messages, what they
quote, forward, paste or attach, results of tools, summaries, results of work, and memories. No source are the program's
own words, the operator's files, names and topics of people and places, and descriptions of tools that an admin agreed
to. What a model writes is made of all of it: nobody can tell what it did not use. So it counts for no more than the
least of its sources, however it is worded and in whatever language; only what consists of nothing but words that the
people who are answered have typed themselves, in these very messages, is theirs alone.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from urllib.parse import urlsplit

import orjson

from bot.context.asked_for import is_typed
from bot.context.compaction.plan import SummaryPiece
from bot.context.envelope import find_carrier, section_texts
from bot.context.transcript import parse_header
from bot.context.whose_words import bulletin_lines, typed
from bot.domain.access import Authority
from bot.domain.channel import ChannelState
from bot.domain.ids import PersonKey, platform_of
from bot.domain.messages import AuthorKind, ImagePart, Message, Role, TextPart, ToolCall
from bot.domain.references import HEADER_NAMES
from bot.domain.snapshot import ContextSnapshot
from bot.domain.spread_items import RECALL_TOOL
from bot.domain.turn import ToolCallRecord
from bot.domain.word_origins import OriginSource, WordAuthority, WordOrigins, join_origins
from bot.text.text import one_line_name

TierOf = Callable[[PersonKey], Authority]
"""Says which tier a person has now."""
_OWN_TOOLS = frozenset(
    {
        *("activate_skill", "config_inspect", "doctor", "list_all_tools", "request_tool_injection"),
        *("reply", "offer_choices", "send_card", "send_poll", "send_file"),
        *("react", "skip", "finish", "extend_tool_loop", "cancel"),
        *("memory_save", "memory_delete", "preference_revise", "preference_retract", "branch", "spawn_worker"),
    }
)
"""Tools whose results are the program's own words, or the operator's."""
_HEARD_TOOLS = frozenset({"channel_recall", "read_channel_context"})
"""Tools that return what people said elsewhere or before."""
_QUOTING = frozenset(name for name in HEADER_NAMES.values())
_TELLING_SECTIONS = {"link_context": "linked channels", "tool_recap": "earlier tool calls"}
"""Sections that tell what was said or returned elsewhere or before, and how they are named as a source."""
_BESIDE_MESSAGES = frozenset({"memory_bulletin", *_TELLING_SECTIONS})
"""Sections by which words reach a model that no message of its conversation shows."""
_MAX_NAME = 60
ORIGINS_MARK = "whose words"
"""What stands before the sources of a memory, in the line of it that a search returns."""


class WordOriginTracer:
    """Asks for the tier that people have now; who lost it since has said what they said without it."""

    def __init__(self, tier_of: TierOf = lambda _: Authority.EVERYONE) -> None:
        self._tier_of = tier_of

    def of_request(self, snapshot: ContextSnapshot) -> WordOrigins:
        """Return the sources of everything that a model was told."""
        request = snapshot.request
        carrier = find_carrier(request, snapshot.sections)
        platform = platform_of(snapshot.inputs.state.id)
        found: list[WordOrigins | None] = [of_bulletin(snapshot), _beside(snapshot)]
        calls: Mapping[str, ToolCall] = {}
        for number, message in enumerate(request.messages):
            calls = _calls(message) or calls
            skipped = carrier.parts if carrier is not None and carrier.at == number else 0
            found.append(self._of(message, platform, calls, skipped))
        return join_origins(found).unnamed

    def of_messages(self, messages: Sequence[Message], platform: str) -> WordOrigins:
        """Return the sources of messages of a conversation: of what it was told beside them, as far as it is noted."""
        found: list[WordOrigins | None] = []
        calls: Mapping[str, ToolCall] = {}
        for message in messages:
            calls = _calls(message) or calls
            found.append(self._of(message, platform, calls, 0))
        return join_origins(found).unnamed

    def of_piece(self, state: ChannelState, piece: SummaryPiece) -> WordOrigins:
        """Return whose words a summary can be made of: all that stood in its conversation up to what it stands for.

        What the bot said there was said by who had read all before it.
        """
        last = max((at for at, turn in enumerate(state.turns) if turn.id in piece.turns), default=len(state.turns) - 1)
        before = [message for turn in state.turns[: last + 1] for message in turn.messages]
        return self.of_messages([*before, *piece.sources], platform_of(state.id))

    def of_saying(self, content: str, asked: Collection[str], snapshot: ContextSnapshot, own: Authority) -> WordOrigins:
        """Return the sources of what a model writes down for people who typed `asked`, with the authority `own`.

        None but themselves where each telling word of it stands in what they typed.
        """
        if is_typed(content, asked):
            return WordOrigins()
        found = self.of_request(snapshot)
        return found if found.lowest < WordAuthority.of(own) else WordOrigins()

    def _of(self, message: Message, platform: str, calls: Mapping[str, ToolCall], skipped: int) -> WordOrigins | None:
        if message.origins is not None:
            return message.origins
        if message.summary is not None:
            return _outside("a summary of before")
        if message.role is Role.TOOL:
            return join_origins(_of_result(calls.get(result.call_id), result.text) for result in message.results)
        if message.role is Role.ASSISTANT:
            # what it is made of stands around it, or is noted on it
            return None
        return WordOrigins(sources=tuple(self._of_person(message, platform, skipped)))

    def _of_person(self, message: Message, platform: str, skipped: int) -> Iterator[OriginSource]:
        author = message.author
        if author is None:
            return
        if author.kind is AuthorKind.SELF:
            last = message.parts[-1] if message.parts else None
            headed = parse_header(last.text) if isinstance(last, TextPart) else None
            if headed is not None and headed.header.get("is") == "result":
                yield OriginSource(WordAuthority.OUTSIDE, "a result of work")
            return
        name = one_line_name(author.name, _MAX_NAME) or "somebody"
        is_person = author.kind is AuthorKind.PERSON
        tier = self._tier_of(PersonKey(platform, author.user_id)) if is_person else Authority.EVERYONE
        yield OriginSource(WordAuthority.of(tier), f"{name} (id {author.user_id})")
        parts = message.parts[skipped:]
        texts = [part.text for part in parts if isinstance(part, TextPart)]
        headed = parse_header(texts[-1]) if texts else None
        brought = len(texts) > 1 or any(isinstance(part, ImagePart) for part in parts)
        if headed is not None:
            brought = brought or bool(typed(headed.text)[1]) or not _QUOTING.isdisjoint(headed.header)
        if brought:
            yield OriginSource(WordAuthority.OUTSIDE, "what somebody brought")


def of_bulletin(snapshot: ContextSnapshot) -> WordOrigins:
    """Return the sources of the memories that a request shows."""
    return join_origins(_of_line(line) for line in bulletin_lines(snapshot))


def of_calls(calls: Iterable[ToolCallRecord]) -> WordOrigins:
    """Return the sources of what tools returned, by the records of their calls."""
    return join_origins(
        _of_result(ToolCall(call_id="", name=call.tool_name, arguments=call.raw_arguments_json), call.result_output)
        for call in calls
    )


def note_unseen(messages: Sequence[Message], snapshot: ContextSnapshot) -> tuple[Message, ...]:
    """Note on what a bot said in a turn whose words it was told of that no message of its conversation shows.

    These are memories of others, which may be forgotten while what was said of them stays, what is told of linked
    channels, and results of work that waited.
    """
    # nearly every turn is told nothing of the kind, and all of them ask
    told = any(one.data is not None and one.name in _BESIDE_MESSAGES for one in snapshot.inputs.loaded)
    if not told and not snapshot.inputs.state.finished:
        return tuple(messages)
    speakers = {message.author.user_id for message in snapshot.request.messages if message.author is not None}
    named = frozenset(f"(id {user})" for user in speakers)
    unseen = join_origins([of_bulletin(snapshot), _beside(snapshot)]).below(WordAuthority.ADMIN)
    sources = tuple(
        source
        for source in unseen.sources
        if source.authority is WordAuthority.OUTSIDE or not source.name.endswith(tuple(named) or "\0")
    )
    if not sources:
        return tuple(messages)
    noted = unseen.replace(sources=sources).unnamed
    return tuple(one.replace(origins=noted) if one.role is Role.ASSISTANT else one for one in messages)


def _beside(snapshot: ContextSnapshot) -> WordOrigins:
    """Return the sources of what a request tells beside messages and memories."""
    told = section_texts(snapshot.request, snapshot.sections)
    waiting = [one.origins or _outside("a result of work") for one in snapshot.inputs.state.finished]
    return join_origins([*(_outside(name) for section, name in _TELLING_SECTIONS.items() if section in told), *waiting])


def _of_line(line: Mapping[str, object]) -> WordOrigins:
    kept = line.get("origins")
    if isinstance(kept, dict):
        return WordOrigins.model_validate(kept)
    tier = WordAuthority.ADMIN if line.get("by_admin") else WordAuthority.EVERYONE
    return WordOrigins(sources=(OriginSource(tier, f"{line.get('author')} (id {line.get('author_id')})"),))


def _of_result(call: ToolCall | None, text: str) -> WordOrigins | None:
    if call is None:
        return _outside("a tool")
    if call.name in _OWN_TOOLS:
        return None
    if call.name == RECALL_TOOL:
        return join_origins(_of_recalled(line) for line in text.split("\n"))
    if call.name in _HEARD_TOOLS:
        return WordOrigins(sources=(OriginSource(WordAuthority.EVERYONE, call.name),))
    return _outside(" ".join(filter(None, (call.name, _host(call.arguments)))))


def _of_recalled(line: str) -> WordOrigins | None:
    """Return the sources of a memory that a search returned; its text ends with a quotation mark, ours with a brace."""
    if not line.startswith("- m"):
        return None
    _, mark, kept = line.rpartition(f" | {ORIGINS_MARK} ")
    if mark and kept.endswith("}"):
        try:
            return WordOrigins.model_validate_json(kept)
        except ValueError:
            return _outside(RECALL_TOOL)
    return WordOrigins(sources=(OriginSource(WordAuthority.EVERYONE, f"memory {line[2:7]}"),))


def _outside(name: str) -> WordOrigins:
    return WordOrigins(sources=(OriginSource(WordAuthority.OUTSIDE, one_line_name(name, _MAX_NAME)),))


def _calls(message: Message) -> dict[str, ToolCall]:
    """Return the calls of a round, whose results come next: ids tell calls apart within it only."""
    return {call.call_id: call for call in message.calls}


def _host(arguments: str) -> str:
    """Return which server a call was about, if it says so."""
    try:
        found = orjson.loads(arguments)
    except ValueError:
        return ""
    url = found.get("url") if isinstance(found, dict) else None
    try:
        return urlsplit(str(url)).hostname or "" if url else ""
    except ValueError:
        return ""
