"""Read which actions an answer claims for itself: "saved", "I will remind you", in six languages.

A negation, a question, an offer, a condition, a quotation, and what somebody else or a machine did are no claims. Short
words ("Done!") claim what was asked for, and only where it was asked for.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from bot.mind.claim_forms import ASKED, CLAIM_FORMS, ClaimedAction, ClaimForm
from bot.mind.deed_forms import DEED_FORMS
from bot.mind.deed_requests import deed_asked_about, wanted_deed
from bot.mind.done_answers import refuses, takes_as_done
from bot.mind.named_doers import tells_of_another
from bot.mind.state_forms import STATE_FORMS
from bot.mind.word_starts import SIZE, word_starts
from bot.mind.world_deeds import WORLD_FORMS


class ActionClaim(NamedTuple):
    """An action and the words that claim it; `says_who`: that it was the bot itself, and now.

    `of_before`: it says so of an earlier turn, whose calls may have done it.
    """

    action: ClaimedAction
    words: str
    says_who: bool = True
    of_before: bool = False


class _Sentence(NamedTuple):
    words: str
    is_question: bool


LONGEST_TEXT = 4_000
"""How much of an answer is read; what a longer one claims stands in front."""
_MAX_ASKED_CHARS = 600
_MAX_CLAUSE_CHARS = 300
_QUOTES = re.compile(
    r"```.*?(?:```|\Z)|`[^`\n]*`|^[ \t]*>[^\n]*"
    # who speaks behind a dash, and then is named, is somebody in a story
    r"|^[ \t]*[—–][^—–\n]{1,300}[—–][^\n]*"
    # what is done on a stage
    r"|^[ \t]*\*(?:[^*\s]{1,30} ){2,12}[^*\s]{1,30}\*(?!\*)[^\n]*"
    r"|\"[^\"\n]{1,300}\"|“[^”\n]{1,300}”|„[^“”\n]{1,300}[“”]|«[^»\n]{1,300}»|»[^«\n]{1,300}«",
    re.DOTALL | re.MULTILINE,
)
_SENTENCE = re.compile(r"[^.!?…\n;¿¡]*(?:[.!…;]++(?!\S)|[?]+|[.!…;](?=\S)|\n|[¿¡]|\Z)")
_CLAUSE = re.compile(
    r",|:| [-–—] |[\u2600-\u27bf\U0001f300-\U0001faff]| (?:but|aber|pero|mas|mais|но|(?<!ahead )and|und|et|и|y|e) "
)
_FIRST_WORDS = re.compile(r"[\s\W]*")


def _starts_of(pattern: str) -> frozenset[str]:
    """Return how a claim's first word may begin; nothing where that can be any word."""
    try:
        found = word_starts(pattern)
    except ValueError:
        return frozenset()
    return found if all(len(start) == SIZE for start in found) else frozenset()


_FORMS = (*CLAIM_FORMS, *DEED_FORMS, *STATE_FORMS, *WORLD_FORMS)
_FIRST_STARTS = [_starts_of(form.pattern) for form in _FORMS]
_ANCHORED = [form.pattern.startswith("^") for form in _FORMS]
_BY_START: dict[str, set[int]] = {}
"""The places of the claims that can have a word which begins so, with as many letters as are compared."""
for _place, _form in enumerate(_FORMS):
    for _start in word_starts(_form.words):
        _BY_START.setdefault(_start, set()).add(_place)
_WORD_START = re.compile(rf"(?<!\w)(?=\w)(?=(.{{{SIZE}}}))", re.DOTALL)
_VAGUE = re.compile(
    r"(?:noted|recorded|shared|told|let|logged|posted|informed|put|passed \S.*|отметила?|abgelegt|festgehalten|geteilt|"
    r"subí|"
    r"publiqué|"
    r"compart\w+|grab\w+|registr\w+|compartilhei|gravei|registrei|postei|partagée?s?|publiée?s?|notée?s?|"
    r"consignée?s?)$",
    re.IGNORECASE,
)
"""Verbs that say as much of what stands in the answer: they count where the action was asked for."""
_RUSSIAN_PAST = re.compile(r"[а-яё]+(?:л|ла|ёл|шёл|нес|нёс)(?:ся|ась)?(?!\w)", re.IGNORECASE)
_RUSSIAN_OTHERS = re.compile(r"\b(?:он|она|они|ты|вы|кто|кто-то|который|которая|которые|мы)\b", re.IGNORECASE)
_RUSSIAN_FIRST = re.compile(
    r"^(?:уже|только что|всё|все|сейчас|теперь|это|его|её|их|тебе|ему|ей|вам|успешно|твой|твою|твоё|твои|ваш|ваше|"
    r"и|да|"
    r"готово|хорошо|ладно|ок|конечно|тоже|сразу|себе|сам|сама|\s)+$",
    re.IGNORECASE,
)
_NEGATED = re.compile(
    r"\b(?:not|never|nothing|cannot|neither|nor|unable|failed|without|no longer|\w+n't|\w+n’t|nicht|nichts|nie|"
    r"nobody|no one|niemand\w*|nadie|ninguém|personne|"
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
_PORTUGUESE_PAST = re.compile(r"\b\w{2,}(?:ei|i)\b", re.IGNORECASE)
_PORTUGUESE_IN = re.compile(r"\bno (?=\w)", re.IGNORECASE)
_PORTUGUESE_PLACE = re.compile(
    r"\bno (?=(?:ar|grupo|canal|chat|servidor|site|calendário|perfil|nome|seu|teu|meu|caderninho|privado|pv|"
    r"drive|fim|dia"
    r"|mês|sábado|domingo|próximo|app|zap)\b)",
    re.IGNORECASE,
)
"""There `no` is a place, and elsewhere a negation."""
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
    r"\b(?:forever|(?<!a )moment|"
    r"automatically|by default|(?<!from )yesterday|(?<!my )(?<!the )(?<!your )earlier|"
    r"(?<!a sec )(?<!a second )(?<!a minute )(?<!a moment )ago|last (?:week|month|year|night|time)|back then|"
    r"previously|"
    r"on (?:mon|tues|wednes|thurs|fri|satur|sun)day|automatisch|(?<!von )gestern|vorhin|(?<!von )letzte\w*|"
    r"neulich|damals|von selbst|"
    r"automáticamente|(?<!de )ayer|antes|anoche|hace (?:un|una|dos|tres|\d+|poco|mucho)|la semana pasada|en automático|"
    r"automaticamente|(?<!de )ontem|semana passada|mês passado|faz (?:tempo|um|uma|\d+)|"
    r"automatiquement|(?<!d')hier|avant-hier|il y a|la semaine dernière|l'autre jour|tout seul|"
    r"автоматически|вчера|раньше|недавно|на прошлой|тогда|сам собой|давно)\b",
    re.IGNORECASE,
)
_BY_OTHERS = re.compile(
    r"^\W*(?:\w+\W+){0,3}?(?:by|von|por|par|pel[oa]s?) (?!(?:me|mir|mí|mim|moi|la|el|las|los|o|a|heart|name|"
    r"mail|e-?mail|fin|privado|privé|mensaje|correo|um|uma|un|una|eine?|one|an|half|\d+|todos|"
    r"favor|si|you|ahora|enquanto|"
    r"hoje|default|now|then|jetzt)\b)",
    re.IGNORECASE,
)
_OF_OTHERS = re.compile(
    r"\b(?:according to|sounds like|looks like|seems|apparently|i (?:think|guess|believe|assume)|as far as i|"
    r"laut|zufolge|"
    r"anscheinend|offenbar|wohl|scheint|glaube|hat geschrieben|schrieb|según|por lo que|parece|creo|dice que|"
    r"dijo|segundo o|"
    r"segundo a|pelo que|pelos vistos|acho|disse que|d'après|selon|apparemment|il paraît|on dirait|je crois|dit que|"
    r"по словам|судя по|кажется|похоже|вроде|думаю|говорит)\b",
    re.IGNORECASE,
)
"""It is told of what somebody else said, or of what is only supposed."""
_ALWAYS_SO = re.compile(
    r"\b(?:even (?:if|when|in)|auch (?:im|wenn|bei|ohne)|bei (?:android|iphone|discord|telegram)|aunque|incluso|"
    r"même|mesmo|"
    r"даже|normal(?:ly|erweise|mente|ement)|usually|usualmente|обычно|immer|siempre|sempre|toujours|always|"
    r"jedes mal)\b",
    re.IGNORECASE,
)
"""How a thing behaves, and not what was done with it now."""
_ASKS_WHAT_WAS = re.compile(
    r"\b(?:summar\w+|recap|tl;?dr|catch me up|what did i miss|zusammenfass\w*|fass\w* .{0,20}zusammen|"
    r"was hab ich verpasst|"
    r"resum\w+|resúm\w+|résum\w+|récap\w*|перескажи|итог\w*|кратко)\b",
    re.IGNORECASE,
)
_REQUESTS = re.compile(
    r"\b(?:please|pls|plz|can you|could you|would you|will you|i need you to|bitte|kannst du|könntest du|machst du|"
    r"por favor|porfa|puedes|podrías|me (?:haces|pones|das)|pode|consegue|pra mim|podes|s'il te plaît|"
    r"s'il vous plaît|stp|svp|"
    r"peux-tu|tu peux|pourrais-tu|пожалуйста|плиз|можешь|сможешь|"
    r"book|reserve|order|cancel|buy|buch\w*|reservier\w*|bestell\w*|storni\w*|reserva|pide|cancela|compra|"
    r"encomenda|réserve|"
    r"commande|annule|achète|забронируй|закажи|отмени|купи|оплати|запиши|add|put|set|füg\w*|setz\w*|trag\w*|"
    r"agrega|añade|pon|"
    r"adiciona|coloca|põe|ajoute|mets|inscris|добавь|поставь|внеси|change|update|cambia|muda|поменяй|tell|let|"
    r"sag|dile|avisa|"
    r"dis|скажи|передай)\b",
    re.IGNORECASE,
)
"""Something is to be done, whatever it is."""
_SAYS_DONE = re.compile(
    r"\W*(?:(?:ok(?:ay)?|alright|sure|yes|klar|ja|gut|alles klar|claro|sí|vale|bueno|sim|beleza|oui|d'accord|"
    r"voilà|да|ок|хорошо|"
    r"und|et|y|e)\W+)?"
    r"(?:all (?:done|set|sorted)|done|consider it done|sorted|taken care of|mission accomplished|handled|"
    r"(?:schon |bereits )?(?:erledigt|passiert|gemacht|geschafft|geschehen)|gebongt|geritzt|ist (?:geritzt|"
    r"im kasten)|weg damit|"
    r"der drops ist gelutscht|fertig|läuft|abgehakt|listo|lista|todo listo|hecho|dicho y hecho|ya (?:está|quedó)|"
    r"asunto \w+|arreglado|solucionado|mandado|prontinho|pronto|feito|tá feito|já está|resolvido|"
    r"missão cumprida|tudo certo|"
    r"fica descansad[oa]|c'est (?:fait|réglé|bon|dans la (?:boîte|poche))|affaire \w+|chose faite|hop|fait|voilà|"
    r"готово|сделано|выполнено|дело сделано|всё|концы в воду)(?!\w)",
    re.IGNORECASE,
)
"""The answer begins with words that say no more than that something is done."""
_GIVES = re.compile(
    r"```|^[ \t]*>|\|\s*-{3}|\d\s?[=÷×]\s?\S|=\s?\d|:[ \t]*\n(?!\s*[-*•]\s)|\bhere(?:'s| is| are| you go)\b|"
    r"\b(?:below|unten|hierunter)\b"
    r"|\b(?:voici|ci-dessous|en dessous|segue|aqui (?:está|vai|estão)|abaixo|aquí (?:va|está|tienes|abajo)|вот|ниже)\b",
    re.IGNORECASE | re.MULTILINE,
)
"""Signs that the answer holds what was asked for: a text, a table, a sum."""
_OF_WORDS = re.compile(
    r"\b(?:sentences?|paragraphs?|lines?|words?|verses?|wording|rhymes?|stor(?:y|ies)|chapters?|sätze?n?|absätze?|absatz"
    r"|zeilen?|wörter|strophen?|reihenfolge|frases?|párrafos?|palabras?|versos?|orden|ordem|parágrafos?|palavras?|phrases?"
    r"|paragraphes?|mots?|l'ordre|фраз\w*|абзац\w*|строк\w*|слов\w*|порядок)\b",
    re.IGNORECASE,
)
"""What a text is made of: it was done to the words of the answer."""
_OF_TEXTS = re.compile(r"\b(?:list[ae]?|version|versión|versão|text[eo]?|список|верси|текст)", re.IGNORECASE)
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
    r"как|где|что|кто|c'est quoi|qu'est-ce|(?:did|has|have|is|are|was|were|does) (?!you\b|u\b))\b",
    re.IGNORECASE,
)
"""Who asks how something is done is told so, and had nothing done."""
_ASKS_OF_PAST = re.compile(
    r"\b(?:did you|have you|hast du|habt ihr|haben sie|você (?:já )?\w+(?:ou|eu|iu)\b|(?:as|avez)-(?:tu|vous)|"
    r"tu (?:as|l'as)|"
    r"(?:ya )?(?:lo |la |me )?(?:has |habéis )|\w{3,}[ai]ste\b|ты (?:уже )?(?:\w+ )?\w+л[аи]?\b)",
    re.IGNORECASE,
)


class _Exchange(NamedTuple):
    """An answer, and what it answers."""

    asked: str
    answer: str

    def says_done(self) -> bool:
        """Say whether it begins with "done!", so that what is so now is so because of it."""
        return bool(_SAYS_DONE.match(self.answer))

    def gives(self) -> bool:
        """Say whether words or figures that were asked for stand in it, and may be all that was done."""
        return bool(_GIVES.search(self.answer))

    def asks_facts(self) -> bool:
        """Say whether it was asked how things are, and nothing to be done."""
        if _ASKS_HOW.match(self.asked) or _ASKS_WHAT_WAS.search(self.asked):
            return True
        return self.asked.rstrip().endswith("?") and not any(one.search(self.asked) for one in _ASKS.values())

    def asks_for_a_deed(self) -> bool:
        """Say whether something was to be done, as far as is known."""
        wants = not self.asked or _REQUESTS.search(self.asked) or any(one.search(self.asked) for one in _ASKS.values())
        return bool(wants) and not self.asks_facts()

    def asks(self, action: ClaimedAction) -> bool:
        """Say whether an action was asked for."""
        return action in _ASKS and not _ASKS_HOW.match(self.asked) and bool(_ASKS[action].search(self.asked))


def claims(answer: str, asked: str = "") -> tuple[ActionClaim, ...]:
    """Return what an answer claims, each action once, in its order; `asked` is what it answers."""
    asked = asked[-_MAX_ASKED_CHARS:]
    exchange = _Exchange(asked, answer[:LONGEST_TEXT])
    found: dict[ClaimedAction, ActionClaim] = {}
    sentences = [*_sentences(answer)]
    # what somebody else is said to have done is no deed of the bot's
    own = [sentence for sentence in sentences if not tells_of_another(sentence.words)]
    for sentence in own:
        for claim in _claimed(sentence, exchange):
            found.setdefault(claim.action, claim)
    said = tuple(found.values()) or tuple(_shortly(answer, asked))
    if said and (_COMPOSES.search(asked) or ("?" in asked and _ASKS_OF_PAST.search(asked))):
        # what a writer writes, and what was done at another time, is no matter of this turn
        said = ()
    return said or (tuple(_of_request(exchange, sentences)) if own == sentences else ())


def _of_request(exchange: _Exchange, sentences: Sequence[_Sentence]) -> Iterator[ActionClaim]:
    """Read an answer that takes as done what it was asked to do, in whatever words."""
    asked, answer = exchange
    wanted = wanted_deed(asked) if asked else None
    about = deed_asked_about(asked) if asked and not wanted else None
    action = wanted or about
    if action is None or (exchange.gives() and _OF_TEXTS.search(answer)):
        return
    if words := takes_as_done(sentences, action, asked, was_before=about is not None):
        yield ActionClaim(action, words, says_who=False, of_before=about is not None)


def _sentences(answer: str) -> Iterator[_Sentence]:
    text = _straight(_QUOTES.sub(_stand_in, answer[:LONGEST_TEXT]))
    for found in _SENTENCE.finditer(text):
        words = found[0].strip(" \t\n*_~|-–—•")
        if words:
            yield _Sentence(words.rstrip(".!?…;¿¡ "), words.endswith("?"))


def _stand_in(quoted: re.Match[str]) -> str:
    """Put a sign where a quotation was; one inside of a line leaves the sentence whole."""
    return " … " if "\n" in quoted[0] or quoted[0].lstrip()[:1] in tuple("`>*—–") else " ◦ "


def _places(text: str) -> list[int]:
    """Return the places of the claims that a text may have, by how its words begin: mostly none."""
    words = _WORD_START.findall(f"{text.lower()}  ")
    starts, first = set(words), words[:1]
    found: set[int] = set()
    for start in starts:
        if places := _BY_START.get(start):
            found |= places
    return sorted(
        [
            place
            for place in found
            if not (begins := _FIRST_STARTS[place]) or not begins.isdisjoint(first if _ANCHORED[place] else starts)
        ]
    )


def _straight(text: str) -> str:
    return unicodedata.normalize("NFC", text).replace("’", "'")


def _claimed(sentence: _Sentence, exchange: _Exchange) -> Iterator[ActionClaim]:
    start = 0
    parts = [*_CLAUSE.finditer(sentence.words), None]
    for place in parts:
        end = place.start() if place else len(sentence.words)
        clause = sentence.words[start : min(end, start + _MAX_CLAUSE_CHARS)]
        is_asked = sentence.is_question and place is None
        if not is_asked and (claim := _of_clause(clause, sentence.words[:start], sentence.words[end:], exchange)):
            yield claim._replace(words=sentence.words)
        start = place.end() if place else end


def _of_clause(clause: str, before: str, behind: str, exchange: _Exchange) -> ActionClaim | None:
    places = _places(clause)
    if not places:
        return None
    clause = _FIRST_WORDS.sub("", clause, count=1)
    for form in [_FORMS[place] for place in places]:
        found = form.search(clause)
        if (
            found
            and form.action is ClaimedAction.REMIND
            and not form.exact
            and found.end() == len(clause)
            and _SAID_NOW.match(behind)
        ):
            continue
        if (
            found
            and _is_meant(form, found, clause, exchange)
            and _holds(form, found, (clause, before, behind), exchange)
        ):
            return ActionClaim(form.action_in(found), found[0], not form.state and form.action is not ClaimedAction.DO)
    return None


def _is_meant(form: ClaimForm, found: re.Match[str], clause: str, exchange: _Exchange) -> bool:
    """Say whether it is a claim about this turn: by who speaks and the verb, or because it was asked for."""
    if form.written and (exchange.gives() or (form.action is ClaimedAction.DO and _OF_WORDS.search(clause))):
        return False
    own = form.own or bool(re.match(r"(?:.*\W)?я\b", clause[: found.start()], re.IGNORECASE))
    own = own or ((form.elided or (form.exact and exchange.says_done())) and not exchange.asks_facts())
    own = own or (form.state and exchange.asks_for_a_deed())
    if own and (form.exact or not _VAGUE.search(found[0])):
        return True
    return exchange.asks(form.action_in(found))


def _holds(form: ClaimForm, found: re.Match[str], parts: tuple[str, str, str], exchange: _Exchange) -> bool:
    clause, before, behind = parts
    ahead, rest = clause[: found.start()], clause[found.end() :]
    # a negation in an idiom is a part of it
    denied = ahead if form.idiom or _NOT_FORGOTTEN.search(found[0]) else clause[: found.end()]
    denied, rest = _PORTUGUESE_PLACE.sub("em ", denied), _PORTUGUESE_PLACE.sub("em ", rest)
    if _PORTUGUESE_PAST.search(found[0]):
        denied, rest = _PORTUGUESE_IN.sub("em ", denied), _PORTUGUESE_IN.sub("em ", rest)
    if _NEGATED.search(denied):
        return False
    if _NOTHING_BEHIND.search(rest) or _SUPPOSED.search(ahead) or _supposes_before(before):
        return False
    if _IF_BEHIND.search(f"{rest} {behind}") or _SOMEWHEN_ELSE.search(clause) or _BY_OTHERS.search(rest):
        return False
    if not form.own and refuses(f"{before} {clause}"):
        return False
    if not form.own and (_OF_OTHERS.search(f"{before} {clause} {behind}") or _ALWAYS_SO.search(f"{rest} {behind}")):
        return False
    return not _RUSSIAN_PAST.match(found[0]) or _is_own_in_russian(ahead, rest, exchange.asked)


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
