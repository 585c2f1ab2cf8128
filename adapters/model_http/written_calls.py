"""Find tool calls that a model wrote as text, because its server has no parser for them, and keep them from people.

Every family of models has a form of its own; a server that knows the form makes a call of it, and one that does not
hands it on as words. Nothing that stands in a block of code, in a line of code, or in the middle of a sentence is such
a call: an answer may be about them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from json import JSONDecoder
from typing import Any, NamedTuple

import orjson

from adapters.model_http.call_reader import mended_name
from adapters.model_http.sse import json_text
from bot.domain.llm import MAX_CALLS, ToolDefinition
from bot.text.thoughts import CodeMarks, unfinished_mark_start

_SPECIAL = (
    "<|tool_calls_section_begin|>",
    "<|tool_call_section_begin|>",
    "<|tool_call_begin|>",
    "<|tool_calls|>",
    "<|tool_call|>",
    "<|tool_call>",
    "<|python_tag|>",
    "<｜tool▁calls▁begin｜>",
    "<｜tool▁call▁begin｜>",
    "<｜dsml｜",
    "<|dsml|",
    "[tool_calls]",
    "[tool_call]",
)
"""Marks that are single tokens of their models: nobody writes them in a sentence."""
_TAGS = (
    "<tool_call>",
    "<tool_calls>",
    "<tool_use>",
    "<function_call>",
    "<function_calls>",
    "<functioncall>",
    "<function=",
    "<invoke ",
    "<function_calls>",
    "<invoke ",
    "<minimax:tool_call>",
    "<seed:tool_call>",
)
_MARKS = (*_SPECIAL, *_TAGS)
_MARK = re.compile("|".join(map(re.escape, _MARKS)), re.IGNORECASE)
_CALL_GAP = re.compile(
    r"\s+|[,;]|</?(?:\|)?(?:tool_calls?|tool_use|function_calls?|functioncall|(?:antml:)function_calls"
    r"|minimax:tool_call|seed:tool_call|function)\|?>|<\|?/?tool_calls?\|?>|<\|tool_calls?(?:_section)?_(?:begin|end)\|>"
    r"|<｜tool▁(?:calls?|outputs?)▁(?:begin|end)｜>|</?[｜|]dsml[｜|](?:function_calls|tool_calls)>"
    r"|<\|python_tag\|>|<\|eom_id\|>|<\|eot_id\|>|<\|im_end\|>|\[/?tool_calls?\]|</?invoke>|</(?:antml:)?invoke>",
    re.IGNORECASE,
)
"""What stands around calls and between them, and says nothing by itself."""
_INVOKE = re.compile(
    r"<(?:[｜|]DSML[｜|]|antml:)?invoke name=\"([^\"]+)\">(.*?)</(?:[｜|]DSML[｜|]|antml:)?invoke>", re.S | re.I
)
_PARAMETER = re.compile(
    r"<(?:[｜|]DSML[｜|]|antml:)?parameter name=\"([^\"]+)\"(?: string=\"(true|false)\")?>(.*?)"
    r"</(?:[｜|]DSML[｜|]|antml:)?parameter>",
    re.S | re.I,
)
_FUNCTION = re.compile(r"<function=([^>\s]+)>(.*?)(?:</function>|(?=<function=)|$)", re.S | re.I)
_XML_PARAMETER = re.compile(r"<parameter=([^>\s]+)>(.*?)(?:</parameter>|(?=<parameter=)|$)", re.S | re.I)
_GLM = re.compile(r"([A-Za-z0-9_.-]+)\s*((?:<arg_key>.*?</arg_key>\s*<arg_value>.*?</arg_value>\s*)+)", re.S)
_GLM_PAIR = re.compile(r"<arg_key>(.*?)</arg_key>\s*<arg_value>(.*?)</arg_value>", re.S)
_KIMI = re.compile(r"\s*([\w.:-]+?)\s*<\|tool_call_argument_begin\|>\s*")
_DEEPSEEK = re.compile(r"(?:function)?<｜tool▁sep｜>\s*([\w.-]+)\s*```(?:json)?\s*|([\w.-]+)\s*<｜tool▁sep｜>\s*")
_MISTRAL = re.compile(r"([A-Za-z_][\w.-]*)(?:\[CALL_ID\]\w*)?(?:\[ARGS\])?\s*(?=\{)")
_GEMMA = re.compile(r"call:([\w.-]+)\s*(?=\{)")
_NAME_KEYS = ("name", "tool", "function", "tool_name", "recipient_name")
_ARGUMENT_KEYS = ("arguments", "parameters", "args", "input", "params")
_OTHER_KEYS = frozenset({"id", "type", "call_id"})
_KEYS = frozenset((*_NAME_KEYS, *_ARGUMENT_KEYS, *_OTHER_KEYS))
_FENCED = re.compile(r"```[ \t]*(\w*)[ \t]*\n(.*?)\n?[ \t]*```\s*", re.S)
_CALLING_FENCES = frozenset({"tool_call", "tool_calls", "tool_code", "tool_use", "function_call"})
_CALLING_FENCE = re.compile(r"```[ \t]*(?:tool_calls?|tool_code|tool_use|function_call)[ \t]*\n", re.IGNORECASE)
_BARE = re.compile(r"(?:```[ \t]*+(?:\w++[ \t]*+)?\n)?\s*+(?:\[\s*+)?\{")
_BARE_KEY = re.compile(r"(?:```[ \t]*+(?:\w++[ \t]*+)?\n)?\s*+(?:\[\s*+)?\{\s*+\"(\w++)\"\s*+:")
_BARE_BEGINNING = re.compile(
    r"`{1,3}[ \t]*+\w{0,20}+\s*+(?:\[\s*+)?(?:\{\s*+(?:\"\w*+(?:\"\s*+)?)?)?"
    r"|\s*+(?:\[\s*+)?\{\s*+(?:\"\w*+(?:\"\s*+)?)?"
)
_PYTHON = re.compile(r"([A-Za-z_]\w*)(?:\.call)?\((.*)\)\s*", re.S)
_PYTHON_ARGUMENT = re.compile(
    r"\s*([A-Za-z_]\w*)\s*=\s*(\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|-?\d+(?:\.\d+)?|True|False|None)\s*(?:,|$)", re.S
)
_DECODER = JSONDecoder()
_MAX_BLANK_CHARS = 4096
_LITERALS = {"True": True, "False": False, "None": None}


class FoundCalls(NamedTuple):
    """What was found behind the first mark, which is `raw`. `rest` are words behind the calls, `unread` is no call."""

    calls: tuple[tuple[str, str], ...] = ()
    rest: str = ""
    unread: str = ""
    raw: str = ""


class WrittenCalls:
    """Takes the words of an answer in pieces, and says which of them may be seen: none from the mark of a call on."""

    def __init__(self, offered: Sequence[ToolDefinition]) -> None:
        self._offered = {tool.name: tool for tool in offered}
        self._passed: list[str] = []
        self._code = CodeMarks()
        self._has_words = False
        self._rest = ""
        self._held: list[str] = []
        self._is_begun = False
        self._looks = bool(offered)

    def feed(self, words: str) -> str:
        """Take words; return those that may be seen now."""
        if not self._looks:
            return words
        if self._held:
            self._hold(words)
            return self._let_go()
        if self._is_begun and not self._rest and "<" not in words and "[" not in words and "{" not in words:
            self._passed.append(words)
            return words
        self._rest += words
        return self._look(is_whole=False)

    @property
    def is_plain(self) -> bool:
        """Whether nothing waits, so that words may go past."""
        return not self._looks or (self._is_begun and not self._rest and not self._held)

    @property
    def has_any(self) -> bool:
        """Whether words are held back that may become a call."""
        return bool(self._held or self._rest.strip())

    def pass_by(self, words: str) -> None:
        """Learn of words that were seen without being asked for here."""
        self._passed.append(words)

    def restart(self) -> None:
        """Forget what came: it was thought."""
        self._passed, self._rest, self._held, self._is_begun = [], "", [], False
        self._code, self._has_words = CodeMarks(), False

    def end(self) -> tuple[str, FoundCalls]:
        """Return the last words that may be seen, and what was found; the answer is whole."""
        seen = self._look(is_whole=True) if self._looks and not self._held else ""
        text = "".join(self._held)
        if not text:
            return seen, FoundCalls()
        line = self._follow().line
        found = read_written(text, self._offered, is_all=not self._has_words, line=line)
        if found is None:
            # it only looked so
            return seen + text, FoundCalls()
        return seen, found._replace(raw=text)

    def _look(self, *, is_whole: bool) -> str:
        text = self._rest
        if not self._is_begun:
            begun = text.lstrip()
            if not begun and not is_whole and len(text) < _MAX_BLANK_CHARS:
                return ""
            if _may_be_bare(begun, self._offered, is_whole=is_whole):
                self._hold(text)
                self._rest, self._is_begun = "", True
                return ""
            if not is_whole and _BARE_BEGINNING.fullmatch(begun):
                return ""
            self._is_begun = True
        code, followed = self._follow(), 0
        for at in _places(text, code.line):
            code.feed(text[followed:at])
            followed = at
            if text[at] == "{" and not _may_be_bare(text[at:], self._offered, is_whole=is_whole):
                continue
            if not code.inside and code.line[-1:] not in tuple("'\"“‘("):
                self._has_words = self._has_words or bool(text[:at].strip())
                self._hold(text[at:])
                self._rest = ""
                return text[:at]
        cut = len(text) if is_whole else max(followed, self._uncertain(text, code.line if not followed else "-"))
        seen, self._rest = text[:cut], text[cut:]
        self._has_words = self._has_words or bool(seen.strip())
        self._passed.append(text[followed:cut])
        return seen

    def _follow(self) -> CodeMarks:
        """Go on to where the words stand that were seen."""
        passed = "".join(self._passed)
        self._passed.clear()
        self._has_words = self._has_words or bool(passed.strip())
        self._code.feed(passed)
        return self._code

    def _uncertain(self, text: str, before: str) -> int:
        """Return from where on it is not known yet whether a call begins."""
        cut = unfinished_mark_start(text, _MARKS)
        line = text.rfind("\n")
        tail = text[line + 1 :].lstrip()
        is_line = line >= 0 or not before.strip()
        if is_line and tail.startswith("{") and _BARE_BEGINNING.fullmatch(tail):
            cut = min(cut, line + 1)
        return cut

    def _hold(self, text: str) -> None:
        self._held.append(text)

    def _let_go(self) -> str:
        """Give out what turned out to be no call after all, as soon as that is known."""
        if len(self._held) > 60:
            return ""
        text = "".join(self._held)
        if not _BARE.match(text) or _may_be_bare(text.lstrip(), self._offered, is_whole=False):
            return ""
        self._held, self._rest = [], text
        return self._look(is_whole=False)


def read_written(
    text: str, offered: Mapping[str, ToolDefinition], *, is_all: bool, line: str = ""
) -> FoundCalls | None:
    """Read the calls that a text begins with; None where it is no call, but about one.

    `is_all`: no words stand before it. `line`: what stands before it in the same line.
    """
    if not _MARK.match(text.lstrip()):
        return _read_bare(text, offered, is_all=is_all)
    calls: list[tuple[str, str]] = []
    at, rest = 0, ""
    while at < len(text) and len(calls) < MAX_CALLS:
        if between := _CALL_GAP.match(text, at):
            at = between.end()
            continue
        found = next(filter(None, (form(text, at, offered) for form in _FORMS)), None)
        if found is not None:
            calls += found[0]
            at = found[1]
            continue
        if calls and not _MARK.search(text, at):
            rest = text[at:]
        break
    is_read = bool(calls) and (at >= len(text) or bool(rest))
    if not is_read:
        return None if line.strip() and _is_sentence(text) else FoundCalls(unread=text)
    if rest and line.strip() and _is_tag(text):
        # an example in the middle of a sentence
        return None
    return FoundCalls(tuple(calls), rest.strip())


def _is_sentence(text: str) -> bool:
    """Say whether what begins with a mark is words about it: they go on in the same line."""
    mark = _MARK.match(text.lstrip())
    line = text.lstrip()[mark.end() if mark else 0 :].partition("\n")[0]
    return _is_tag(text) and line[:1].isspace() and line.lstrip()[:1].isalpha()


def _is_tag(text: str) -> bool:
    mark = _MARK.match(text.lstrip())
    return mark is not None and mark[0].lower() not in _SPECIAL


Found = tuple[list[tuple[str, str]], int] | None
Offered = Mapping[str, ToolDefinition]


def _json_form(text: str, at: int, offered: Offered) -> Found:
    """Hermes and most others: an object with a name and arguments, or a list of them."""
    if text[at] not in "{[":
        return None
    value, end = _decoded(text, at)
    values = value if isinstance(value, list) else [value]
    calls = [_call_of(one, offered, strict=False) for one in values]
    return ([call for call in calls if call], end) if values and all(calls) else None


def _invoke_form(text: str, at: int, offered: Offered) -> Found:
    found = _INVOKE.match(text, at)
    if found is None:
        return None
    name, values = mended_name(found[1], offered), {}
    for key, is_text, value in _PARAMETER.findall(found[2]):
        values[key] = value if is_text == "true" else _typed(value, key, offered.get(name), is_json=is_text == "false")
    return [(name, _written(values))], found.end()


def _function_form(text: str, at: int, offered: Offered) -> Found:
    found = _FUNCTION.match(text, at)
    if found is None:
        return None
    name, inner = mended_name(found[1], offered), found[2].strip()
    if inner.startswith("{"):
        value, end = _decoded(inner, 0)
        return ([(name, _written(value))], found.end()) if isinstance(value, dict) and end == len(inner) else None
    pairs = _XML_PARAMETER.findall(inner)
    if inner and not pairs:
        return None
    values = {key: _typed(_unlined(value), key, offered.get(name)) for key, value in pairs}
    return [(name, _written(values))], found.end()


def _glm_form(text: str, at: int, offered: Offered) -> Found:
    found = _GLM.match(text, at)
    if found is None:
        return None
    name = mended_name(found[1], offered)
    values = {key.strip(): _typed(value, key.strip(), offered.get(name)) for key, value in _GLM_PAIR.findall(found[2])}
    return [(name, _written(values))], found.end()


def _named_form(pattern: re.Pattern[str], after: str = "") -> Callable[[str, int, Offered], Found]:
    """Make a form of a name in marks, and an object behind it."""

    def form(text: str, at: int, offered: Offered) -> Found:
        found = pattern.match(text, at)
        if found is None:
            return None
        value, end = _decoded(text, found.end())
        if not isinstance(value, dict):
            return None
        if after and text.startswith(after, end + len(text[end:]) - len(text[end:].lstrip())):
            end = text.index(after, end) + len(after)
        name = next(group for group in found.groups() if group)
        return [(mended_name(name, offered), _written(value))], end

    return form


def _python_form(text: str, at: int, offered: Offered) -> Found:
    """Llama's and Gemma's own way: a call as Python writes it; only of what is offered."""
    found = _PYTHON.match(text, at)
    if found is None or mended_name(found[1], offered) not in offered:
        return None
    values, inner, place = {}, found[2], 0
    while place < len(inner.rstrip()):
        one = _PYTHON_ARGUMENT.match(inner, place)
        if one is None:
            return None
        value: Any = _LITERALS.get(one[2], one[2])
        if isinstance(value, str) and value[0] in "\"'":
            value = re.sub(r"\\(.)", lambda escape: {"n": "\n", "t": "\t"}.get(escape[1], escape[1]), value[1:-1])
        elif isinstance(value, str):
            value = orjson.loads(value)
        values[one[1]] = value
        place = one.end()
    return [(mended_name(found[1], offered), _written(values))], found.end()


_FORMS: tuple[Callable[[str, int, Offered], Found], ...] = (
    _json_form,
    _invoke_form,
    _function_form,
    _named_form(_KIMI),
    _named_form(_DEEPSEEK, "```"),
    _glm_form,
    _named_form(_GEMMA),
    _named_form(_MISTRAL),
    _python_form,
)


def _read_bare(text: str, offered: Offered, *, is_all: bool) -> FoundCalls | None:
    """Read an answer that is nothing but calls: objects, or one block of code that holds them."""
    inner = text.strip()
    if fenced := _FENCED.fullmatch(inner):
        if not is_all:
            # behind words, it is shown
            return None
        inner = fenced[2].strip()
        if (
            fenced[1].lower() in _CALLING_FENCES
            and (found := _python_form(inner, 0, offered))
            and found[1] == len(inner)
        ):
            return FoundCalls(tuple(found[0]))
    calls: list[tuple[str, str]] = []
    at = 0
    while at < len(inner):
        if inner[at].isspace() or inner[at] in ",;":
            at += 1
            continue
        if inner[at] not in "{[":
            return None
        value, at = _decoded(inner, at)
        for one in value if isinstance(value, list) else [value]:
            call = _call_of(one, offered, strict=True)
            if call is None:
                return None
            calls.append(call)
    return FoundCalls(tuple(calls[:MAX_CALLS])) if calls else None


def _call_of(value: Any, offered: Offered, *, strict: bool) -> tuple[str, str] | None:
    """Return the name and the arguments in an object. `strict`: it must be a call of what is offered, and only that."""
    if not isinstance(value, dict):
        return None
    inner = value.get("function")
    if isinstance(inner, dict):
        return _call_of(inner, offered, strict=strict)
    named = next((value[key] for key in _NAME_KEYS if isinstance(value.get(key), str)), "")
    key = next((key for key in _ARGUMENT_KEYS if key in value), "")
    arguments: Any = value.get(key, {}) if key else {}
    if isinstance(arguments, str):
        try:
            arguments = orjson.loads(arguments)
        except ValueError:
            return None
    if not named or not isinstance(arguments or {}, dict):
        return None
    name = mended_name(named, offered)
    if strict and (name not in offered or not key or not value.keys() <= _KEYS):
        return None
    return name, _written(arguments or {})


def _typed(text: str, key: str, tool: ToolDefinition | None, *, is_json: bool = False) -> Any:
    """Return a value that was written without its kind, as the tool wants it."""
    if not is_json and (tool is None or "string" in _types(tool, key)):
        return text
    try:
        return orjson.loads(text)
    except ValueError:
        return text


def _types(tool: ToolDefinition, key: str) -> set[str]:
    """Return the kinds of a parameter; empty where nobody says."""
    try:
        schema = orjson.loads(tool.parameters)
        one = schema.get("properties", {}).get(key, {})
        if "$ref" in one:
            one = schema.get("$defs", {}).get(one["$ref"].rpartition("/")[2], {})
        kinds = [one, *one.get("anyOf", [])]
    except (ValueError, AttributeError, TypeError):
        return set()
    found: set[str] = set()
    for kind in kinds:
        said = kind.get("type") if isinstance(kind, dict) else None
        found |= {said} if isinstance(said, str) else set(said or ())
        if isinstance(kind, dict) and "enum" in kind and all(isinstance(value, str) for value in kind["enum"]):
            found.add("string")
    return found


def _unlined(value: str) -> str:
    """Return a value without the lines that it stands on by itself."""
    return value.removeprefix("\n").removesuffix("\n")


def _written(arguments: Mapping[str, Any]) -> str:
    return json_text(arguments)


def _decoded(text: str, at: int) -> tuple[Any, int]:
    try:
        return _DECODER.raw_decode(text, at)
    except (ValueError, RecursionError):
        return None, len(text)


def _places(text: str, before: str) -> list[int]:
    """Return where in a text a call may begin: at a mark, or at an object that a line begins with."""
    places = [found.start() for found in _MARK.finditer(text)]
    if "{" in text:
        at = 0
        for line in text.splitlines(keepends=True):
            start = at if at or not before.rpartition("\n")[2].strip() else -1
            if (
                start >= 0
                and (found := _BARE_KEY.match(line.lstrip()))
                and found[1] in _KEYS
                and line.lstrip()[0] == "{"
            ):
                places.append(start + len(line) - len(line.lstrip()))
            at += len(line)
    return sorted(places)


def _may_be_bare(text: str, offered: Offered, *, is_whole: bool) -> bool:
    """Say whether a whole answer, as far as it came, may be nothing but a call."""
    if _CALLING_FENCE.match(text):
        return True
    if not _BARE.match(text):
        return False
    key = _BARE_KEY.match(text)
    if key is None:
        return is_whole or bool(_BARE_BEGINNING.fullmatch(text))
    if key[1] not in _KEYS:
        return False
    named = re.search(r"\"(?:name|tool|tool_name|recipient_name)\"\s*:\s*\"([\w.:/-]+)\"", text)
    return named is None or mended_name(named[1], offered) in offered
