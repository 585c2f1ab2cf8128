"""What is so now because of a deed: "your table is booked", "message pinned", "it is in my notes", in six languages.

Such words name nobody who did it. So they are a claim only where something was asked for, or nothing is known of that.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from bot.mind.claim_forms import ClaimedAction, ClaimForm

A = ClaimedAction


class _Language(NamedTuple):
    """How a language says it: articles, words between, what is and was, things, and what was done with them."""

    articles: str
    adverbs: str
    is_so: str
    not_between: str
    things: str
    done: Mapping[ClaimedAction, str]


_EN = _Language(
    articles="the|your|our|his|her|that|this|a|an|new|all",
    adverbs="now|all|already|just|officially|safely|successfully|also|both|finally|back",
    is_so="is|are|'s|has been|have been|has now been|is being",
    not_between="is|are|was|were|has|have|had|can|will|would|should|by|if|gets?|not|that|which|who|to",
    things="reminder|alarm|timer|message|note|post|announcement|entry|poll|survey|event|channel|thread|role|"
    "nickname|topic"
    "|ticket|appointment|meeting|booking|reservation|order|table|spot|seat|slot|place|invite|invitation|link|comment"
    "|account|user|member|spammer|setting|notification|slow ?mode|sheet|sign-?up|calendar|spreadsheet|"
    "subscription|payment"
    "|request|report|complaint|application|photo|slides?|picture|e-?mail|name|memory|profile|birthday|address|everyone"
    "|everybody|registration|ban|mute|warning|playlist|group|server|bio|status|language|phone number|number|folder",
    done={
        A.SEND: "sent|forwarded|delivered|submitted|passed on|notified|informed|tagged|invited|uploaded|shared with",
        A.SAVE: "saved|noted|logged|registered|stored in my|recorded in my|in my (?:notes|memory|list)|on (?:my|"
        "the) list",
        A.DELETE: "deleted|removed|erased|taken down|cleared|wiped|history|gone",
        A.SET_UP: "created|opened|pinned|set up|scheduled|live|up\\b(?! (?:to|for))|launched|up and running",
        A.CHANGE: "changed|updated|renamed|switched|fixed|corrected|enabled|disabled|turned (?:on|off)",
        A.MODERATE: "banned|muted|kicked|silenced|timed out|lifted",
        A.DO: "booked|reserved|confirmed|ordered|placed|cancell?ed|paid",
    },
)
_DE = _Language(
    articles="der|die|das|den|dein|deine|deinen|euer|eure|ihre?|alle|neue[rns]?",
    adverbs="jetzt|nun|bereits|schon|alle|auch|erfolgreich|hiermit|soeben|gerade|komplett|restlos|offiziell|"
    "wieder|damit",
    is_so="ist|sind|wurde|wurden|steht",
    not_between="ist|sind|war|waren|wird|werden|wurde|kann|soll|muss|von|bis|wenn|ob|nicht|noch|laut|die|der|das|zu",
    things="erinnerung|wecker|timer|nachricht|notiz|beitrag|post|ankündigung|eintrag|umfrage|event|veranstaltung|termin"
    "|kanal|channel|thread|rolle|spitzname|nickname|ticket|buchung|reservierung|bestellung|tisch|platz|einladung|link"
    "|kommentar|nutzer|mitglied|spammer|einstellung|benachrichtigung|slowmode|liste|kalender|tabelle|zahlung|anfrage"
    "|meldung|beschwerde|anmeldung|bild|foto|datei|mail|e-mail|name|profil|geburtstag|adresse|grüße|sprache|gruppe|bann"
    "|tippfehler|nummer|daten|infos|playlist|überweisung|abo|antrag|konto|passwort",
    done={
        A.SEND: "raus\\b(?! (?:aus|mit))|verschickt|gesendet|weitergeleitet|zugestellt|übermittelt|überbracht|"
        "ausgerichtet|"
        "weitergegeben|benachrichtigt|informiert|hochgeladen|eingereicht|unterwegs",
        A.SAVE: "eingetragen|notiert|vermerkt|ergänzt|abgespeichert|hinterlegt|vorgemerkt|aufgenommen|gespeichert",
        A.DELETE: "gelöscht|entfernt|weg\\b|verschwunden|geleert",
        A.SET_UP: "erstellt|angelegt|angepinnt|angeheftet|eröffnet|gestartet|geplant|aufgesetzt|eingerichtet|"
        "live|online|drin",
        A.CHANGE: "geändert|aktualisiert|umbenannt|angepasst|korrigiert|behoben|umgestellt|aktiviert|"
        "deaktiviert|an\\b|aus\\b|gesetzt",
        A.MODERATE: "gebannt|gekickt|gemutet|stummgeschaltet|verbannt|aufgehoben",
        A.DO: "gebucht|reserviert|bestellt|storniert|bezahlt|bestätigt|aufgegeben",
    },
)
_ES = _Language(
    articles="el|la|los|las|tu|tus|su|sus|un|una|nuevo|nueva",
    adverbs="ya|ahora|todo|bien|correctamente|oficialmente|también|listo",
    is_so="está|están|queda|quedan|quedó|quedaron|ha sido|han sido|ha quedado|fue",
    not_between="es|está|fue|era|se|que|por|si|no|cuando|según|de|del|para|será",
    things="recordatorio|alarma|mensaje|nota|publicaci[oó]n|post|anuncio|aviso|entrada|encuesta|evento|canal|"
    "hilo|rol|apodo"
    "|ticket|cita|reuni[oó]n|reserva|pedido|mesa|plaza|lugar|turno|invitaci[oó]n|invitaciones|enlace|link|"
    "comentario|usuario"
    "|miembro|spammer|configuraci[oó]n|ajustes|notificaciones|lista|calendario|hoja|pago|solicitud|reporte|"
    "queja|foto|archivo"
    "|correo|nombre|registro|perfil|ficha|cambios|datos|direcci[oó]n|idioma|grupo|recado|inscripci[oó]n|"
    "limpieza|cumpleaños",
    done={
        A.SEND: "enviad[oa]s?|mandad[oa]s?|entregad[oa]s?|reenviad[oa]s?|notificad[oa]s?|avisad[oa]s?|"
        "subid[oa]s?|dad[oa]s?",
        A.SAVE: "guardad[oa]s?|anotad[oa]s?|apuntad[oa]s?|registrad[oa]s?|agendad[oa]s?",
        A.DELETE: "borrad[oa]s?|eliminad[oa]s?|quitad[oa]s?",
        A.SET_UP: "cread[oa]s?|fijad[oa]s?|anclad[oa]s?|abiert[oa]s?|programad[oa]s?|publicad[oa]s?|"
        "colgad[oa]s?|en marcha|"
        "lanzad[oa]s?|en el aire",
        A.CHANGE: "cambiad[oa]s?|actualizad[oa]s?|modificad[oa]s?|corregid[oa]s?|activad[oa]s?|desactivad[oa]s?|"
        "aplicad[oa]s?",
        A.MODERATE: "banead[oa]s?|silenciad[oa]s?|expulsad[oa]s?|mutead[oa]s?|bloquead[oa]s?",
        A.DO: "reservad[oa]s?|confirmad[oa]s?|hech[oa]s?|pagad[oa]s?|cancelad[oa]s?|pedid[oa]s?",
    },
)
_PT = _Language(
    articles="o|a|os|as|teu|tua|seu|sua|um|uma|novo|nova",
    adverbs="já|agora|tudo|bem|oficialmente|também|todo|toda",
    is_so="está|estão|tá|tão|ficou|fica|foi|foram|já foi",
    not_between="é|está|foi|era|se|que|por|pelo|pela|quando|segundo|não|para|será|de|do|da",
    things="lembrete|alarme|despertador|mensagem|nota|publica[cç][aã]o|post|an[uú]ncio|aviso|entrada|enquete|"
    "evento|canal"
    "|t[oó]pico|cargo|apelido|ticket|reuni[aã]o|reserva|pedido|mesa|vaga|lugar|convite|link|coment[aá]rio|"
    "usu[aá]rio|membro"
    "|spammer|configura[cç](?:ão|ões)|notifica[cç]ões|lista|calend[aá]rio|agenda|planilha|folha|pagamento|"
    "solicita[cç][aã]o"
    "|queixa|foto|arquivo|ficheiro|e-?mail|nome|registo|registro|perfil|ficha|dados|endere[cç]o|idioma|grupo|recado"
    "|inscri[cç][aã]o|limpeza|faxina|consulta|altera[cç](?:ão|ões)",
    done={
        A.SEND: "enviad[oa]s?|mandad[oa]s?|entregues?|encaminhad[oa]s?|notificad[oa]s?|avisad[oa]s?|dad[oa]s?",
        A.SAVE: "guardad[oa]s?|anotad[oa]s?|registad[oa]s?|registrad[oa]s?|salv[oa]s?|agendad[oa]s?|"
        "marcad[oa]s?|na (?:lista|agenda)",
        A.DELETE: "apagad[oa]s?|eliminad[oa]s?|removid[oa]s?|deletad[oa]s?",
        A.SET_UP: "criad[oa]s?|fixad[oa]s?|afixad[oa]s?|abert[oa]s?|programad[oa]s?|publicad[oa]s?|no ar|lançad[oa]s?",
        A.CHANGE: "mudad[oa]s?|atualizad[oa]s?|alterad[oa]s?|corrigid[oa]s?|ativad[oa]s?|desativad[oa]s?|trocad[oa]s?",
        A.MODERATE: "banid[oa]s?|silenciad[oa]s?|expuls[oa]s?|mutad[oa]s?|bloquead[oa]s?",
        A.DO: "reservad[oa]s?|confirmad[oa]s?|feit[oa]s?|pag[oa]s?|cancelad[oa]s?",
    },
)
_FR = _Language(
    articles="l[ea]s?|ton|ta|tes|votre|vos|un|une|nouveau|nouvelle",
    adverbs="bien|maintenant|déjà|désormais|tous|tout|officiellement|aussi|enfin",
    is_so="est|sont|a été|ont été|a bien été|ont bien été",
    not_between="est|sont|a|ont|était|qui|que|par|si|pas|ne|quand|selon|de|du|pour|sera",
    things="rappel|alarme|réveil|message|note|publication|post|annonce|entrée|sondage|événement|salon|canal|fil|"
    "rôle|pseudo"
    "|ticket|rendez-vous|réunion|réservation|commande|table|place|invitation|lien|commentaire|utilisateur|"
    "membre|spammeur"
    "|paramètre|réglage|notification|liste|calendrier|agenda|tableau|paiement|demande|signalement|photo|fichier|"
    "mail|courriel"
    "|nom|profil|fiche|données|adresse|langue|groupe|inscription|ménage|anniversaire|changement|modification",
    done={
        A.SEND: "envoyée?s?|transmise?s?|transférée?s?|partagée?s?|prévenue?s?|remise?s?",
        A.SAVE: "notée?s?|enregistrée?s?|sauvegardée?s?|ajoutée?s?|inscrite?s?",
        A.DELETE: "supprimée?s?|effacée?s?|retirée?s?",
        A.SET_UP: "créée?s?|épinglée?s?|ouverte?s?|programmée?s?|publiée?s?|planifiée?s?|lancée?s?|en ligne|en place",
        A.CHANGE: "changée?s?|modifiée?s?|mise?s? à jour|corrigée?s?|activée?s?|désactivée?s?|à jour",
        A.MODERATE: "bannie?s?|exclue?s?|expulsée?s?|mutée?s?|bloquée?s?",
        A.DO: "réservée?s?|confirmée?s?|commandée?s?|annulée?s?|payée?s?|faite?s?|passée?s?",
    },
)
_RU = _Language(
    articles="твой|твоя|твоё|твои|ваш|ваша|ваше|ваши|новый|новая|этот|эта|все",
    adverbs="уже|теперь|всё|успешно|тоже|официально",
    is_so="уже|теперь|успешно|наконец",
    not_between="был|была|было|были|не|будет|если|когда|который|которая|которое|которые|что|можно|по",
    things="напоминани\\w*|будильник\\w*|таймер\\w*|сообщени\\w*|заметк\\w*|пост\\w*|объявлени\\w*|запись|"
    "опрос\\w*|событи\\w*"
    "|мероприяти\\w*|канал\\w*|ветк\\w*|роль|ник\\b|тикет\\w*|встреч\\w*|бронь|заказ\\w*|стол\\w*|место|"
    "приглашени\\w*|ссылк\\w*"
    "|комментари\\w*|пользовател\\w*|участник\\w*|спамер\\w*|настройк\\w*|уведомлени\\w*|список|календар\\w*|"
    "таблиц\\w*|оплат\\w*"
    "|заявк\\w*|жалоб\\w*|файл\\w*|фото\\w*|письм\\w*|имя|профил\\w*|адрес\\w*|язык\\w*|групп\\w*|доступ\\w*|"
    "закреп\\w*|билет\\w*",
    done={
        A.SEND: "отправлен[аоы]?|выслан[аоы]?|разослан[аоы]?|доставлен[аоы]?|передан[аоы]?|загружен[аоы]?",
        A.SAVE: "записан[аоы]?|сохран[её]н[аоы]?|добавлен[аоы]?|внес[её]н[аоы]?|зафиксирован[аоы]?",
        A.DELETE: "удал[её]н[аоы]?|ст[её]рт[аоы]?|убран[аоы]?",
        A.SET_UP: "создан[аоы]?|закрепл[её]н[аоы]?|открыт[аоы]?|запущен[аоы]?|опубликован[аоы]?|запланирован[аоы]?|"
        "висит в закрепе|установлен[аоы]?|поставлен[аоы]?|назначен[аоы]?",
        A.CHANGE: "измен[её]н[аоы]?|обновл[её]н[аоы]?|переименован[аоы]?|исправлен[аоы]?|включ[её]н[аоы]?|"
        "отключ[её]н[аоы]?",
        A.MODERATE: "забанен[аоы]?|замучен[аоы]?|заблокирован[аоы]?|исключ[её]н[аоы]?",
        A.DO: "забронирован[аоы]?|оформлен[аоы]?|заказан[аоы]?|оплачен[аоы]?|отмен[её]н[аоы]?|"
        "подтвержд[её]н[аоы]?|принят[аоы]?",
    },
)
_FIRST = (
    # a deed stands first, and its thing behind or nowhere
    (A.DELETE, r"(?:eliminad[oa]s?|borrad[oa]s?)(?= (?:sin|de|para|el|la|tu|todo|del)\b)"),
    (A.SAVE, r"guardad[oa]s?(?= (?:en|para) (?:mi|la|siempre)\b)|anotadinh[oa]|salvinho|guardadinh[oa]|apuntadit[oa]"),
    (A.CHANGE, r"(?:cambiado|actualizado|corregido|modificado)(?= (?:el|la|tu|los|las)\b)"),
    (A.SET_UP, r"(?:creado|fijado|anclado|publicado|programado)(?= (?:el|la|tu|los|las)\b)"),
    (A.DELETE, r"удал[её]н[оаы]?(?=\s*$|\s*[!.,])|ст[её]рт[оаы]?(?=\s*$|\s*[!.,])"),
    (A.SAVE, r"записан[оа]?(?=\s*$|\s*[!.,])|сохранено(?=\s*$|\s*[!.,])"),
    (A.SAVE, r"ist (?:notiert|vermerkt|eingetragen|abgespeichert|hinterlegt|gespeichert)"),
    (A.SAVE, r"(?:queda|quedó|está) (?:registrad|anotad|apuntad|guardad|grabad)[oa]"),
    (
        A.SET_UP,
        r"(?:está|están|quedó|queda) (?:colgad|publicad|cread|fijad|anclad|programad|abiert)\w+(?= (?:el|la|los|"
        r"las|tu)\b)",
    ),
    (A.DO, r"(?:está|están|quedó|queda) (?:reservad|pagad|pedid|confirmad|cancelad)\w+(?= (?:el|la|los|las|tu)\b)"),
    (A.SAVE, r"(?:já |tá |está )?(?:tudo |td )(?:guardad|anotad|registad|registrad|salv)[oa]"),
    (A.SAVE, r"c'est (?:bien )?(?:ajouté|inscrit|enregistré|noté)(?= (?:à|dans|sur) (?:l'agenda|ma|mon|mes|ton|ta)\b)"),
    (
        A.SAVE,
        r"(?:it's|it is|that's)(?: \S+)? (?:in|on) (?:the|my|your) (?:calendar|notes|list|books|diary|schedule|"
        r"to-?do list)",
    ),
    (
        A.SAVE,
        r"steht (?:jetzt |nun |schon )?(?:auf|in|im) (?:meine[rnm]? |deine[rnm]? |der |dem )?(?:\w*liste|"
        r"notizen|\w*kalender|gedächtnis)",
    ),
    (
        A.SAVE,
        r"du stehst (?:jetzt |nun )?auf(?= (?:\S+ ){0,3}?(?:platz|\w*liste)\b)|"
        r"you're (?:now )?on the (?:\S+ )?list|tu es (?:bien )?ajoutée? (?:à|au|aux)|você está na lista",
    ),
)


_REPORT_ENDS = (
    r"(?=\s*$|\s*[!.,…]| (?:in|at|on|for|to|until|from|with|successfully|für|bis|an|auf|um|im|unter|erfolgreich|"
    r"en|para|a|al"
    r"|hasta|desde|arriba|correctamente|com|no|na|em|até|lá|aqui|pra|dans|à|au|pour|jusqu\S*|sur|sous|в|на|до|"
    r"для|с)(?!\w))"
)
"""A thing and a participle alone may be the beginning of more: "the banned member cannot write"."""
_NO_PLACE = (
    r"(?!\w)(?! (?:en|in|dans|em|na|no|auf|im|в|на)\b(?! (?:m[iye]|minha|meus|ma|mon|mes|mein\w*|"
    r"deine\w*|your|tu|tua|ton|моей)\b))"
)
"""Where a file is kept is a fact of it, and who keeps something in mind says of it "my"."""


def _of(language: _Language) -> ClaimForm:
    """Read "your table is booked", and "table booked" as a report says it; the group that matches is the action."""
    lead = rf"^(?:(?:{language.adverbs}) )?(?:(?:(?:{language.articles}) )+(?:\S+ ){{0,2}}?)?"
    between = rf"(?: (?!(?:{language.not_between})\b)\S+){{0,3}}?"
    thing = rf"(?:{language.things})(?:'s|\w{{0,3}}(?!\w))"
    so = rf" ?(?:{language.is_so})(?: (?:{language.adverbs}))*(?: \S+){{0,2}}? "
    done = "|".join(
        rf"(?P<{action.name}>(?:{words}){_NO_PLACE if action is A.SAVE else ''})"
        for action, words in language.done.items()
    )
    pattern = rf"{lead}{thing}{between}(?:{so}|(?P<report> ))(?:{done})(?!\w)(?(report){_REPORT_ENDS}|)"
    return ClaimForm(A.DO, pattern, False, language.things, exact=True, state=True)


STATE_FORMS: list[ClaimForm] = [
    *(_of(language) for language in (_EN, _DE, _ES, _PT, _FR, _RU)),
    *(
        ClaimForm(
            action,
            rf"^(?:já |ya |und |and |y |e |et |ok |ça |всё )?(?:{words})(?!\w)",
            False,
            words,
            exact=True,
            state=True,
        )
        for action, words in _FIRST
    ),
    ClaimForm(
        A.SEND,
        r"^(?:\S+ ){0,2}?\S+(?:'s| has| have)(?: now| already)? been (?:told|informed|notified|pinged|invited)",
        False,
        "been (?:told|informed|notified|pinged|invited)",
        exact=True,
        state=True,
    ),
]
