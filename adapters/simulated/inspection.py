"""The simulation as an inspection branch: read the captured context part by part, then report what was read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import orjson

from adapters.simulated.answers import SimulatedAnswer, call_tools, excerpt
from adapters.simulated.conversation import ChatPerson, PromptNote, SimulatedConversation, as_object, bot_name_in, notes
from adapters.simulated.instructions import StandingOrder, order_for

READER = "read_channel_context"
"""The tool that only an inspection has."""
BULLETIN = "section:memory_bulletin"

_MAX_CALLS = 12
_MAX_CLAIM_CHARS = 600
_MAX_FINDINGS = 5
_FIRST_PARTS = ("status", "ledger")
_SECTION = re.compile(
    r"\bsection:([a-z][a-z_]{2,40})\b|^[^\w\n]*+section ([a-z][a-z_]{2,40}):(?![^\n]*, (?:absent|dropped))",
    re.MULTILINE,
)
_READ_ON = re.compile(r"read on with part `([^`\n]{1,200})`")
_FENCED = re.compile(r"^(`{3,}+)[^\n]*+\n(.*?)\n\1", re.MULTILINE | re.DOTALL)
_KNOWN_SECTIONS = (
    "identity",
    "operating_contract",
    "platform_guidance",
    "silence_rules",
    "skills",
    "available_channels",
    "working_summary",
    "participants",
    "conversation_context",
    "tool_recap",
)
_ASKS = "An admin asks about "
_PIECE = re.compile(r"^## (history:\d+-\d+)\n(`{3,})[^\n]*\n(.*?)\n\2$", re.MULTILINE | re.DOTALL)
_CHANNEL = re.compile(r"\b([a-z]+:[^\s()\"'`,;]+)")
_WITH_ID = re.compile(r"(?<![\w.'-])([^\W\d_][\w.'-]*(?: [A-Z][\w.'-]*)?) \(id (\d+)\)")
_HEADER = re.compile(r'\{"at":"[^"\n]*","from":"(?:[^"\\\n]|\\.)*","id":"[^"\n]*"[^{}\n]*\}')
_TOPIC = re.compile(
    r"answer|respon|repl|ignor|silen|quiet|talk|speak|unanswered|contact|messages|mute|engage|disregard", re.IGNORECASE
)
_WORD = re.compile(r"[^\W_][\w'.-]*")
_LOWER_TARGET = re.compile(
    r"(?:answer(?:ing)?|(?:repl(?:y|ying)|respond(?:ing)?|talk(?:ing)?|speak(?:ing)?) (?:to|with)|answers? (?:to|for)"
    r"|repl(?:y|ies) (?:to|for)) @?([^\W\d_][\w-]*)",
    re.IGNORECASE,
)
_SUBJECT = re.compile(
    r"(?:^|[.;\n] )@?([^\W\d_][\w-]*) (?:asked|told|requested|instructed|wants?|wishes|demanded|does not w"
    r"|no longer w)",
    re.IGNORECASE,
)
_NO_NAMES = frozenset(
    re.findall(
        r"\S+",
        "a an the any all anyone anybody everyone everybody nobody him her them it this that these those you "
        "me us in on of to for with questions question messages message requests spam typos bots errors "
        "insults users people channel now when if do does not never stop ignore please answer answering "
        "answered reply respond bot i why is isn't doesn't my his are was what who how here there ",
    )
)
_REQUEST = re.compile(r"(?<!\w)(r(?:2[a-z]{4}|[0-9a-hjkmnp-tv-z]{4}))(?!\w)")
_PLAIN = re.compile(r'[^"\\\n]+')


class _Read(NamedTuple):
    """One part of the capture, as the tool showed it."""

    part: str
    text: str


class _Found(NamedTuple):
    """An instruction that was read, whom it is about, and in which part it stood."""

    order: StandingOrder
    whom: tuple[str, ...]
    part: str


def inspect(conversation: SimulatedConversation) -> SimulatedAnswer:
    """Read one more part of the context, or report what was found."""
    read = [_Read(_part(call.arguments), text) for call, text in conversation.results if call.name == READER]
    context, question = _brief(conversation.trigger.text)
    wanted = _next_parts(read)
    if wanted and conversation.offers(READER):
        return call_tools(conversation, *((READER, _arguments(conversation, part)) for part in wanted))
    report = _report([*context, *read], question)
    return SimulatedAnswer(orjson.dumps(report).decode())


def _brief(text: str) -> tuple[list[_Read], str]:
    """Part what it was given to begin with from the question: the pieces of the history, and the admin's words."""
    at = max(text.rfind(_ASKS), 0)
    pieces = (_Read(found[1], found[3]) for found in _PIECE.finditer(text[:at]))
    return list(pieces), text[at:]


def _next_parts(read: list[_Read]) -> list[str]:
    done = {part for part, _ in read}
    if not done:
        return ["outline"]
    if BULLETIN not in done:
        return [BULLETIN]
    outline = next((text for part, text in read if part == "outline"), "")
    named = list(dict.fromkeys(one or two for one, two in _SECTION.findall(outline)))
    sections = named or [name for name in _KNOWN_SECTIONS if name in outline]
    onward = [found for part, text in read if part != "outline" for found in _READ_ON.findall(text)]
    parts = [*onward, *(f"section:{name}" for name in sections), *_FIRST_PARTS]
    return [part for part in parts if part not in done][: max(0, _MAX_CALLS - len(done))]


def _arguments(conversation: SimulatedConversation, part: str) -> dict[str, Any]:
    required = conversation.tools[READER].get("required")
    if isinstance(required, list) and "channel_id" in required:
        found = _CHANNEL.search(_brief(conversation.trigger.text)[1]) or _CHANNEL.search(conversation.system)
        return {"channel_id": found[1] if found else "", "part": part}
    return {"part": part}


def _part(arguments: str) -> str:
    value = (as_object(arguments) or {}).get("part")
    return value if isinstance(value, str) else "outline"


def _report(read: list[_Read], question: str) -> dict[str, Any]:
    texts = [_Read(part, text) for part, text in read if part not in ("outline", "status", "ledger")]
    everything = "\n".join(_plain(text) for _, text in read)
    asked = _asked_about(_words_of(question), everything)
    people = [asked] if asked else _people(everything, _words_of(question))
    bot = bot_name_in(everything)
    found = _merge([f for part in texts for f in _found(part, people, bot)])[:_MAX_FINDINGS]
    request = _REQUEST.search(everything)
    # the question says so when the capture itself can be quoted
    source = "context" if "`context`" in question else request[1] if request else ""
    findings = [finding for one in found if (finding := _finding(one, source, everything))]
    if findings:
        handles = ", ".join(dict.fromkeys(handle for f in findings for handle in f["evidence"]))
        return {"findings": findings, "summary": f"(simulated) The prompt orders silence; see {handles}."}
    about = f" about {asked.name}" if asked else ""
    words = f"(simulated) I cannot tell: in the {len(read)} parts that I read, nothing orders silence{about}."
    return {"findings": [], "summary": words}


def _found(read: _Read, people: list[ChatPerson], bot: str) -> Iterator[_Found]:
    lines = list(notes(_plain(read.text)))
    folded = [(note, note.text.casefold()) for note in lines]
    for person in people:
        name = person.name.casefold()
        named = [note for note, text in folded if name in text or (person.id and person.id in text)]
        # one person is looked at in every line, for a word about everybody; of many, only where they are named
        about = lines if len(people) == 1 else named
        order = order_for(about, person, bot)
        if order is not None and order.silent:
            yield _Found(order, () if order.everybody else (person.name or person.id,), read.part)


def _merge(found: list[_Found]) -> list[_Found]:
    by_place: dict[tuple[PromptNote, str], _Found] = {}
    for one in found:
        key = (one.order.note, one.order.words)
        known = by_place.get(key)
        whom = tuple(dict.fromkeys((*(known.whom if known else ()), *one.whom)))
        by_place[key] = one._replace(whom=whom)
    # what names a memory can be shown and mended, so it comes first
    return sorted(by_place.values(), key=lambda one: not one.order.note.handle)


def _words_of(question: str) -> str:
    """Return what the admin wrote: the first fence of the question, where the program fenced it."""
    fenced = _FENCED.search(question)
    return fenced[2] if fenced else question


def _finding(found: _Found, elsewhere: str, everything: str) -> dict[str, Any] | None:
    handle = found.order.note.handle
    evidence = handle or elsewhere
    if not evidence:
        return None
    whom = " and ".join(found.whom) or "anybody"
    where = found.part.removeprefix("section:")
    source = f"Memory {handle}" if handle else "The prompt"
    claim = (
        f"{source} tells the bot not to answer {excerpt(whom, 80)}; it stands in {where} of what the model was told."
    )
    obeyed = bool(handle) and any(
        handle in line and re.search(r"\bskip|instructed\b", line) for line in everything.splitlines()
    )
    quote = max(_PLAIN.findall(found.order.words), key=len, default="").strip()
    return {
        "claim": claim[:_MAX_CLAIM_CHARS],
        "confidence": "confirmed" if obeyed else "likely",
        "evidence": [evidence],
        "quotes": [{"handle": evidence, "text": quote}] if quote else [],
        "advice": "Forget this memory if it is not wanted." if handle else "Look at this section's source.",
        "fix": {"kind": "forget_memory", "memory": handle} if handle else None,
    }


def _asked_about(question: str, everything: str) -> ChatPerson | None:
    """Return the person whom the question names, if the capture knows them or the question plainly means somebody."""
    for name, number in _WITH_ID.findall(question) + _WITH_ID.findall(everything) + _speakers(everything):
        if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", question, re.IGNORECASE):
            return ChatPerson(name, number)
    return None


def _people(everything: str, question: str) -> list[ChatPerson]:
    """Return everybody whom the capture could mean; the nameless one stands for whoever else writes."""
    known = [ChatPerson(name, number) for name, number in _speakers(everything) + _WITH_ID.findall(everything)]
    names: list[str] = []
    for note in notes(everything):
        if _TOPIC.search(note.text):
            names += _capitals(note.text)
            names += _LOWER_TARGET.findall(note.text) + _SUBJECT.findall(note.text)
    asked = question[:400]
    names += [*_capitals(asked), *_WORD.findall(asked)]
    wanted = [ChatPerson(name) for name in names if name.lower() not in _NO_NAMES]
    unknown = {person.name.casefold(): person for person in reversed(wanted)}
    for person in known:
        unknown.pop(person.name.casefold(), None)
    return [ChatPerson(""), *dict.fromkeys(known), *reversed(unknown.values())][:200]


def _capitals(text: str) -> Iterator[str]:
    """Yield every run of up to three capitalised words, which may be a name."""
    words = [re.sub(r"'s?$|(?<=\w{3})[.-]+$", "", word) for word in _WORD.findall(text)]
    for first, _ in enumerate(words):
        for last in range(first + 1, min(first + 3, len(words)) + 1):
            if not words[last - 1][:1].isupper():
                break
            yield " ".join(words[first:last])


def _speakers(text: str) -> list[tuple[str, str]]:
    headers = (as_object(found[0]) or {} for found in _HEADER.finditer(text))
    return [(str(header["from"]), str(header["id"])) for header in headers if header.get("from")]


def _plain(text: str) -> str:
    """Return a tool result as lines; a JSON result becomes the texts in it."""
    value = as_object(text)
    return "\n".join(_texts(value)) if value is not None else text


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from _texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)
