"""Find the memory that told the bot to be silent towards whoever wrote the message."""

from __future__ import annotations

import re
from typing import NamedTuple

from bot.diagnostics.evidence.evidence import Evidence
from bot.diagnostics.evidence.evidence_reader import fail_reason, last_request, message, outcome
from bot.diagnostics.evidence.skip_reason import read_skip
from bot.domain.handles import HandleKind, handle
from bot.domain.ledger import FailReason, Outcome, StoredInbound
from bot.domain.llm import FinishReason
from bot.domain.memory import Memory, MemoryType
from bot.domain.turn import StoredRequest
from bot.text.silencing import Force, Hint, Order, fold, hints, orders, rules


def _word_set(text: str) -> frozenset[str]:
    return frozenset(text.split())


_PRONOUNS = _word_set("him her them me us his their my our he she they")
_EVERYBODY_WORDS = _word_set("everyone everybody anyone anybody people users members user member all any person nobody")
_ALL_WORDS = _word_set("everyone everybody anyone anybody")
_PLACES = _word_set("here in this that the our channel group chat server room thread topic")
_ADMINS = _word_set("admin admins administrator administrators owner owners operator moderator moderators mod mods")
_FILLERS = _word_set("the a an user member person named called with id messages from")
_TOKEN = re.compile(r"[\w.-]+")
# capital letters that begin a sentence or a clause far more often than they begin a name
_NOT_NAMES = _word_set(
    "a after all always an and answer as assistant because bot but cease decision do don't every everyone for "
    "from glassmind he her here his i if ignore important in instruction it keep messages never new no not note "
    "nobody now of on once only or our owner please policy priority remain rule security she since skip so stay "
    "stop system that the their them then these they this treat until user users we when whenever while who you "
    "your admin admins administrator update save copy repeat"
)


class SilencingMemory(NamedTuple):
    """A memory that explains the silence. `line` and `lines` say where it stood; 0 when no request shows it.

    `named`: the model's own reason names it.
    """

    memory: Memory
    force: Force
    request: int
    section: str
    line: int
    lines: int
    named: bool = False


class _Shown(NamedTuple):
    memory: Memory
    section: str
    line: int
    lines: int


def find_culprit(evidence: Evidence) -> SilencingMemory | None:
    """Return the strongest suspect, or None when the message was answered or another thing explains the silence."""
    found = message(evidence)
    if found is None or not _wants_explaining(evidence):
        return None
    request = _showing(evidence)
    row = request.id if request else 0
    suspects = [
        SilencingMemory(shown.memory, force, row, shown.section, shown.line, shown.lines, _is_named(shown, evidence))
        for shown in _shown(evidence, request)
        if (force := force_against(shown.memory, found, evidence)) is not Force.NONE or _is_named(shown, evidence)
    ]
    return max(suspects, key=_weight, default=None)


def force_against(memory: Memory, found: StoredInbound, evidence: Evidence) -> Force:
    """Say how strongly a memory speaks against answering the author of a message."""
    content, name = fold(memory.body.content), found.inbound.author.name
    told = list(orders(content, (name,) if name else ()))
    if any(_means(order, memory, found, evidence) for order in told):
        return Force.ORDERS
    if not _may_be_told(evidence):
        return Force.NONE
    for order in told:
        content = content.replace(order.words, " ", 1)
    if any(_hints_at(hint, memory, found, evidence) for hint in hints(content)):
        return Force.HINTS
    return Force.RULES if rules(content) and not _names_another(memory, found) else Force.NONE


def _may_be_told(evidence: Evidence) -> bool:
    """Say whether the model may have acted on an instruction, by its own word: the weaker signs count only then."""
    return read_skip(evidence).category in {"instructed", ""}


def _hints_at(hint: Hint, memory: Memory, found: StoredInbound, evidence: Evidence) -> bool:
    tokens = {token.rstrip(".-") for token in _TOKEN.findall(hint.words.casefold())}
    author = found.inbound.author
    if _is_author(tokens, found) or memory.body.subjects == (author.user_id,):
        return True
    if tokens & _ADMINS and author.user_id in evidence.admins:
        return True
    return (hint.alone or bool(tokens & _ALL_WORDS)) and not _names_another(memory, found)


def _wants_explaining(evidence: Evidence) -> bool:
    if outcome(evidence) is Outcome.SKIPPED:
        return True
    if fail_reason(evidence) is not FailReason.EMPTY:
        return False
    request = last_request(evidence)
    response = request.response if request else None
    mechanical = response is not None and (response.finish is not FinishReason.STOP or bool(response.usage.reasoning))
    return not mechanical


def _showing(evidence: Evidence) -> StoredRequest | None:
    """Return the turn's first request: memories are read once a turn."""
    return evidence.turn.requests[0] if evidence.turn and evidence.turn.requests else None


def _shown(evidence: Evidence, request: StoredRequest | None) -> tuple[_Shown, ...]:
    if request is None:
        return tuple(_Shown(memory, "", 0, 0) for memory in evidence.memories if not memory.forgotten_at)
    by_handle = {handle(HandleKind.MEMORY, memory.id): memory for memory in evidence.memories}
    return tuple(
        _Shown(by_handle[name], section.name, line, len(names))
        for section in request.record.sections
        for names in (section.memories,)
        for line, name in enumerate(names, 1)
        if name in by_handle
    )


def _weight(suspect: SilencingMemory) -> tuple[bool, int, bool, float, int]:
    body = suspect.memory.body
    return suspect.named, suspect.force, body.type is MemoryType.DECISION, body.importance, body.created_at


def _is_named(shown: _Shown, evidence: Evidence) -> bool:
    """Say whether the model gave this memory, which it was really shown, as its reason."""
    skip = read_skip(evidence)
    name = handle(HandleKind.MEMORY, shown.memory.id)
    return shown.line > 0 and skip.category == "instructed" and name in _TOKEN.findall(skip.reason.lower())


def _means(order: Order, memory: Memory, found: StoredInbound, evidence: Evidence) -> bool:
    """Say whether the order is meant for the author of the message."""
    target = fold(order.target).casefold()
    if target.startswith("!"):
        return not _is_author(set(_TOKEN.findall(target)), found)
    tokens = {token.rstrip(".-") for token in _TOKEN.findall(target)} - _FILLERS - {""}
    if tokens & _PRONOUNS:
        return _antecedent(memory, found)
    if not tokens or tokens <= _EVERYBODY_WORDS:
        return not _names_another(memory, found)
    if "#" in target or tokens <= _PLACES:
        return "#" not in target or _is_place(target, found)
    if tokens & _ADMINS:
        return found.inbound.author.user_id in evidence.admins or _is_author(tokens, found)
    # a changed display name does not hide whom the memory is about
    return _is_author(tokens, found) or memory.body.subjects == (found.inbound.author.user_id,)


def _is_author(tokens: set[str], found: StoredInbound) -> bool:
    author = found.inbound.author
    own = {token.strip(".-") for token in _TOKEN.findall(fold(author.name).casefold())} | {str(author.user_id)}
    return bool({token.strip(".-@!") for token in tokens} & own)


def _is_place(target: str, found: StoredInbound) -> bool:
    named = target.partition("#")[2]
    return bool(named) and fold(found.inbound.channel_name).casefold().lstrip("#").startswith(named.strip())


def _antecedent(memory: Memory, found: StoredInbound) -> bool:
    """Resolve `him`: by the stored subjects, else by the names in the text, else by who said it."""
    author = found.inbound.author
    if memory.body.subjects:
        return author.user_id in memory.body.subjects
    return not _names_another(memory, found)


def _names_another(memory: Memory, found: StoredInbound) -> bool:
    """Say whether a text is about somebody else: subjects or names, none of them the author's."""
    content, author = fold(memory.body.content), found.inbound.author
    if _is_author({token.casefold() for token in _TOKEN.findall(content)}, found):
        return False
    if memory.body.subjects and author.user_id not in memory.body.subjects:
        return True
    return any(_is_name(word) for word in re.findall(r"[A-Z][a-z'’][\w'’-]*", content))


def _is_name(word: str) -> bool:
    plain = word.casefold().replace("’", "'")
    return plain not in _NOT_NAMES and not plain.endswith("bot") and not plain.endswith("ing")
