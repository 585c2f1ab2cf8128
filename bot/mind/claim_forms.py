"""How answers claim to have done something, or promise it, in six languages: verbs with what they are done to."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple


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
    MODERATE = "moderate"
    SET_UP = "set up"
    DO = "do"


A = ClaimedAction
_Forms = Mapping[ClaimedAction, str]
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
RU_PAST: _Forms = {
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


class ClaimForm(NamedTuple):
    """How an action is claimed, by what `words`. `own`: the speaker is named; else it counts where it was asked for.

    `elided`: who did it goes without saying ("saved!"), so it counts unless facts were asked for. `exact`: it says
    what it was done to. `idiom`: a negation in it is a part of it. `written`: that may be words of the answer itself.
    `state`: it only says how things are now, so something has to have been asked for.
    """

    action: ClaimedAction
    pattern: str
    own: bool
    words: str
    elided: bool = False
    exact: bool = False
    idiom: bool = False
    written: bool = False
    state: bool = False

    def search(self, clause: str) -> re.Match[str] | None:
        """Find it; only then is the pattern made, as most are never asked for."""
        return _compiled(self.pattern).search(clause)

    def action_in(self, found: re.Match[str]) -> ClaimedAction:
        """Return the action: that of the group which matched, where a pattern reads several."""
        return ClaimedAction[found.lastgroup] if found.lastgroup else self.action


@functools.cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


def _table(
    frame: str, forms: _Forms, after: str = r"(?!\w)", *, own: bool = False, elided: bool = False
) -> list[ClaimForm]:
    return [
        ClaimForm(action, frame.replace("@", f"(?:{words})") + after, own, words, elided=elided)
        for action, words in forms.items()
    ]


_SHORT_END = (
    r"(?=\s*$|\s*[!.,;:…—–✓✅]| (?:it|that|this|them|your|to|for|both|all|das|es|unter|tu|seu|sua|ton|ta|твой)\b)"
)
OWN_I = (
    r"\bi(?:'ve|’ve| have| did| just|'d)?(?: (?:now|also|just|already|gone ahead and|went ahead and|safely|"
    r"successfully|quickly|both|even|got \S+ \S+))* "
)
OWN_HAB = r"(?:(?<=ich )hab(?:e|'s|s)?|\bhab(?:e|'s|s)?\b(?! (?:du|er|sie)\b))"
OWN_J_AI = r"\b(?:j'ai|je (?:te |le |la |lui |leur |vous |les )?(?:l'|t'|lui |les |vous |leur |m'en |en )?ai)"
_PASSIVE_EN = (
    r"\b(?:(?:it|that|this|everything|all|(?:your|this|that) \w+(?: \w+){0,3}?|(?:the|a) (?:note|file|message|"
    r"reminder|entry|"
    r"memory|e-?mail|list|record|picture|link|document)(?: \w+){0,3}?)(?:'s| is| are| has| have| was)|"
    r"^(?:the )?\w+ ha(?:s|ve))"
    r"(?: (?:been|now|all|both|safely|successfully|officially|just))* "
)
_PASSIVE_FR: _Forms = {action: words for action, words in _FR_DONE.items() if action is not A.LOOK_UP}
CLAIM_FORMS: list[ClaimForm] = [
    *_table(OWN_I + "@", _EN, own=True),
    *_table(_PASSIVE_EN + "@", {k: v for k, v in _EN.items() if k in {A.SAVE, A.DELETE, A.SEND}}),
    *_table("^@", _EN, _SHORT_END, elided=True),
    *_table(r"\b(?:i(?:'ve| have) got|got) (?:\S+ ){1,5}?@", {A.SAVE: "saved|stored|noted|written down"}),
    *_table(
        "^@", {A.REMIND: r"(?:your )?(?:reminder|alarm|timer)(?: is| has been|'s)?(?: now)? (?:set|created|scheduled)"}
    ),
    *_table(
        "@", {A.REMIND: r"\b(?:reminder|alarm|timer)(?: is| has been|'s)?(?: all| now)? (?:set|created|scheduled)"}
    ),
    *_table(OWN_HAB + r"(?: \S+){0,9}? @", _DE, own=True),
    *_table(
        r"\b(?:das|es|alles|dein\w*|der|die|den|diese\w*)(?: \S+){0,4}? (?:ist|sind|wurde|"
        r"wurden)(?: \S+){0,4}? @",
        _DE,
    ),
    *_table(r"^(?:ist |sind |schon |ist schon )?@", _DE, _SHORT_END, elided=True),
    *_table(r"\b(?:he|hemos)(?: ya)? @", _ES_DONE, own=True),
    *_table(r"\b(?:está|están|queda|quedan|quedó|ha quedado|ha sido|fue|han sido)(?: \S+){0,2}? @", _ES_DONE),
    *_table(r"^(?:ya )?@", _ES_DONE, _SHORT_END, elided=True),
    *_table(r"\b@", _ES_PAST, own=True),
    *_table(r"\bacabo de (?:@)(?:[mtsl]e|l[oae]s?|sel[oa]s?|tel[oa]s?)?", _ES_TO, own=True),
    *_table(r"\b(?:está|estão|foi|foram|ficou|tá|fica)(?: \S+){0,2}? @", _PT_DONE),
    *_table(r"^(?:já )?@", _PT_DONE, r"(?=\s*$|\s*[!.,;…])", elided=True),
    *_table(r"\b@", _PT_PAST, own=True),
    *_table(r"\bacabei de @", _PT_TO, own=True),
    *_table(OWN_J_AI + r"(?: \S+){0,5}? @", _FR_DONE, own=True),
    *_table(
        r"\b(?:(?:est|sont)(?: (?:bien|maintenant|désormais|déjà|tous))?|a (?:bien )?été|ont (?:bien )?été) @",
        {**_PASSIVE_FR, A.SAVE: "enregistrée?s?|sauvegardée?s?|mémorisée?s?"},
    ),
    *_table(r"^@", _PASSIVE_FR, r"(?=\s*$|\s*[!.,;…])", elided=True),
    *_table(r"\bje viens (?:juste )?de (?:l[ea]s? |l'|lui |t'|te )?@", _FR_TO, own=True),
    *_table(r"(?<!\w)@", RU_PAST, elided=True),
    *_table(r"(?<!\w)@", _RU_DONE),
    *(ClaimForm(action, one, own=True, words=one) for action, ways in _FUTURE.items() for one in ways),
]
ASKED = {
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
    A.MODERATE: r"\bban\b|ban (?:him|her|them|@)|mute|kick|time (?:him|her|them) out|stumm ?schalt|kick|bann|"
    r"banne|silencia|"
    r"banea|expulsa|muta\b|mutar|bane\b|banir|bannis|exclu[st]|expulse|забань|замуть|кикни|заблокируй",
    A.SET_UP: r"\bpin\b|pin (?:it|this|that)|(?:create|make|set up|open|start) (?:a |an |the |new )*(?:poll|"
    r"event|channel|thread|role)|"
    r"(?:erstell|mach|leg)\w* (?:\w+ )?(?:umfrage|kanal|event|termin|rolle)|pinn|hefte|fija|ancla|crea (?:un|"
    r"una|el|la) |"
    r"fixa|afixa|cria (?:um|uma|o|a) |épingle|crée (?:un|une|le|la) |закрепи|создай",
    A.CHANGE: r"(?:change|update|switch|turn (?:on|off)|rename) (?:\w+ ){0,3}?(?:settings?|language|channel|"
    r"nickname|prefix)|"
    r"stell\w* (?:\w+ ){0,3}?(?:um|sprache)|benenn|cambia (?:\w+ ){0,2}?(?:idioma|configuración|canal|nombre)|"
    r"muda (?:\w+ ){0,2}?(?:idioma|configura\w+|canal|nome)|change (?:\w+ ){0,2}?(?:langue|paramètres|salon|nom)|"
    r"поменяй|переименуй|смени",
}
"""How somebody asks for an action."""
