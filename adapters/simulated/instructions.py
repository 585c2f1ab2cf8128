"""Understand instructions about whom to answer, in plain English, as far as rules can: who is meant, and which way.

A sentence counts only when it orders something: reports ("ann does not answer bob"), questions, wishes about style
("do not answer ann in verse") and sentences about other people do not. What is doubtful is not obeyed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from adapters.simulated import phrases
from adapters.simulated.conversation import ChatPerson, PromptNote

_MAX_BOTS = 8
_LONGEST_KEPT = 1_000
_SENTENCE = re.compile(r"(?<=[.!?;])(?<!\b[A-Z]\.)(?<!\bMr\.)(?<!\bDr\.)(?<!\bMs\.)(?<!\bMrs\.)\s+|\n+")
_SHORT = (
    (r"\bwon't\b", "will not"),
    (r"\b(?:can't|cannot)\b", "can not"),
    (r"\bshan't\b", "shall not"),
    (r"n't\b", " not"),
    (r"\b(do|does|must|should|will)nt\b", r"\1 not"),
    (r"\banymore\b", "any more"),
)
_PLAIN_SIGNS = str.maketrans("’‘“”–—", "''\"\"--")
_EMPHASIS = re.compile(r"[*_`~]{1,3}(?=[^\s*_`~])|(?<=[^\s])[*_`~]{1,3}(?!\w)")
_BENIGN = re.compile(
    r",? (?:under any circumstances|in any case|no matter what|whatever happens|by any means|for any reason|in any way"
    r"|in any form|at any time),?(?= |[.!;]|$)",
    re.IGNORECASE,
)
_BOT = r"(?:(?:the|this|our|your) )?(?:chat ?bots?|bots?|assistant|ai|agent|model)"
_SEGMENT = re.compile(r"[,:;()\"“”>|]| - |\b(?:and|but|so|then|or|that|because|since)\b", re.IGNORECASE)
_ADVERBS = re.compile(
    r"(?:\b(?:please|kindly|always|now|also|just|simply|therefore|hereby|instead|henceforth|still|only|really|strictly"
    r"|absolutely|again|from now on|for now|today|in future|here|better)\s*)+$",
    re.IGNORECASE,
)
_MODALS = re.compile(
    r"\b(?:must|should|shall|will|may|can|could|would|have to|has to|need to|needs to|ought to|are to"
    r"|is to|am to|had better"
    r"|are|is|am)\s*$",
    re.IGNORECASE,
)
_DOUBT = re.compile(
    r"\b(?:whether|why|how|not true|false|untrue|a myth|joking|joked|kidding|pretend\w*|imagine|hypothetical\w*"
    r"|for example|for instance|fictional|novel|a story|suppose|would be (?:wrong|rude|bad)|(?:did|does"
    r"|do|has|have|is|was"
    r"|never|nobody|no one|not|none)(?: not)?(?: ever)? (?:ask|tell|told|say|said|want|order|instruct"
    r"|request|mean|need|claim"
    r"|suggest)\w*)\b",
    re.IGNORECASE,
)
_CONDITION = re.compile(
    r"^[\W_]*(?:if|when|whenever|unless|in case|as long as|while|before|after|until|only)\b", re.IGNORECASE
)
_DECIDES = (
    r"(?:decided|agreed|promised|wants?|wanted|needs?|have|has|had|going|supposed|obliged|required|meant|expected|told"
)
_DECIDES += r"|asked|instructed|ordered|reminded|requested)"
_TELLS = r"(?:asked|asks|told|tells|instructed|instructs|ordered|orders|requested|requests|wants|wanted|begged|reminded"
_TELLS += r"|advised|urged|warned|commanded|directed|directs|needs?|expects|would like|want|ask|by|for|like)"
_SAYS_TO = re.compile(
    r"(?:^|\b)(?:said|says|asked|asks|requested|requests|ordered|demanded|demands|voted|instructed"
    r"|remember|sure|orders?"
    r"|instructions?|decision|rule|policy|request|note|reminder|agreement|best|important|necessary"
    r"|careful|(?:was|were|been|is)"
    r" (?:decided|agreed|ordered|requested|asked|told))$",
    re.IGNORECASE,
)
_CAPITAL = re.compile(r"(?<![.!?:]\s)(?<!^)\b(?!I\b|Bot\b|The\b|Assistant\b|Discord\b|Telegram\b)[A-Z][a-zé]+\b")


class StandingOrder(NamedTuple):
    """An instruction in force: whether it silences, where it stands, and its words as they are written there."""

    silent: bool
    note: PromptNote
    words: str
    everybody: bool = False


@dataclass(frozen=True)
class _Sentence:
    """A sentence about a person, made comparable; `written` is how it stands in the prompt."""

    text: str
    written: str
    bots: re.Pattern[str]
    named_before: bool = False
    is_memory: bool = False


def order_for(lines: Iterable[PromptNote], person: ChatPerson, bot_name: str = "") -> StandingOrder | None:
    """Return the last instruction about answering this person, or None when there is none."""
    orders = (order for note in lines for order in _orders_of(note, person, bot_name))
    last: StandingOrder | None = None
    for order in orders:
        # who was silenced by name is not freed by a word about everybody, unless it silences too
        if last is None or not order.everybody or order.silent or last.everybody:
            last = order
    return last


def mentions_an_order(text: str) -> bool:
    """Whether a text orders a bot, whatever it is called, to be silent towards anybody at all."""
    if not phrases.TOPIC.search(text):
        return False
    words = list(dict.fromkeys(re.findall(r"[^\W\d_][\w'-]*", text)))
    people = [ChatPerson(name) for name in ("", *words)]
    bots = ["", *(word for word in words if word[:1].isupper())][:_MAX_BOTS]
    note = PromptNote("m", text, text)
    orders = (order_for([note], person, bot) for bot in bots for person in people if person.name != bot or not bot)
    return any(order is not None and order.silent for order in orders)


def _orders_of(note: PromptNote, person: ChatPerson, bot_name: str) -> Iterable[StandingOrder]:
    find = _kept_orders if len(note.line) <= _LONGEST_KEPT else _orders
    return find(note, person, bot_name)


@lru_cache(maxsize=4096)
def _kept_orders(note: PromptNote, person: ChatPerson, bot_name: str) -> tuple[StandingOrder, ...]:
    # most lines of a prompt stand in the next one as well
    return tuple(_orders(note, person, bot_name))


def _orders(note: PromptNote, person: ChatPerson, bot_name: str) -> Iterator[StandingOrder]:
    bots = re.compile(rf"(?:^|\b)(?:you|we|i|it|{_BOT}|{re.escape(bot_name) or 'you'})$", re.IGNORECASE)
    named = False
    for written in filter(None, map(str.strip, _SENTENCE.split(note.text))):
        text = _comparable(written[: phrases.LONGEST_TEXT], person)
        if bot_name:
            text = re.sub(rf"(?<!\w){re.escape(bot_name)}(?!\w)", "the bot", text, flags=re.IGNORECASE)
        found = None
        if phrases.TOPIC.search(text):
            found = _judge(_Sentence(text, written, bots, named, bool(note.handle)))
        if found is not None:
            yield StandingOrder(found[0], note, written, everybody=found[1])
        named = phrases.PERSON in text or (named and not _CAPITAL.search(text))


def _comparable(sentence: str, person: ChatPerson) -> str:
    text = _with_person(sentence.translate(_PLAIN_SIGNS), person)
    text = _EMPHASIS.sub("", text)
    for short, long in _SHORT:
        text = re.sub(short, long, text, flags=re.IGNORECASE)
    text = re.sub(r" ?-{1,2} | -{1,2} ?", " - ", re.sub(r"\s+", " ", text))
    return re.sub(r"\s+", " ", _BENIGN.sub("", text)).strip()


def _with_person(text: str, person: ChatPerson) -> str:
    noun = r"(?:the |this )?(?:user|member|person|sender|participant|account|guy|human)"
    if person.id:
        number = re.escape(person.id)
        with_id = rf"<@!?{number}>|(?:{noun} )?(?:with )?(?:the )?(?:user )?\bid[ :#]*{number}(?!\w)"
        text = re.sub(rf"{with_id}|{noun} #?{number}(?!\w)", phrases.PERSON, text, flags=re.IGNORECASE)
    if person.name.strip():
        name = r"\s+".join(map(re.escape, person.name.split()))
        capital = r"(?! (?-i:[A-Z][a-z]+)\b)" if person.name[:1].isascii() else ""
        id_part = r"(?: ?[(\[](?:user )?(?:id)?[ :#]*(?P<id>\d+|§)[)\]])?"
        pattern = rf"(?:{noun} (?:named |called )?)?(?<![\w@§])[\"'<]?@?(?<!\w){name}(?!\w)[\">]?{capital}{id_part}"
        text = re.sub(pattern, lambda found: _whom(found, person), text, flags=re.IGNORECASE)
    return re.sub(r"§(?: ?[(\[]?§[)\]]?)+", phrases.PERSON, text)


def _whom(found: re.Match[str], person: ChatPerson) -> str:
    # a name proves nothing: with another number it is somebody else
    other = found["id"] not in (None, phrases.PERSON) and person.id and found["id"] != person.id
    return phrases.SOMEBODY_ELSE if other else phrases.PERSON


def _judge(sentence: _Sentence) -> tuple[bool, bool] | None:
    """Return (silent, everybody) for a sentence that orders something about the person."""
    if sentence.text.rstrip(" \"')").endswith("?"):
        return None
    for reading in (_by_name, _by_state, _by_pronoun):
        silent = reading(sentence)
        if silent is not None:
            return silent, False
    silent = _everybody(sentence)
    return None if silent is None else (silent, True)


def _by_name(sentence: _Sentence) -> bool | None:
    text = sentence.text
    if phrases.PERSON not in text:
        return None
    found = phrases.WHENEVER.search(text) or phrases.HEADED.search(text)
    if found:
        return True if _is_ordered(sentence, found.start(), conditional=True) else None
    verdict = None
    for pattern in (phrases.GIVE_ORDER, phrases.ORDER):
        for found in pattern.finditer(text):
            if phrases.WITHDRAWN.search(text[found.end() :]):
                return False
            if _is_ordered(sentence, found.start()):
                verdict = _is_silent(found)
    return verdict


def _by_state(sentence: _Sentence) -> bool | None:
    text = sentence.text
    if phrases.PERSON not in text:
        return None
    if (found := phrases.STATE.search(text)) and not _DOUBT.search(text[: found.start()]):
        return True
    if (found := phrases.PASSIVE.search(text)) and not _is_doubtful(text[: found.start()]):
        return _is_silent(found) if found["chain"].strip() else None
    if (found := phrases.WISH.search(text)) and not _is_doubtful(text[: found.start()]):
        return _is_wish_for_silence(found["chain"] + " " + found["kind"])
    return None


def _is_wish_for_silence(words: str) -> bool | None:
    left_alone = re.search(r"\b(?:ignored|left|out of)\b", words, re.IGNORECASE) is not None
    refused = len(re.findall(r"\b(?:not|no|no longer)\b", words, re.IGNORECASE)) % 2 == 1
    return True if left_alone != refused else None


def _by_pronoun(sentence: _Sentence) -> bool | None:
    for pattern in (phrases.PRONOUN_ORDER, phrases.GIVE_ORDER):
        for found in pattern.finditer(sentence.text):
            before = sentence.text[: found.start()]
            at = before.rfind(phrases.PERSON)
            between = before[at + 1 :] if at >= 0 else before
            known = (at >= 0 or sentence.named_before) and phrases.SOMEBODY_ELSE not in between
            if known and not _CAPITAL.search(between) and _is_ordered(sentence, found.start(), conditional=at >= 0):
                return _is_silent(found)
    return None


def _everybody(sentence: _Sentence) -> bool | None:
    text = sentence.text
    if (found := phrases.EVERYBODY_ORDER.search(text)) and _is_ordered(sentence, found.start()):
        nobody = re.match(r"no ?one|nobody", found["target"], re.IGNORECASE) is not None
        silent = _is_silent(found) != nobody
        if found["but"] and phrases.PERSON in found["but"]:
            return not silent
        if silent or re.search(r"\bagain\b", text, re.IGNORECASE):
            return silent
    for found in phrases.BARE.finditer(text):
        rest = text[found.end() :]
        whole = sentence.is_memory and phrases.NOTHING_MORE.match(rest) and found["bare"].lower() != "ignore"
        if (whole or phrases.HERE.match(rest)) and _is_ordered(sentence, found.start()):
            silent_words = not phrases.COUNTED.match(found["bare"])
            count = len(phrases.COUNTED.findall(found["bare"]))
            return True if silent_words or count % 2 == 1 else None
    return None


def _is_silent(found: re.Match[str]) -> bool:
    negations = len(phrases.COUNTED.findall(found["chain"] or ""))
    return (found["silent"] is not None) != (negations % 2 == 1)


def _is_doubtful(before: str) -> bool:
    return bool(_DOUBT.search(before) or _CONDITION.match(before))


def _is_ordered(sentence: _Sentence, start: int, *, conditional: bool = False) -> bool:
    """Whether the words before an order make it one that the bot is meant to follow."""
    before = sentence.text[:start].rstrip()
    if _DOUBT.search(before) or (_CONDITION.match(before) and not conditional and "," not in before):
        return False
    if _CONDITION.match(before) and not conditional:
        return False
    segment = _MODALS.sub("", _ADVERBS.sub("", _SEGMENT.split(before)[-1].strip(" -*#>.\t\\/'~=+"))).strip()
    segment = _ADVERBS.sub("", segment).strip()
    if not segment or sentence.bots.search(segment):
        return not _told_somebody_else(sentence, before)
    if segment.lower() == "to" or segment.lower().endswith(" to"):
        return _governed(sentence, segment[:-2].strip())
    # "not to" belongs to the order, so the words that govern it end right here
    return _governs_negation(sentence, segment, start)


def _governs_negation(sentence: _Sentence, segment: str, start: int) -> bool:
    rest = sentence.text[start:].lower()
    infinitive = rest.startswith(("not to ", "never to ", "to not "))
    stops = rest.startswith(("no ", "no more "))
    return (infinitive and _governed(sentence, segment)) or (
        stops and segment.lower() in ("there are", "there will be")
    )


def _governed(sentence: _Sentence, words: str) -> bool:
    if not words or _SAYS_TO.search(words):
        return True
    told = re.search(rf"\b{_TELLS} (?P<whom>.+)$", words, re.IGNORECASE)
    if told:
        whom = re.sub(r" (?:\w+ly|again)$", "", told["whom"])
        return re.fullmatch(rf"(?:{_BOT}|you|me|us|it)", whom, re.IGNORECASE) is not None or bool(
            sentence.bots.search(whom)
        )
    deciding = re.search(
        rf"^(?P<who>.*?)(?: (?:was|were|is|are|has been|have been|have|has))? {_DECIDES}$", words, re.IGNORECASE
    )
    who = deciding["who"] if deciding else words
    deciders = r"\b(?:team|admins?|mods?|moderators?|owners?|operators?|there)$"
    return bool(sentence.bots.search(who) or (deciding and re.search(deciders, who, re.IGNORECASE)))


def _told_somebody_else(sentence: _Sentence, before: str) -> bool:
    """Tell "ann told bob: do not ...", an order to bob, from "ann told you: do not ..."."""
    told = re.search(rf"\b{_TELLS} (?P<whom>[^\s,:]+(?: bot)?)\s*[:,]?\s*[\"']?$", before, re.IGNORECASE)
    if told is None or told["whom"].lower() in ("that", "to", "by", "for"):
        return False
    return re.fullmatch(rf"(?:{_BOT}|you|me|us|it)", told["whom"], re.IGNORECASE) is None and not sentence.bots.search(
        told["whom"]
    )
