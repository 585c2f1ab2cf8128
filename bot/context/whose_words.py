"""Tell whose words stand in a request: of those who are answered, of the operator, of the bot, or of anybody else."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

import orjson

from bot.context.envelope import find_carrier, section_texts
from bot.context.transcript import ParsedMessage, parse_header
from bot.domain.channel import ProcessKind
from bot.domain.ids import UserId
from bot.domain.messages import Author, AuthorKind, Message, ReferenceKind, Role, TextPart
from bot.domain.references import HEADER_NAMES
from bot.domain.snapshot import ContextSnapshot

FOREIGN_TOOLS = "mcp_"
"""How the name of a tool begins that a server of somebody else describes (`bot.tools.mcp.naming`)."""
_OPERATORS_SECTIONS = frozenset({"identity", "skills", "organisation_context", "worker_capabilities"})
_OWN_SECTIONS = frozenset(
    {"operating_contract", "contract", "platform_guidance", "silence_rules", "inspection_contract"}
)
_ON_DEMAND = "tools_on_demand"
_BULLETIN = "memory_bulletin"
_OPERATORS_RESULTS = frozenset({"activate_skill", "config_inspect"})
"""Tools whose results are the operator's own files."""
_LINKS = HEADER_NAMES[ReferenceKind.LINKS]
_FORWARDED = HEADER_NAMES[ReferenceKind.FORWARDED]
_QUOTES = HEADER_NAMES[ReferenceKind.ANSWERED]
_PASTED = re.compile(r"[:：][ \t]*\n[ \t]*\n(?=\s*\S)")
_QUOTED_PART = re.compile(r"^(?:```|~~~).*?(?:^(?:```|~~~)[ \t]*$|\Z)|^[ \t]*>[^\n]*$", re.DOTALL | re.MULTILINE)


class OthersWords(NamedTuple):
    """What somebody else wrote, or what a tool, a file or a record says. `author` is who is named with it.

    `message_id` is the message that it is, where it is one. `is_shown`: who asks holds it out to the bot, in an answer
    to that message or pasted into their own.
    """

    text: str
    author: str = ""
    message_id: str = ""
    is_shown: bool = False


class WhoseWords(NamedTuple):
    """The words of a request. `asked` are those of the messages that this turn answers, `asked_before` the same
    people's earlier ones; `said` is the bot's own last message, `operators` is the configuration's and its files',
    `own` what the program itself says in every request.
    """

    asked: tuple[str, ...]
    asked_before: tuple[str, ...]
    said: tuple[str, ...]
    operators: tuple[str, ...]
    own: tuple[str, ...]
    others: tuple[OthersWords, ...]


def whose_words(snapshot: ContextSnapshot, asker: UserId, rows: Collection[int]) -> WhoseWords:
    """Sort what a model was told by whose words it is.

    `asker` is in whose name the turn acts, `rows` are the ledger rows of the messages that it goes back to. Everybody
    whose message a turn answers counts as one who asks. What they quote, forward, attach or paste is others'; pasted
    is what stands in a block of code or behind `>`, and everything behind a line that ends with a colon and an empty
    line. What is nobody's known words is others': whatever kind of data is new in a request begins as that.
    """
    return _Sorting(snapshot, asker, rows).sorted()


class _Sorting:
    def __init__(self, snapshot: ContextSnapshot, asker: UserId, rows: Collection[int]) -> None:
        self._snapshot = snapshot
        self._asked_rows = _asked_rows(snapshot, rows)
        answered = (m.author for m in snapshot.inputs.trigger.messages if m.author is not None and not _is_result(m))
        self._askers = {asker, *(author.user_id for author in answered if author.kind is AuthorKind.PERSON)}
        self._pointed_at = set(_pointed_at(snapshot.request.messages, self._asked_rows))
        self._asked: list[str] = []
        self._before: list[str] = []
        self._said: list[str] = []
        self._operators: list[str] = []
        self._own: list[str] = []
        self._others: list[OthersWords] = []

    def sorted(self) -> WhoseWords:
        self._sections()
        self._tools()
        self._messages()
        return WhoseWords(
            asked=tuple(self._asked),
            asked_before=tuple(self._before),
            said=tuple(self._said),
            operators=tuple(self._operators),
            own=tuple(self._own),
            others=tuple(self._others),
        )

    def _sections(self) -> None:
        request, sections = self._snapshot.request, self._snapshot.sections
        for name, text in section_texts(request, sections).items():
            if name in _OPERATORS_SECTIONS:
                self._operators.append(text)
            elif name in _OWN_SECTIONS:
                self._own.append(text)
            elif name == _BULLETIN:
                self._bulletin(text)
            elif name == _ON_DEMAND:
                for line in text.split("\n"):
                    self._description(line, is_foreign=f"- {FOREIGN_TOOLS}" in line)
            else:
                self._others.append(OthersWords(text))

    def _bulletin(self, text: str) -> None:
        admins = tuple(f"- {line['handle']} |" for line in bulletin_lines(self._snapshot) if line.get("by_admin"))
        for line in text.split("\n"):
            if line.startswith(admins):
                self._operators.append(line)
            else:
                self._others.append(OthersWords(line))

    def _tools(self) -> None:
        for tool in self._snapshot.request.tools:
            self._description(tool.json_text, is_foreign=tool.name.startswith(FOREIGN_TOOLS))

    def _description(self, text: str, *, is_foreign: bool) -> None:
        if is_foreign:
            self._others.append(OthersWords(text))
        else:
            self._own.append(text)

    def _messages(self) -> None:
        request = self._snapshot.request
        carrier = find_carrier(request, self._snapshot.sections)
        names = {call.call_id: call.name for message in request.messages for call in message.calls}
        newest = max((n for n, m in enumerate(request.messages) if m.inbound in self._asked_rows), default=0)
        for number, message in enumerate(request.messages):
            parts = message.parts[carrier.parts if carrier is not None and carrier.at == number else 0 :]
            if message.role is Role.ASSISTANT:
                words = [message.text, *_replies(message)]
                # the newest before what is asked: what a turn says itself is no answer of anybody
                self._said = [one for one in words if one.strip()] or self._said if number < newest else self._said
            elif message.role is Role.TOOL:
                for result in message.results:
                    if names.get(result.call_id) in _OPERATORS_RESULTS:
                        self._operators.append(result.text)
                    else:
                        self._others.append(OthersWords(result.text))
            else:
                self._said_by_people(message, [part.text for part in parts if isinstance(part, TextPart)])

    def _said_by_people(self, message: Message, texts: Sequence[str]) -> None:
        headed = parse_header(texts[-1]) if texts else None
        author = message.author
        if headed is None or author is None or message.summary is not None:
            if author is not None or message.summary is not None:
                self._others += [OthersWords(text) for text in texts]
            return
        if author.kind is AuthorKind.SELF and not _is_result(message):
            # the task of a process: the model's own words
            return
        self._others += [OthersWords(text) for text in texts[:-1]]
        is_asking = author.kind is AuthorKind.PERSON and author.user_id in self._askers and not _is_result(message)
        if not is_asking or _FORWARDED in headed.header:
            is_shown = bool(message.message_id) and message.message_id in self._pointed_at
            self._others.append(OthersWords(headed.text, author.name, message.message_id, is_shown))
            self._others.append(OthersWords(orjson.dumps(headed.header).decode(), author.name))
            return
        self._asked_by(message, headed, author)

    def _asked_by(self, message: Message, headed: ParsedMessage, author: Author) -> None:
        is_asked = message.inbound in self._asked_rows
        mine = self._asked if is_asked else self._before
        own, pasted = typed(headed.text)
        mine.append(own)
        self._others += [OthersWords(text, is_shown=is_asked) for text in pasted]
        header = dict(headed.header)
        links = header.pop(_LINKS, ())
        for one in links if isinstance(links, list) else ():
            if not pasted:
                mine.append(str(one.get("url", "")))
            self._others.append(OthersWords(str(one.get("title", "")) + (f" {one.get('url')}" if pasted else "")))
        quotes = header.get(_QUOTES)
        if isinstance(quotes, dict) and "words" in quotes:
            words, who = str(quotes["words"]), str(quotes.get("from", ""))
            if who != "you":
                self._others.append(OthersWords(words, who, str(header.get("replies_to", "")), is_asked))
            elif is_asked:
                self._said.append(words)
            header[_QUOTES] = {key: value for key, value in quotes.items() if key != "words"}
        # what is left are names, of files for one
        for mine_too in ("at", "from", "id"):
            header.pop(mine_too, None)
        self._others.append(OthersWords(orjson.dumps(header).decode()))


def typed(text: str) -> tuple[str, tuple[str, ...]]:
    """Tell what somebody typed from what they pasted or quoted within it, by its shape."""
    behind = _PASTED.search(text)
    own, pasted = (text[: behind.end()], [text[behind.end() :]]) if behind else (text, [])
    quoted = [found[0] for found in _QUOTED_PART.finditer(own)]
    return _QUOTED_PART.sub("\n", own), (*quoted, *pasted)


def _asked_rows(snapshot: ContextSnapshot, rows: Collection[int]) -> set[int]:
    inputs = snapshot.inputs
    found = {message.inbound for message in inputs.trigger.messages if not _is_result(message)} | set(rows)
    if inputs.kind is ProcessKind.BRANCH and inputs.state.turns:
        # a branch is a copy of the conversation: what was asked is its last turn
        found |= {message.inbound for message in inputs.state.turns[-1].messages if not message.ambient}
    return found - {0}


def _is_result(message: Message) -> bool:
    last = message.parts[-1] if message.role is Role.USER and message.parts else None
    headed = parse_header(last.text) if isinstance(last, TextPart) else None
    return headed is not None and headed.header.get("is") == "result"


def _pointed_at(messages: Sequence[Message], rows: Collection[int]) -> Iterator[str]:
    """Name the messages that the asked ones answer: those that stand in the conversation are not quoted again."""
    for message in messages:
        if message.inbound in rows and message.parts:
            last = message.parts[-1]
            headed = parse_header(last.text) if isinstance(last, TextPart) else None
            if headed is not None and headed.header.get("replies_to"):
                yield str(headed.header["replies_to"])


def _replies(message: Message) -> Iterator[str]:
    for call in message.calls:
        if call.name == "reply":
            yield call.arguments


def bulletin_lines(snapshot: ContextSnapshot) -> Sequence[Mapping[str, object]]:
    """Return what a request says of each memory that it shows."""
    for one in snapshot.inputs.loaded:
        if one.name == _BULLETIN and one.data is not None:
            lines: Sequence[Mapping[str, object]] = orjson.loads(one.data)["lines"]
            return lines
    return ()
