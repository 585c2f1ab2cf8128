"""Read which actions an answer claims for itself: "saved", "I will remind you", in six languages.

A negation, a question, an offer, a condition, a quotation, and what somebody else or a machine did are no claims. Short
words ("Done!") claim what was asked for, and only where it was asked for.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import NamedTuple

from bot.mind.word_starts import SIZE, word_starts


class ClaimedAction(StrEnum):
    """What an answer says was done, or is promised."""

    REMEMBER = "remember"
    SAVE = "save"
    DELETE = "delete"
    SEND = "send"
    REMIND = "remind"
    MAKE_FILE = "make a file"
    CHANGE = "change"
    LOOK_UP = "look up"


class ActionClaim(NamedTuple):
    """An action and the words that claim it."""

    action: ClaimedAction
    words: str


class _Sentence(NamedTuple):
    words: str
    is_question: bool


A = ClaimedAction
_Forms = Mapping[ClaimedAction, str]
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


_THING = (
    r"(?:\S+ ){0,4}?(?:notes?|memor(?:y|ies)|records?|profile|calendar|diary|reminders?|entry|entries|files?"
    r"|messages?|settings?|notiz(?:en)?|kalender|eintrag|einträge|datei(?:en)?|nachricht(?:en)?|profil|"
    r"gedächtnis"
    r"|einstellung(?:en)?|notas?|calendario|perfil|archivo|mensajes?|memoria|agenda|registros?|calendário|"
    r"arquivo"
    r"|mensagem|mensagens|memória|anotaç(?:ão|ões)|notes?|calendrier|agenda|profil|fichiers?|messages?|mémoire"
    r"|fiche|rappels?|заметк\w*|запис\w*|календар\w*|файл\w*|сообщени\w*|профил\w*|памят\w*|напоминани\w*)\b"
)
_FILE = (
    r"(?:\S+ ){0,4}?(?:files?|documents?|folder|\w+\.\w{2,4}|datei|dokument|ordner|archivo|fichero|documento|carpeta"
    r"|arquivo|pasta|fichier|dossier|файл\w*|документ\w*|папк\w*)\b"
)
_ALARM = (
    r"(?:\S+ ){0,4}?(?:reminders?|alarm|timer|erinnerung|wecker|timer|recordatorio|alarma|lembrete|alarme|rappel"
    r"|alarme|напоминани\w*|будильник\w*)\b"
)
_ONLINE = r"(?:\S+ ){0,5}?(?:web|internet|online|google|netz|red|rede|en línea|en ligne|интернет\w*|сети)\b"

# verb forms by action: those that say enough alone, and those that need a thing behind or before them
_EN: _Forms = {
    A.SAVE: "saved|stored|noted|jotted|recorded|memori[sz]ed|bookmarked|written (?:it|that|this|them) down|"
    "wrote (?:it|that|this|them) down|made a (?:mental )?note|taken (?:a )?note|took (?:a )?note|logged|"
    f"(?:added|put|popped|written|wrote|set|entered)(?= {_THING})",
    A.DELETE: f"deleted|erased|wiped|forgotten|(?:removed|cleared|dropped)(?= {_THING}| (?:it|that|them|this)\\b)",
    A.SEND: "sent|e-?mailed|forwarded|posted|messaged|dm'?ed|pinged|texted|notified|uploaded|informed|"
    r"(?:told|let)(?= (?:the |your )?\w+(?: know| about))|passed (?:it|that|this|\S+ \S+) (?:on|along)|shared",
    A.REMIND: f"(?:set|created|scheduled|added|put)(?: up)?(?= {_ALARM})",
    A.MAKE_FILE: f"(?:created|made|written|wrote|generated)(?= {_FILE})",
    A.CHANGE: f"(?:updated|changed|edited|corrected|renamed|moved)(?= {_THING})",
    A.LOOK_UP: f"looked (?:it|that|this|them|\\S+ \\S+) up|looked up|googled|(?:searched|checked|"
    f"browsed)(?= {_ONLINE})",
}
_DE: _Forms = {
    A.SAVE: "(?:ab)?gespeichert|gemerkt|notiert|aufgeschrieben|vermerkt|hinterlegt|eingetragen|festgehalten|abgelegt",
    A.DELETE: "gelöscht|geloescht|rausgeworfen|(?:aus \\S+ \\S+ )entfernt",
    A.SEND: "(?:zu|ab|ver|rum|rüber|weg)?geschickt|(?:ab|ver|zu)?gesendet|weitergeleitet|benachrichtigt|informiert|"
    "gepostet|hochgeladen|angeschrieben|bescheid (?:gesagt|gegeben)|geteilt|ausgerichtet",
    A.REMIND: "(?:erinnerung|wecker|timer)(?: \\S+){0,5}? (?:gestellt|gesetzt|eingerichtet|erstellt|angelegt)",
    A.MAKE_FILE: "(?:datei|dokument|ordner)(?: \\S+){0,4}? (?:erstellt|angelegt|geschrieben)",
    A.CHANGE: "(?:notiz|eintrag|datei|profil|einstellung)(?: \\S+){0,4}? (?:geändert|aktualisiert|angepasst)",
    A.LOOK_UP: "nachgeschlagen|gegoogelt|recherchiert|(?:netz|internet|online)(?: \\S+){0,3}? (?:gesucht|nachge\\w+)",
}
_ES_DONE: _Forms = {
    A.SAVE: "guardad[oa]s?|anotad[oa]s?|apuntad[oa]s?|memorizad[oa]s?|registrad[oa]s?|tomado nota|grabad[oa]s?|"
    f"(?:añadido|agregado)(?= {_THING})",
    A.DELETE: f"borrad[oa]s?|eliminad[oa]s?|(?:quitado)(?= {_THING})",
    A.SEND: "enviad[oa]s?|mandad[oa]s?|reenviad[oa]s?|avisado|notificad[oa]s?|publicad[oa]s?|compartid[oa]s?|"
    "subid[oa]s?",
    A.REMIND: f"(?:puesto|creado|programado|configurado)(?= {_ALARM})|(?:recordatorio|alarma) \\S*(?:cread|program|"
    f"puest)\\w+",
    A.MAKE_FILE: f"cread[oa]s?(?= {_FILE})|archivo \\S+ cread[oa]",
    A.CHANGE: f"(?:actualizado|cambiado|modificado|editado)(?= {_THING})",
    A.LOOK_UP: f"(?:buscado|consultado|mirado)(?= {_ONLINE})|googleado",
}
_ES_PAST: _Forms = {
    A.SAVE: "guardé|anoté|apunté|memoricé|registré|grabé|tomé nota|(?:añadí|agregué)(?= " + _THING + ")",
    A.DELETE: "borré|eliminé|(?:quité)(?= " + _THING + ")",
    A.SEND: "envié|mandé|reenvié|avisé|notifiqué|publiqué|compartí|subí",
    A.REMIND: f"(?:puse|creé|programé|configuré)(?= {_ALARM})",
    A.MAKE_FILE: f"creé(?= {_FILE})",
    A.CHANGE: f"(?:actualicé|cambié|modifiqué|edité)(?= {_THING})",
    A.LOOK_UP: f"(?:busqué|consulté|miré)(?= {_ONLINE})",
}
_ES_TO: _Forms = {
    A.SAVE: "guardar|anotar|apuntar|registrar|grabar|memorizar",
    A.DELETE: "borrar|eliminar",
    A.SEND: "enviar|mandar|reenviar|avisar|publicar|compartir",
    A.REMIND: f"(?:poner|crear|programar)(?= {_ALARM})",
    A.MAKE_FILE: f"crear(?= {_FILE})",
}
_PT_DONE: _Forms = {
    A.SAVE: "salv[oa]s?|guardad[oa]s?|anotad[oa]s?|registrad[oa]s?|gravad[oa]s?|memorizad[oa]s?",
    A.DELETE: "apagad[oa]s?|deletad[oa]s?|excluíd[oa]s?|removid[oa]s?",
    A.SEND: "enviad[oa]s?|mandad[oa]s?|encaminhad[oa]s?|postad[oa]s?|publicad[oa]s?",
    A.REMIND: "(?:lembrete|alarme)(?: \\S+){0,3}? (?:criado|agendado|programado)",
}
_PT_PAST: _Forms = {
    A.SAVE: "salvei|guardei|anotei|registrei|gravei|memorizei|"
    "deixei (?:anotado|salvo|guardado|registrado)|(?:adicionei|coloquei|botei)(?= " + _THING + ")",
    A.DELETE: "apaguei|deletei|excluí|exclui|(?:removi|tirei)(?= " + _THING + ")",
    A.SEND: "enviei|mandei|encaminhei|avisei|notifiquei|postei|publiquei|compartilhei|repassei",
    A.REMIND: f"(?:criei|agendei|programei|coloquei|configurei|defini)(?= {_ALARM})",
    A.MAKE_FILE: f"(?:criei|gerei)(?= {_FILE})",
    A.CHANGE: f"(?:atualizei|mudei|alterei|editei)(?= {_THING})",
    A.LOOK_UP: f"(?:pesquisei|procurei|busquei)(?= {_ONLINE})|googlei",
}
_PT_TO: _Forms = {
    A.SAVE: "salvar|guardar|anotar|registrar|gravar",
    A.DELETE: "apagar|deletar|excluir|remover",
    A.SEND: "enviar|mandar|encaminhar|avisar|postar|publicar",
    A.REMIND: f"(?:criar|agendar|programar)(?= {_ALARM})",
}
_FR_DONE: _Forms = {
    A.SAVE: "enregistrée?s?|sauvegardée?s?|mémorisée?s?|retenue?s?|notée?s?|consignée?s?|pris (?:bonne )?note|"
    f"(?:ajoutée?s?|inscrite?s?|mis)(?= {_THING})",
    A.DELETE: f"supprimée?s?|effacée?s?|(?:retirée?s?|enlevée?s?)(?= {_THING})",
    A.SEND: "envoyée?s?|transmise?s?|transférée?s?|expédiée?s?|prévenue?s?|avertie?s?|publiée?s?|partagée?s?|postée?s?",
    A.REMIND: f"(?:mis|créé|programmé|réglé|ajouté)(?= {_ALARM})|rappel \\S*(?:cré|programm)\\w+",
    A.MAKE_FILE: f"créée?s?(?= {_FILE})|généré(?= {_FILE})",
    A.CHANGE: f"(?:modifié|mis à jour|changé|corrigé)(?= {_THING})",
    A.LOOK_UP: f"(?:cherché|regardé|vérifié|consulté)(?= {_ONLINE})|googlé",
}
_FR_TO: _Forms = {
    A.SAVE: "enregistrer|sauvegarder|noter|mémoriser",
    A.DELETE: "supprimer|effacer",
    A.SEND: "envoyer|transmettre|transférer|publier|partager|prévenir",
    A.REMIND: f"(?:mettre|créer|programmer)(?= {_ALARM})",
    A.MAKE_FILE: f"créer(?= {_FILE})",
}
_RU_PAST: _Forms = {
    A.SAVE: "сохранила?|запомнила?|записала?|отметила?|зафиксировала?|"
    f"(?:добавила?|внесла|внёс|внес|занесла|занёс)(?= {_THING})",
    A.DELETE: f"удалила?|стёрла?|стёр|стер|стерла|(?:убрала?)(?= {_THING})",
    A.SEND: "отправила?|выслала?|переслала?|послала?|скинула?|передала?|предупредила?|уведомила?|опубликовала?|"
    "сообщила?",
    A.REMIND: f"(?:поставила?|создала?|установила?|завела|завёл)(?= {_ALARM})",
    A.MAKE_FILE: f"создала?(?= {_FILE})",
    A.CHANGE: f"(?:обновила?|изменила?|исправила?)(?= {_THING})",
    A.LOOK_UP: f"(?:поискала?|посмотрела?|нашла|нашёл)(?= {_ONLINE})|загуглила?|погуглила?",
}
_RU_DONE: _Forms = {
    A.SAVE: "сохран[её]н[оаы]?|записан[оаы]?",
    A.DELETE: "удал[её]н[оаы]?|ст[её]рт[оаы]?",
    A.SEND: "отправлен[оаы]?|выслан[оаы]?|переслан[оаы]?",
    A.REMIND: "напоминание (?:\\S+ ){0,2}?(?:создано|поставлено|установлено)",
    A.MAKE_FILE: "файл (?:\\S+ ){0,2}?создан",
}
_FUTURE = {
    A.REMEMBER: (
        r"\bi(?:'ll| will| shall|'m going to)(?: \w+){0,2}? (?:remember|memori[sz]e|make a (?:mental )?note|"
        r"note that|"
        r"note this|note it|not forget)\b",
        r"\bich (?:werde|will) (?:\S+ ){0,8}?(?:merken|behalten|nicht vergessen)\b",
        r"\b(?:ich )?merke?(?: ich)? (?:es |das )?mir\b|\bich merk'?s mir\b|\bmerk'? ich mir\b|"
        r"\bich behalte (?:das|es)\b",
        r"\b(?:lo|la|los|las) recordaré\b|\bme acordaré\b|\bvoy a (?:recordar(?:lo|la)?|acordarme)\b|"
        r"\bno lo olvidaré\b",
        r"\bme l[oa] (?:apunto|anoto|guardo)\b|\brecordaré que\b|\bl[oa] (?:apunto|anoto)\b",
        r"\bvou (?:me )?lembrar (?:disso|que|de que)\b|\bvou (?:guardar|anotar|memorizar)\b|\bme lembrarei\b",
        r"\blembrarei (?:disso|que)\b|\bnão vou (?:me )?esquecer\b",
        r"\bje m'en (?:souviendrai|rappellerai)\b|\bje (?:le |la |les )?(?:retiendrai|retiens|mémorise)\b",
        r"\bje vais (?:m'en |le |la |me )?(?:souvenir|retenir|mémoriser)\b|\bje me souviendrai\b|"
        r"\bje n'oublierai pas\b",
        r"\b(?:я )?(?:это |всё |теперь )?запомню\b|\bбуду (?:это )?помнить\b|\bне забуду\b|\bзапишу (?:это|себе)\b",
    ),
    A.REMIND: (
        r"\bi(?:'ll| will| shall|'m going to)(?: \w+){0,2}? (?:remind|ping|nudge|wake) (?!you that\b)",
        r"\bich (?:werde|will) (?:dich|euch|sie|ihn|dir) (?:\S+ ){0,10}?(?:erinnern|bescheid (?:sagen|geben))\b",
        r"\b(?:ich erinnere?|erinnere? ich) (?:dich|euch|sie|ihn)\b",
        r"\bte (?:lo |la )?(?:recordaré|avisaré)\b|\bte (?:lo |la )?recuerdo(?! que)\b|\bte (?:voy a|"
        r"vuelvo a) (?:recordar|avisar)\b",
        r"\bvoy a (?:recordártelo|recordarte|avisarte)\b|\bte aviso\b|\b(?:os|les|le) (?:recordaré|avisaré)\b",
        r"\bvou (?:te|lhe|vos) (?:lembrar|avisar)\b|\bte (?:lembro|aviso)(?! que)\b|\bvou lembrar (?:você|vocês|"
        r"todo)\b|\bte lembrarei\b",
        r"\blembro você\b|\baviso você\b",
        r"\bje (?:te|t'|vous|le|la|lui) ?(?:le |la |en )?(?:rappellerai|préviendrai|avertirai)\b",
        r"\bje vais (?:te|vous|t'en) ?(?:le )?(?:rappeler|prévenir|avertir)\b|\bje te (?:le )?rappelle (?!que\b)",
        r"\bнапомню\b(?!,? что)|\bбуду напоминать\b",
    ),
    A.SAVE: (r"\bi'm (?:saving|storing|noting) (?:it|that|this|your)\b", r"\bich speichere (?:das|es|dein\w*)\b"),
}


class _Form(NamedTuple):
    """How an action is claimed, by what `words`. `own`: the speaker is named; else it counts where it was asked for."""

    action: ClaimedAction
    pattern: str
    own: bool
    words: str

    def search(self, clause: str) -> re.Match[str] | None:
        """Find it; only then is the pattern made, as most are never asked for."""
        return _compiled(self.pattern).search(clause)


@functools.cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


def _table(frame: str, forms: _Forms, after: str = r"(?!\w)", *, own: bool = False) -> list[_Form]:
    return [_Form(action, frame.replace("@", f"(?:{words})") + after, own, words) for action, words in forms.items()]


_SHORT_END = r"(?=\s*$|\s*[!.,;:…—–✓✅]| (?:it|that|this|them|your|to|for|both|all|das|es|tu|seu|sua|ton|ta|твой)\b)"
_OWN = (
    r"\bi(?:'ve|’ve| have| did| just|'d)?(?: (?:now|also|just|already|gone ahead and|went ahead and|safely|"
    r"successfully|quickly|both|even|got \S+ \S+))* "
)
_PASSIVE_EN = (
    r"\b(?:(?:it|that|this|everything|all|(?:your|this|that) \w+(?: \w+){0,3}?|(?:the|a) (?:note|file|message|"
    r"reminder|entry|"
    r"memory|e-?mail|list|record|picture|link|document)(?: \w+){0,3}?)(?:'s| is| are| has| have| was)|"
    r"^(?:the )?\w+ ha(?:s|ve))"
    r"(?: (?:been|now|all|both|safely|successfully|officially|just))* "
)
_PASSIVE_FR: _Forms = {action: words for action, words in _FR_DONE.items() if action is not A.LOOK_UP}
CLAIM_FORMS: list[_Form] = [
    *_table(_OWN + "@", _EN, own=True),
    *_table(_PASSIVE_EN + "@", {k: v for k, v in _EN.items() if k in {A.SAVE, A.DELETE, A.SEND}}),
    *_table("^@", _EN, _SHORT_END),
    *_table(r"\b(?:i(?:'ve| have) got|got) (?:\S+ ){1,5}?@", {A.SAVE: "saved|stored|noted|written down"}),
    *_table(
        "^@", {A.REMIND: r"(?:your )?(?:reminder|alarm|timer)(?: is| has been|'s)?(?: now)? (?:set|created|scheduled)"}
    ),
    *_table(
        "@", {A.REMIND: r"\b(?:reminder|alarm|timer)(?: is| has been|'s)?(?: all| now)? (?:set|created|scheduled)"}
    ),
    *_table(r"(?:(?<=ich )hab(?:e|'s|s)?|\bhab(?:e|'s|s)?\b(?! (?:du|er|sie)\b))(?: \S+){0,9}? @", _DE, own=True),
    *_table(
        r"\b(?:das|es|alles|dein\w*|der|die|den|diese\w*)(?: \S+){0,4}? (?:ist|sind|wurde|"
        r"wurden)(?: \S+){0,4}? @",
        _DE,
    ),
    *_table(r"^(?:ist |sind |schon |ist schon )?@", _DE, _SHORT_END),
    *_table(r"\b(?:he|hemos)(?: ya)? @", _ES_DONE, own=True),
    *_table(r"\b(?:está|están|queda|quedan|quedó|ha quedado|ha sido|fue|han sido)(?: \S+){0,2}? @", _ES_DONE),
    *_table(r"^(?:ya )?@", _ES_DONE, _SHORT_END),
    *_table(r"\b@", _ES_PAST, own=True),
    *_table(r"\bacabo de (?:@)(?:[mtsl]e|l[oae]s?|sel[oa]s?|tel[oa]s?)?", _ES_TO, own=True),
    *_table(r"\b(?:está|estão|foi|foram|ficou|tá|fica)(?: \S+){0,2}? @", _PT_DONE),
    *_table(r"^(?:já )?@", _PT_DONE, r"(?=\s*$|\s*[!.,;…])"),
    *_table(r"\b@", _PT_PAST, own=True),
    *_table(r"\bacabei de @", _PT_TO, own=True),
    *_table(
        r"\b(?:j'ai|je (?:te |le |la |lui |leur |vous |les )?(?:l'|t'|lui |les |vous |leur |m'en |"
        r"en )?ai)(?: \S+){0,5}? @",
        _FR_DONE,
        own=True,
    ),
    *_table(
        r"\b(?:(?:est|sont)(?: (?:bien|maintenant|désormais|déjà|tous))?|a (?:bien )?été|ont (?:bien )?été) @",
        {**_PASSIVE_FR, A.SAVE: "enregistrée?s?|sauvegardée?s?|mémorisée?s?"},
    ),
    *_table(r"^@", _PASSIVE_FR, r"(?=\s*$|\s*[!.,;…])"),
    *_table(r"\bje viens (?:juste )?de (?:l[ea]s? |l'|lui |t'|te )?@", _FR_TO, own=True),
    *_table(r"(?<!\w)@", _RU_PAST),
    *_table(r"(?<!\w)@", _RU_DONE),
    *(_Form(action, one, own=True, words=one) for action, ways in _FUTURE.items() for one in ways),
]


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
_RUSSIAN_PAST = re.compile(rf"(?:{'|'.join(_RU_PAST.values())})(?!\w)", re.IGNORECASE)
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
_ASKED = {
    A.SAVE: r"remember|save|note|store|write (?:it|this|that) down|keep in mind|don't forget|merk|speicher|notier|"
    r"vergiss nicht|"
    r"schreib dir|guarda|anota|apunta|recuerda(?! me)|memoriza|salva|grava|lembra(?! me)|registra|retiens|note|"
    r"enregistre|"
    r"souviens|mémorise|garde|behalte|acuérdate|no olvides|"
    r"não esquec|n'oublie pas|помни|запомни|запиши|сохрани|не забудь",
    A.REMIND: r"remind|wake me|alarm|wecker|lembrete|rappel|будильник|erinner|weck|"
    r"recuérdame|recordame|avísame|me lembr|lembre-me|me avis|rappelle|"
    r"préviens|"
    r"напомни|разбуди",
    A.DELETE: r"delete|forget (?:what|that|about|my|it)|erase|remove|lösch|vergiss (?!nicht)|entfern|borra|elimina|"
    r"olvida|"
    r"apaga|deleta|exclu|esquece|supprime|efface|oublie|удали|сотри|забудь",
    A.SEND: r"send|forward|e-?mail (?:it|this|him|her|them)|post (?:it|this)|tell \w+ that|notify|schick|send|"
    r"leite|poste|"
    r"benachrichtig|envía|manda|mándale|reenvía|avisa|envia|encaminha|envoie|transmets|transfère|préviens|отправь|"
    r"пришли|перешли|скинь|"
    r"let \w+(?: \w+)? know|inform|share|sag \w+|bescheid|dile|mándal|передай|сообщи|préviens",
}
_ASKS = {action: re.compile(rf"\b(?:{words})", re.IGNORECASE) for action, words in _ASKED.items()}
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
        if found and form.action is A.REMIND and found.end() == len(clause) and _SAID_NOW.match(behind):
            continue
        if found and _is_meant(form, found, clause, asked) and _holds(found, clause, before, behind, asked):
            return form.action
    return None


def _is_meant(form: _Form, found: re.Match[str], clause: str, asked: str) -> bool:
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
