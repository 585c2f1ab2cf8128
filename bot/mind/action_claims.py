"""Read which actions an answer claims for itself: "saved", "I will remind you", in six languages.

A negation, a question, an offer, a condition, a quotation, and what somebody else or a machine did are no claims. Short
words ("Done!") claim what was asked for, and only where it was asked for.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import NamedTuple

from bot.mind.claim_forms import ASKED, CLAIM_FORMS, RU_PAST, ClaimedAction, ClaimForm
from bot.mind.word_starts import SIZE, word_starts


class ActionClaim(NamedTuple):
    """An action and the words that claim it."""

    action: ClaimedAction
    words: str


class _Sentence(NamedTuple):
    words: str
    is_question: bool


LONGEST_TEXT = 4_000
"""How much of an answer is read; what a longer one claims stands in front."""
_MAX_ASKED_CHARS = 600
_MAX_CLAUSE_CHARS = 300
_QUOTES = re.compile(
    r"```.*?(?:```|\Z)|`[^`\n]*`|^\s*>[^\n]*"
    r"|\"[^\"\n]{1,300}\"|“[^”\n]{1,300}”|„[^“”\n]{1,300}[“”]|«[^»\n]{1,300}»|»[^«\n]{1,300}«",
    re.DOTALL | re.MULTILINE,
)
_SENTENCE = re.compile(r"[^.!?…\n;¿¡]*(?:[.!…;]++(?!\S)|[?]+|[.!…;](?=\S)|\n|[¿¡]|\Z)")
_CLAUSE = re.compile(r",|:| [-–—] | (?:but|aber|pero|mas|mais|но|and|und|et|и|y|e) ")
_FIRST_WORDS = re.compile(r"[\s\W]*")


def _starts_of(pattern: str) -> frozenset[str]:
    """Return how a claim's first word may begin; nothing where that can be any word."""
    try:
        found = word_starts(pattern)
    except ValueError:
        return frozenset()
    return found if all(len(start) == SIZE for start in found) else frozenset()


_FIRST_STARTS = [_starts_of(form.pattern) for form in CLAIM_FORMS]
_BY_START: dict[str, set[int]] = {}
"""The places of the claims that can have a word which begins so, with as many letters as are compared."""
for _place, _form in enumerate(CLAIM_FORMS):
    for _start in word_starts(_form.words):
        _BY_START.setdefault(_start, set()).add(_place)
_WORD_START = re.compile(rf"(?<!\w)(?=\w)(?=(.{{{SIZE}}}))", re.DOTALL)
_VAGUE = re.compile(
    r"(?:noted|recorded|shared|told|let|logged|posted|informed|put|passed \S.*|отметила?|abgelegt|festgehalten|geteilt|"
    r"subí|"
    r"publiqué|"
    r"compart\w+|grab\w+|registr\w+|compartilhei|gravei|registrei|postei|partagée?s?|publiée?s?|notée?s?|consignée?s?)$",
    re.IGNORECASE,
)
"""Verbs that say as much of what stands in the answer: they count where the action was asked for."""
_RUSSIAN_PAST = re.compile(rf"(?:{'|'.join(RU_PAST.values())})(?!\w)", re.IGNORECASE)
_RUSSIAN_OTHERS = re.compile(r"\b(?:он|она|они|ты|вы|кто|кто-то|который|которая|которые|мы)\b", re.IGNORECASE)
_RUSSIAN_FIRST = re.compile(
    r"^(?:уже|только что|всё|все|сейчас|теперь|это|его|её|их|тебе|ему|ей|вам|успешно|твой|твою|твоё|твои|ваш|ваше|"
    r"и|да|"
    r"готово|хорошо|ладно|ок|конечно|тоже|сразу|себе|сам|сама|\s)+$",
    re.IGNORECASE,
)
_NEGATED = re.compile(
    r"\b(?:not|never|nothing|cannot|neither|nor|unable|failed|without|no longer|\w+n't|\w+n’t|nicht|nichts|nie|"
    r"kein\w*|"
    r"ohne|weder|no|nada|nunca|ningun\w*|sin|tampoco|não|nenhum\w*|sem|nem|ne|n'\w+|pas|rien|jamais|aucun\w*|sans|"
    r"не|ничего|никогда|нет|без|нельзя)\b",
    re.IGNORECASE,
)
_NOT_FORGOTTEN = re.compile(
    r"^(?:no lo olvidaré|não vou|je n'oublierai|не забуду|i.*not forget)|nicht vergessen$", re.IGNORECASE
)
_NOTHING_BEHIND = re.compile(
    r"^\W*(?:nothing|none|nobody|no \w+|nichts|kein\w*|nada|ningun\w*|nenhum\w*|rien|aucun\w*|"
    r"ничего)\b",
    re.IGNORECASE,
)
_SUPPOSED = re.compile(
    r"\b(?:if|once|unless|until|whether|as soon as|would|could|should|might|may|can|shall|want|like me|wish|pretend|"
    r"imagine|suppose|let me|after|when|before|wenn|falls|sobald|bis|ob|soll|sollen|sollte|könnte|würde|hätte|kann|"
    r"möchtest|"
    r"willst|nachdem|si|cuando|podría|puedo|quieres|hubiera|habría|ojalá|después de|se|caso|quando|posso|poderia|"
    r"quer|queres|teria|depois que|si|quand|lorsque|dès que|peux|pourrais|veux-tu|voulez|aurais|une fois|après avoir|"
    r"если|когда|чтобы|бы|могу|можно|хочешь|хотите|как только|после того|пусть)\b",
    re.IGNORECASE,
)
_IF_BEHIND = re.compile(r"\b(?:if|unless|falls|si|caso|если)\b", re.IGNORECASE)
_SAID_NOW = re.compile(r"\s*(?::|, (?:that|que|что)\b)", re.IGNORECASE)
"""Behind "I remind you" stands what is said now, and nothing is left to be done."""
_SOMEWHEN_ELSE = re.compile(
    r"\b(?:forever|moment|für immer|para siempre|pra sempre|pour toujours|навсегда|"
    r"automatically|by default|yesterday|earlier|ago|last (?:week|month|year|night|time)|back then|previously|"
    r"on (?:mon|tues|wednes|thurs|fri|satur|sun)day|automatisch|gestern|vorhin|letzte\w*|neulich|damals|von selbst|"
    r"automáticamente|ayer|antes|anoche|hace (?:un|una|dos|tres|\d+|poco|mucho)|la semana pasada|en automático|"
    r"automaticamente|ontem|semana passada|mês passado|faz (?:tempo|um|uma|\d+)|"
    r"automatiquement|hier|avant-hier|il y a|la semaine dernière|l'autre jour|tout seul|"
    r"автоматически|вчера|раньше|недавно|на прошлой|тогда|сам собой|давно)\b",
    re.IGNORECASE,
)
_BY_OTHERS = re.compile(
    r"^\W*(?:\w+\W+){0,3}?(?:by|von|por|par) (?!(?:me|mir|mí|mim|moi|la|el|las|los|o|a|heart|name|mail|e-?mail|fin|"
    r"favor|si|you|ahora|enquanto|"
    r"hoje|default|now|then|jetzt)\b)",
    re.IGNORECASE,
)
_ASKS = {action: re.compile(rf"\b(?:{words})", re.IGNORECASE) for action, words in ASKED.items()}
_SHORTLY = re.compile(
    r"^\W*(?:(?:ok(?:ay)?|alright|sure|yes|klar|ja|gut|claro|sí|vale|sim|beleza|oui|d'accord|voilà|да|ок|хорошо)\W+)?"
    r"(?:(?:all |it's |it is |und |das ist )?(?:done|noted|taken care of|erledigt|gemacht|notiert|geschafft|listo|"
    r"lista|hecho|"
    r"anotado|pronto|feito|prontinho|c'est fait|c'est noté|c'est bon|fait|noté|готово|сделано|сделала?|"
    r"записано|есть|ist raus))(?: (?:for you|now|für dich|para ti|pra você))?(?=\s*$|\s*[!.,;:…—–✓✅👍])",
    re.IGNORECASE,
)
_COMPOSES = re.compile(
    r"\b(?:write|draft|compose|rewrite|translate|tell|invent|proofread|role-?play|pretend|continue|schreib|übersetz|"
    r"erzähl|erfinde|dichte|formulier|escribe|escríbeme|traduce|cuéntame|cuenta|inventa|redacta|escreve|escreva|"
    r"traduz|conta|"
    r"écris|traduis|raconte|rédige|invente|напиши|переведи|расскажи|придумай|сочини)\w*\b"
    r"(?:(?!\b(?:down|auf)\b).){0,60}?\b(?:stor(?:y|ies)|poem|e-?mails?|mails?|letter|messages?|text|song|"
    r"dialogue?|joke|scene|sentence|"
    r"geschichte|gedicht|brief|nachricht|lied|szene|satz|witz|historia|cuento|poema|correo|carta|mensaje|canción|"
    r"frase|chiste|"
    r"história|conto|carta|mensagem|música|piada|histoire|poème|lettre|message|courriel|chanson|phrase|blague|"
    r"истори\w+|рассказ|сказк\w+|стих\w*|письмо|сообщение|песн\w+|фраз\w+|шутк\w+|текст)\b|\btranslate\b|"
    r"\bübersetz|\bпереведи|"
    r"\btraduc|\btraduz|\btradui",
    re.IGNORECASE | re.DOTALL,
)
_ASKS_HOW = re.compile(
    r"[\W_]*(?:@\w+\W+)?(?:how|where|what|who|wie|wo|was|wer|cómo|dónde|qué|quién|como|onde|o que|quem|comment|où|qui|"
    r"как|где|что|кто)\b",
    re.IGNORECASE,
)
"""Who asks how something is done is told so, and had nothing done."""
_ASKS_OF_PAST = re.compile(
    r"\b(?:did you|have you|hast du|habt ihr|haben sie|você (?:já )?\w+(?:ou|eu|iu)\b|(?:as|avez)-(?:tu|vous)|"
    r"tu (?:as|l'as)|"
    r"(?:ya )?(?:lo |la |me )?(?:has |habéis )|\w{3,}[ai]ste\b|ты (?:уже )?(?:\w+ )?\w+л[аи]?\b)",
    re.IGNORECASE,
)


def claims(answer: str, asked: str = "") -> tuple[ActionClaim, ...]:
    """Return what an answer claims, each action once, in its order; `asked` is what it answers."""
    asked = asked[-_MAX_ASKED_CHARS:]
    found: dict[ClaimedAction, ActionClaim] = {}
    for sentence in _sentences(answer):
        for claim in _claimed(sentence, asked):
            found.setdefault(claim.action, claim)
    said = tuple(found.values()) or tuple(_shortly(answer, asked))
    if not said or _COMPOSES.search(asked) or ("?" in asked and _ASKS_OF_PAST.search(asked)):
        # what a writer writes, and what was done at another time, is no matter of this turn
        return ()
    return said


def _sentences(answer: str) -> Iterator[_Sentence]:
    text = _straight(_QUOTES.sub(" … ", answer[:LONGEST_TEXT]))
    for found in _SENTENCE.finditer(text):
        words = found[0].strip(" \t\n*_~|-–—•")
        if words:
            yield _Sentence(words.rstrip(".!?…;¿¡ "), words.endswith("?"))


def _places(text: str) -> set[int]:
    """Return the places of the claims that a text may have, by how its words begin: mostly none."""
    starts = set(_WORD_START.findall(f"{text.lower()}  "))
    places = set[int]().union(*(_BY_START[start] for start in starts & _BY_START.keys()))
    return {place for place in places if not _FIRST_STARTS[place] or not _FIRST_STARTS[place].isdisjoint(starts)}


def _straight(text: str) -> str:
    return unicodedata.normalize("NFC", text).replace("’", "'")


def _claimed(sentence: _Sentence, asked: str) -> Iterator[ActionClaim]:
    start = 0
    parts = [*_CLAUSE.finditer(sentence.words), None]
    for place in parts:
        end = place.start() if place else len(sentence.words)
        clause = sentence.words[start : min(end, start + _MAX_CLAUSE_CHARS)]
        is_asked = sentence.is_question and place is None
        if not is_asked and (claim := _of_clause(clause, sentence.words[:start], sentence.words[end:], asked)):
            yield ActionClaim(claim, sentence.words)
        start = place.end() if place else end


def _of_clause(clause: str, before: str, behind: str, asked: str) -> ClaimedAction | None:
    places = _places(clause)
    if not places:
        return None
    clause = _FIRST_WORDS.sub("", clause, count=1)
    for form in [CLAIM_FORMS[place] for place in sorted(places)]:
        found = form.search(clause)
        if found and form.action is ClaimedAction.REMIND and found.end() == len(clause) and _SAID_NOW.match(behind):
            continue
        if found and _is_meant(form, found, clause, asked) and _holds(found, clause, before, behind, asked):
            return form.action
    return None


def _is_meant(form: ClaimForm, found: re.Match[str], clause: str, asked: str) -> bool:
    """Say whether it is a claim about this turn: by who speaks and the verb, or because it was asked for."""
    own = form.own or re.match(r"(?:.*\W)?я\b", clause[: found.start()], re.IGNORECASE)
    if own and not _VAGUE.search(found[0]):
        return True
    return form.action in _ASKS and not _ASKS_HOW.match(asked) and bool(_ASKS[form.action].search(asked))


def _holds(found: re.Match[str], clause: str, before: str, behind: str, asked: str) -> bool:
    ahead, rest = clause[: found.start()], clause[found.end() :]
    if not _NOT_FORGOTTEN.search(found[0]) and _NEGATED.search(clause[: found.end()]):
        return False
    if _NOTHING_BEHIND.search(rest) or _SUPPOSED.search(ahead) or _supposes_before(before):
        return False
    if _IF_BEHIND.search(f"{rest} {behind}") or _SOMEWHEN_ELSE.search(clause) or _BY_OTHERS.search(rest):
        return False
    return not _RUSSIAN_PAST.fullmatch(found[0]) or _is_own_in_russian(ahead, rest, asked)


def _supposes_before(before: str) -> bool:
    """Say whether the clause before, in the same sentence, makes it a condition or a wish."""
    first = before.strip(" ,").split(",")[-1]
    return bool(_SUPPOSED.search(first))


def _is_own_in_russian(ahead: str, rest: str, asked: str) -> bool:
    """Say who did it where the verb does not: nobody else is named before or behind."""
    words = re.findall(r"\w+", ahead)
    if "я" in [word.lower() for word in words]:
        return True
    if _RUSSIAN_OTHERS.search(ahead):
        return False
    behind = re.match(r"\s*(\w+)", rest)
    if behind and behind[1][:1].isupper():
        return behind[1].lower().endswith(("у", "ю", "е", "ой", "ей")) and not words
    if not words or _RUSSIAN_FIRST.match(ahead):
        return True
    return words[-1][:4].lower() in asked.lower() or words[0][:4].lower() in asked.lower()


def _shortly(answer: str, asked: str) -> Iterator[ActionClaim]:
    found = _SHORTLY.search(answer[:LONGEST_TEXT].replace("’", "'"))
    if found is None or "?" in answer[: found.end() + 1]:
        return
    wanted = [(at.start(), action) for action, pattern in _ASKS.items() if (at := pattern.search(asked))]
    if wanted:
        # the verb stands before its object: "delete my note"
        yield ActionClaim(min(wanted)[1], found[0].strip())
