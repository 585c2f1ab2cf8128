"""Further ways to claim a deed, by kind: a deed with its object, what is so now because of it, a promise, an idiom.

`bot.mind.claim_forms` lists the verbs that say enough alone. Here a verb that may mean much stands with what it was
done to: who "created a poll" did something, who "created tension" did not.
"""

from __future__ import annotations

from collections.abc import Mapping

from bot.mind.claim_forms import OWN_HAB, OWN_I, OWN_J_AI, ClaimedAction, ClaimForm

A = ClaimedAction
_Forms = Mapping[ClaimedAction, str]
_NEAR = r"(?= (?:\S+ ){0,5}?(?:%s))"
_WRITTEN = frozenset({A.CHANGE, A.MAKE_FILE})
"""What may have been done to words that stand in the answer itself."""


def _near(nouns: str) -> str:
    """Look for one of these nouns within a few words behind a verb."""
    return _NEAR % nouns


_PERSON = r"(?= (?:him|her|them|@\S+|(?-i:[A-Z])\S+|the (?:user|member|spammer|account|guy|troll|person))\b)"
_EN_EVENT = (
    r"(?:poll|survey|event|channel|thread|role|room|ticket|spreadsheet|sign-?up|invit\w+|announcement|webhook|calendar"
    r"|slot|appointment|playlist|server|welcome message|group chat)s?\b"
)
_EN_POST = r"(?:(?:earlier|last|previous|pinned|that|old|original|welcome) (?:\S+ )?)(?:post|message|announcement)s?\b"
_EN_SETTING = r"(?:settings?|configuration|language|notifications?|prefix|nickname|slow ?mode|permissions?|topic)\b"
_DE_EVENT = (
    r"(?:umfrage|event|veranstaltung|termin|kanal|channel|thread|rolle|gruppe|tabelle|einladung(?:en)?|ankündigung"
    r"|ticket|kalendereintrag|beitrag)"
)
_ES_EVENT = (
    r"(?:encuesta|evento|canal|hilo|rol|grupo|hoja|invitaci[oó]n|anuncio|publicaci[oó]n|post|aviso|ticket|calendario"
    r"|sala|reuni[oó]n|cita|servidor|votaci[oó]n|ficha|perfil|registro)(?:es|s)?\b"
)
_ES_SETTING = r"(?:configuraci[oó]n|ajustes|idioma|notificaciones|apodo|permisos|preferencias|prefijo)\b"
_PT_EVENT = (
    r"(?:enquete|vota[cç][aã]o|evento|canal|t[oó]pico|cargo|grupo|convite|an[uú]ncio|post|publica[cç][aã]o|aviso|agenda"
    r"|sala|reuni[aã]o|calend[aá]rio|servidor)s?\b"
)
_PT_SETTING = (
    r"(?:configura[cç](?:ão|ões)|defini[cç](?:ão|ões)|idioma|notifica[cç]ões|apelido|permiss(?:ão|ões)|ajustes)\b"
)
_FR_EVENT = (
    r"(?:sondage|événement|salon|canal|fil|rôle|groupe|invitation|annonce|publication|calendrier|agenda|réunion|ticket"
    r"|serveur|rendez-vous)s?\b"
)
_FR_SETTING = r"(?:paramètres?|réglages?|configuration|langue|notifications|pseudo|permissions?|préférences)\b"
_RU_EVENT = (
    r"(?:опрос|голосовани|событи|мероприяти|канал|ветк|рол[ьи]|групп|таблиц|приглашени|объявлени|пост|публикаци"
    r"|встреч|закреп|анонс|чат)\w*"
)
_RU_SETTING = r"(?:настро\w+|язык\w*|уведомлени\w+|режим\w*|параметр\w+|прав[ао]?\b|тему? чата|никнейм\w*|ник\b)"

_EN: _Forms = {
    A.SEND: r"passed (?:\S+ ){1,5}?(?:on|along)\b(?! to the next)|let (?!me |us |it )(?:\S+ ){1,4}?know|"
    r"g[ai]ven? (?:\S+ ){1,4}?(?:a )?(?:heads[- ]?up|nudge|poke|shout)|"
    r"dropped (?:\S+ ){1,4}?(?:a )?(?:line|note|message|dm)|nudged|relayed|contacted|alerted|tagged|"
    r"shot (?:\S+ ){1,3}?a (?:message|dm|text|note|line)|(?:spoken?|talked|had a word)(?= (?:to|with) (?:the |"
    r"our |your )?(?:admin|mod|moderator|team|support|owner|staff|organi[sz]er)s?\b)|"
    r"(?:uploaded|forwarded|e-?mailed|messaged)(?= (?:it|that|this|them|your|the|all|him|her|everyone|"
    r"(?-i:[A-Z])\S+)\b)|"
    r"reached out to|looped (?:\S+ ){1,3}?in|escalated|"
    r"(?:flagged|reported|submitted)(?= (?:it|this|that|your \S+|the \S+) (?:to|with|for))",
    A.SAVE: r"signed (?:you|him|her|them|us) up|(?:put|marked|got|noted) (?:you|him|her|them|that|it) down|"
    r"added (?:you|him|her|them) (?:to|as)|(?:filed|tucked|stored|stashed) (?:it|that|this) away|"
    r"locked (?:it|that|you) in|committed (?:it|that|this|\S+ \S+) to memory|pencill?ed (?:you|it|that) in|"
    r"registered (?:you|him|her|them)|logged(?= (?:it|that|this|them|your)\b)|put (?:it|that|"
    r"this) in (?:writing|the|my|your)\b|"
    r"saved (?:\S+ ){0,4}?(?:to|in|into) (?:my|your|the)\b",
    A.DELETE: r"(?:scrubbed|purged|nuked|unpinned|binned|trashed)(?= (?:it|that|this|them|the|your|all|every\S*)\b)|"
    r"(?:took|taken) (?:it|that|this|them|the \S+|your \S+) down|got rid of",
    A.CHANGE: r"(?:updated|changed|switched|adjusted|tweaked|enabled|disabled|turned (?:on|off)|toggled|reset)"
    + _near(_EN_SETTING)
    + r"|(?:edited|fixed|corrected|amended)(?: (?:it|that)\b(?= (?:a (?:sec|second|minute|moment) ago|just now|in the"
    r" (?:post|channel)))|"
    + _near(_EN_POST)
    + r")|(?:renamed|archived|unarchived|locked|unlocked|moved|rescheduled|postponed)"
    + _near(_EN_EVENT),
    A.MODERATE: r"(?:muted|unmuted|banned|unbanned|kicked)|timed (?:\S+ ){1,3}?out\b|"
    rf"(?:blocked|warned|removed|silenced|suspended){_PERSON}",
    A.SET_UP: r"pinned|(?:created|made|set up|opened|started|launched|scheduled|put up|kicked off|added|published)"
    + _near(_EN_EVENT),
    A.DO: r"(?:booked|reserved|ordered|cancell?ed|purchased|refunded|renewed)"
    r"(?= (?:you|us|it|that|the|your|a|an|them|two|three|four|\d+)\b)|"
    r"(?:paid|bought)(?= (?:for|the|your|it)\b)",
    A.LOOK_UP: r"(?:checked|looked (?:at|through|on)|searched|browsed|read|found (?:it|this|that|\S+)|pulled up|"
    r"(?:gone|went) (?:through|to|on))"
    + _near(r"(?:the web\b(?! of)|internet|online|google|website|site|weather service|forecast|wikipedia)\b"),
}
_EN_ELIDED: _Forms = {
    **{action: words for action, words in _EN.items() if action is not A.LOOK_UP},
    # "let Bob know" alone asks for it
    A.SEND: _EN[A.SEND].replace(r"let (?!me |us |it )(?:\S+ ){1,4}?know|", ""),
}
_EN_NOUN = (
    r"(?:(?:the |your |new |that )*(?:poll|event|channel|thread|role|reminder|alarm|message|note|post|announcement"
    r"|entry|invites?|invitations?|settings?|everyone|everybody|calendar|booking|ticket|membership|sign-?up sheet"
    r"|memory|new one|old one)(?:'s)?)"
)
_DE: _Forms = {
    A.SEND: "angestupst|angepingt|angehauen|durchgegeben|mitgeteilt|kontaktiert|verständigt|eingeladen|"
    "weitergegeben|weitergesagt|"
    "überbracht|übermittelt|ausgerichtet|getaggt|vorgewarnt|bescheid (?:gesagt|gegeben)",
    A.SAVE: "hinter die (?:ohren|löffel) geschrieben|eingeprägt|vorgemerkt|angemeldet|registriert|"
    r"auf die \S*liste gesetzt|in (?:den|deinen|euren) kalender (?:gepackt|gesetzt|geschrieben)",
    A.DELETE: "rausgelöscht|weggeräumt|entsorgt|getilgt|weggeworfen",
    A.CHANGE: r"(?:gerade|eben|soeben|schon|schnell) (?:geändert|angepasst|aktualisiert|korrigiert|verschoben)|"
    r"umgestellt|umbenannt|umgeschaltet|freigeschaltet|(?:einstellung\w*|servereinstellung\w*|sprache|"
    r"konfiguration|benachrichtigung\w*)"
    r"(?: \S+){0,5}? (?:geändert|angepasst|aktualisiert|gestellt|aktiviert|deaktiviert)|"
    rf"{_DE_EVENT}\w*(?: \S+){{0,5}}? (?:geändert|aktualisiert|korrigiert|verbessert|verschoben|bearbeitet|verlegt)",
    A.MODERATE: "gebannt|gekickt|rausgekickt|gemutet|stumm ?geschaltet|stummgestellt|verwarnt|rausgeschmissen|"
    "verbannt|geblockt|"
    r"(?:sendepause|timeout|time-out|mute\b|stummschaltung)(?: \S+){0,5}? (?:verpasst|gegeben|verhängt|aufgebrummt)",
    A.SET_UP: r"angepinnt|angeheftet|festgepinnt|"
    rf"{_DE_EVENT}\w*(?: \S+){{0,5}}? (?:erstellt|angelegt|eröffnet|gestartet|aufgesetzt|eingerichtet|geplant|"
    rf"angesetzt)",
    A.DO: "gebucht|reserviert|storniert|überwiesen|beantragt|gekündigt|bestellt",
    A.LOOK_UP: r"(?:wetterdienst|webseite|website|google|wikipedia|fahrplan\w*|wetterbericht|homepage|bahn|"
    r"seite|netz|internet|online)"
    r"(?: \S+){0,3}? (?:nachge\w+|geschaut|geguckt|gesucht|geprüft)",
}
_DE_ALONE = (
    "angestupst|angepingt|weitergegeben|weitergesagt|überbracht|übermittelt|vorgemerkt|angepinnt|angeheftet|"
    "umgestellt|umbenannt|stummgeschaltet|gebannt|gekickt"
)
_ES_PAST: _Forms = {
    A.SEND: r"trasladé|comuniqué|informé|contacté|hablé con|escribí (?:a|al)\b|toqué el hombro|"
    r"di (?:el )?(?:aviso|toque)|"
    r"dejé (?:un )?(?:mensaje|recado|aviso)|invité|etiqueté|reporté|derivé|notifiqué|"
    r"pasé(?= (?:\S+ ){0,3}?(?:mensaje|recado|aviso|dato)\b)|"
    r"subí(?= (?:\S+ ){0,4}?(?:álbum|grupo|canal|carpeta|drive|fotos?|archivo|documento)\b)",
    A.SAVE: r"agendé|inscribí|fiché|(?:sumé|agregué|añadí|metí)(?= (?:\S+ ){0,3}?(?:lista|grupo|evento|agenda|"
    r"calendario)\b)|puse en (?:tu|mi|la|el) (?:lista|agenda|calendario)|"
    r"dejé (?:anotad|apuntad|guardad|registrad|agendad|grabad)\w+",
    A.DELETE: "(?:quité|limpié|tiré|saqué|desfijé|desanclé)"
    + _near(r"(?:mensaje|enlace|link|nota|comentario|publicación|post|archivo|registros?|memoria|fijados?)s?\b"),
    A.REMIND: r"dejé (?:programad|puest|configurad)\w+",
    A.CHANGE: "(?:cambié|actualicé|modifiqué|ajusté|activé|desactivé|configuré)"
    + _near(_ES_SETTING)
    + "|(?:corregí|edité|renombré|moví|aplacé|actualicé|arreglé)"
    + _near(_ES_EVENT),
    A.MODERATE: r"(?:di|puse|metí) (?:un )?(?:ban|mute|kick|timeout|silencio)|silencié|mut[eé]e|bane[eé]|"
    r"expulsé|bloqueé|eché (?:a|al)\b|desbane[eé]",
    A.SET_UP: "fijé|anclé|(?:creé|abrí|armé|monté|lancé|organicé|programé|convoqué|publiqué)"
    + _near(_ES_EVENT)
    + r"|puse (?:como|de) (?:admin|dueñ|moderador|encargad)\w*",
    A.DO: r"reservé|cancelé|anulé|pagué|compré|contraté|pedí (?:mesa|cita|hora|turno|un taxi)",
}
_ES_DONE: _Forms = {
    A.SEND: r"trasladado|comunicado|informado|contactado|hablado con|derivado|elevado|escalado|invitado|reportado|"
    r"pasado(?= (?:\S+ ){0,3}?(?:mensaje|recado|aviso|dato)\b)",
    A.SAVE: "agendado|inscrito|dado de alta",
    A.CHANGE: "(?:cambiado|actualizado|modificado|ajustado|activado|desactivado|configurado|puesto)"
    + _near(_ES_SETTING)
    + "|(?:corregido|editado|renombrado|movido|aplazado)"
    + _near(_ES_EVENT),
    A.MODERATE: "silenciado|muteado|baneado|expulsado|bloqueado|echado (?:a|al)\\b",
    A.SET_UP: "fijado|anclado|(?:creado|abierto|armado|montado|lanzado|organizado|programado|convocado|publicado)"
    + _near(_ES_EVENT),
    A.DO: "reservado|cancelado|anulado|pagado|comprado|contratado",
}
_ES_TO = (
    "trasladar|comunicar|informar|contactar|avisar|agendar|inscribir|silenciar|banear|expulsar|bloquear|fijar|anclar|"
    "reservar|cancelar|crear|cambiar|actualizar|corregir"
)
_PT_PAST: _Forms = {
    A.SEND: r"dei um (?:toque|alô|recado|aviso)|falei com|comuniquei|informei|contatei|contactei|acionei|convidei|"
    r"transmiti|reencaminhei|anexei|deixei (?:um )?(?:recado|aviso)|"
    r"passei(?= (?:\S+ ){0,3}?(?:recado|mensagem|aviso)\b)|"
    r"subi(?= (?:\S+ ){0,4}?(?:grupo|canal|drive|arquivo|ficheiro|planilha)\b)",
    A.SAVE: r"inscrevi|registei|marquei(?= (?:\S+ ){0,3}?(?:agenda|calendário)\b)|"
    r"(?:adicionei|coloquei|incluí|botei) (?:você|vc|te|ele|ela)\b|deixei (?:marcad|agendad|registad|apontad)\w+",
    A.DELETE: "(?:limpei|eliminei|tirei|desafixei)"
    + _near(r"(?:mensagem|link|nota|comentário|post|arquivo|registos?|registros?|memória|dados|tudo)s?\b"),
    A.REMIND: r"deixei (?:programad|configurad)\w+|programei(?= (?:\S+ ){0,3}?(?:para|pra|aviso|lembrete)\b)",
    A.CHANGE: "(?:mudei|troquei|alterei|atualizei|ajustei|ativei|desativei|configurei)"
    + _near(_PT_SETTING)
    + "|(?:corrigi|editei|arrumei|alterei|renomeei|remarquei|adiei)"
    + _near(_PT_EVENT),
    A.MODERATE: r"dei (?:um )?(?:ban|mute|kick|timeout)|mutei|silenciei|bani\b|expulsei|bloqueei|kickei|desbani|"
    r"suspendi",
    A.SET_UP: "fixei|afixei|(?:criei|abri|montei|lancei|organizei|agendei|marquei|publiquei)" + _near(_PT_EVENT),
    A.MAKE_FILE: r"(?:gerei|criei|fiz|montei)(?= (?:\S+ ){0,3}?(?:planilha|pdf|arquivo|ficheiro|imagem|folha de)\b)",
    A.DO: "reservei|comprei|paguei|cancelei|encomendei|contratei",
    A.LOOK_UP: "(?:verifiquei|conferi|chequei|pesquisei|procurei|busquei|olhei|consultei)"
    + _near(r"(?:net|internet|web|google|site|online)\b"),
}
_PT_TO: _Forms = {
    A.SEND: "comunicar|informar|contatar|contactar|convidar|reencaminhar",
    A.MODERATE: "mutar|silenciar|banir|expulsar|bloquear",
    A.SET_UP: "fixar|(?:criar|abrir|montar|agendar|marcar)" + _near(_PT_EVENT),
    A.MAKE_FILE: r"(?:gerar|criar|fazer|montar)(?= (?:\S+ ){0,3}?(?:planilha|pdf|arquivo|ficheiro|imagem|documento)\b)",
    A.DO: "reservar|comprar|pagar|cancelar|encomendar",
}
_FR_DONE: _Forms = {
    A.SEND: r"fait (?:passer|suivre)|relayée?s?|contactée?s?|informée?s?|alertée?s?|notifiée?s?|invitée?s?|signalée?s?|"
    r"glissé un mot|passé le mot|fait signe|mise?s? au courant",
    A.SAVE: r"(?:inscrite?s?|ajoutée?s?)(?= (?:à|au|aux|sur|dans)\b)|noté dans|archivée?s?",
    A.CHANGE: "(?:changé|modifié|mis à jour|basculé|réglé|activé|désactivé|adapté)"
    + _near(_FR_SETTING)
    + "|renommée?s?|(?:corrigé|modifié|reporté|décalé|déplacé|mis à jour)"
    + _near(_FR_EVENT),
    A.MODERATE: r"virée?s?|dégagée?s?|bannie?s?|expulsée?s?|exclue?s?|mutée?s?|kickée?s?|bloquée?s?|"
    r"mise?s? en sourdine|"
    "réduite?s? au silence",
    A.SET_UP: "épinglée?s?|(?:créée?s?|ouverte?s?|lancée?s?|programmée?s?|planifiée?s?|organisée?s?|mis en place)"
    + _near(_FR_EVENT),
    A.MAKE_FILE: r"(?:fait|préparé|généré|créé)(?= (?:\S+ ){0,3}?(?:affiche|pdf|visuel|image|fichier|document|"
    r"flyer|logo)\b)",
    A.DO: "réservée?s?|commandée?s?|annulée?s?|payée?s?|achetée?s?",
    A.LOOK_UP: "(?:regardé|vérifié|cherché|consulté|trouvé|lu)" + _near(r"(?:en ligne|internet|web|google|site)\b"),
}
_FR_TO: _Forms = {
    A.SEND: "poster|publier|contacter|informer|alerter|notifier|inviter|signaler|relayer|avertir",
    A.MODERATE: "bannir|expulser|exclure|bloquer",
    A.SET_UP: "épingler|(?:créer|ouvrir|lancer|programmer|planifier)" + _near(_FR_EVENT),
    A.DO: "réserver|commander|annuler|payer",
    A.LOOK_UP: r"(?:trouver|chercher|vérifier|regarder|consulter|lire|voir)"
    + _near(r"(?:en ligne|internet|web|google|site)\b"),
}
_FR_PASSIVE: _Forms = {
    A.MODERATE: _FR_DONE[A.MODERATE],
    A.SET_UP: "épinglée?s?|créée?s?|programmée?s?|planifiée?s?",
    A.SEND: "au courant|informée?s?|alertée?s?|avisée?s?",
    A.CHANGE: "à jour|renommée?s?",
    A.DO: "réservée?s?|commandée?s?|annulée?s?",
}
_RU_PAST: _Forms = {
    A.SEND: r"перекинула?|выложила?|сообщила?|оповестила?|пинганула?|тегнула?|связал(?:ся|ась) с|пригласила?|шепнула?|"
    r"позвала?|написала?(?= (?:\S+ )?(?:в личк\w+|админ\w*|модератор\w*))",
    A.SAVE: r"(?:внесла|внёс|внес|вписала?|занесла|занёс|занес)(?= (?:\S+ ){0,3}?(?:список|таблиц\w*|"
    r"календар\w*|базу|реестр))|"
    r"добавила?(?= (?:тебя|вас|его|её|их) (?:в|к|на)\b)|зарегистрировала?",
    A.CHANGE: "(?:поменяла?|изменила?|сменила?|переключила?|обновила?|включила?|выключила?|отключила?|настроила?)"
    + _near(_RU_SETTING)
    + "|переименовала?|перенесла?|перенёс"
    + _near(_RU_EVENT)
    + "|(?:исправила?|поправила?|отредактировала?|подправила?)"
    + _near(r"(?:пост|сообщени|объявлени|анонс|закреп)\w*"),
    A.LOOK_UP: "(?:проверила?|посмотрела?|глянула?|нашла|нашёл|прочитала?)"
    + _near(r"(?:интернет\w*|сети|сайте|гугл\w*)"),
    A.MODERATE: r"забанила?|замутила?|заблокировала?|кикнула?|выгнала?|разбанила?",
    A.SET_UP: "закрепила?|(?:создала?|открыла?|запустила?|завела|завёл|запланировала?|назначила?|отложила?)"
    + _near(_RU_EVENT),
    A.DO: r"забронировала?|заказала?|оплатила?|отменила?|купила?|оформила?|записала? (?:тебя|вас) (?:на|к)\b",
}
_RU_OBJECT_FIRST = (
    r"(?:опечатк|ошибк|пост|сообщени|объявлени|анонс|закреп|канал|опрос|встреч|заметк)\w*(?: (?!был)[\w-]+){0,3}? "
    r"(?:исправила?|поправила?|закрепила?|создала?|удалила?|перенесла?|перенёс|обновила?|отменила?|опубликовала?)"
)
_ALARMS_ON = (
    (
        A.REMIND,
        r"(?:reminder|alarm|timer)s?(?: \S+){0,3}?(?:(?:'s| is| are)(?: now| all)? (?:on|set|active|live|scheduled|in)|"
        r" will (?:go off|ring|pop up|fire))",
    ),
    (
        A.REMIND,
        r"(?:erinnerung|wecker|timer)(?: \S+){0,3}? (?:läuft|steht|klingelt|ist (?:scharf|aktiv|gestellt|drin|gesetzt)|"
        r"kommt (?:dann|morgen|um))",
    ),
    (
        A.REMIND,
        r"(?:recordatorio|alarma|despertador)(?: \S+){0,2}? (?:salta|saltará|suena|sonará|llega|llegará|"
        r"está (?:puest|programad|list|activ)\w+|qued\w+ \w+)",
    ),
    (
        A.REMIND,
        r"(?:lembrete|alarme|despertador)(?: \S+){0,2}? (?:toca|vai tocar|dispara|está (?:marcad|programad|ativ)\w+)",
    ),
    (
        A.REMIND,
        r"(?:rappel|alarme|réveil)(?: \S+){0,3}? (?:sonnera|se déclenchera|est (?:en place|programmé|prêt|réglé|"
        r"activé))",
    ),
    (
        A.REMIND,
        r"(?:напоминание|будильник|таймер)(?: \S+){0,2}? (?:стоит|сработает|придёт|прозвенит|включ[её]н|"
        r"(?:по|у)ста(?:влен|новлен)[оа]?)",
    ),
    (A.SET_UP, r"(?:пост|публикация|сообщение|анонс)(?: \S+){0,2}? (?:выйдет|опубликуется|уйдёт) сам\w*"),
    (A.SET_UP, r"(?:post|publicación|anuncio|mensaje)(?: \S+){0,2}? (?:sale|saldrá|se publica|se publicará) sol\w+"),
    (
        A.SET_UP,
        r"(?:beitrag|post|ankündigung)(?: \S+){0,2}? (?:geht|kommt|erscheint)(?: \S+){0,4}? (?:automatisch|von selbst)",
    ),
)
"""An alarm that is on, and a post that will go out, were set by somebody."""
_PROMISES = (
    r"(?:klingel\w*|weck\w*|stups\w*|ping\w*) ich (?:dich|euch)\b|ich (?:klingel|weck|stups|ping)\w* (?:dich|euch)\b",
    r"(?:sage?|geb\w?) ich (?:dir|euch)(?: \S+){0,2}? bescheid|ich (?:sage?|geb\w?) (?:dir|"
    r"euch)(?: \S+){0,6}? bescheid",
    r"te (?:despierto|despertaré|llamaré|doy un toque|pego un grito)\b|te pingueo",
    r"te (?:acordo|dou um toque|chamo)(?! de\b)|vou te (?:acordar|chamar|cutucar)\b",
    r"i'll (?:give you a (?:shout|nudge|ping|call|heads[- ]?up|buzz|poke)|poke you|shout when)",
    r"je te (?:réveille|fais signe|ping\w*|relance)\b",
    r"разбужу|пингану|маякну|пну тебя|толкну тебя|дёрну тебя",
)
_NOW_SO = (
    # what is known, kept, or gone because of what was done
    (A.SEND, r"(?:already |now )?(?:on|in) the (?:mod|admin|moderator|team)(?:s|'s|s')? (?:desk|inbox|queue|hands)"),
    (A.SAVE, r"(?:you're|you are)(?: all| now)? (?:signed up|registered|on the list|enrolled)"),
    (
        A.SAVE,
        r"(?:tu es|t'es|vous êtes)(?: (?:bien|maintenant))? (?:inscrite?s?|enregistrée?s?)(?= (?:au|à|aux|sur)\b)",
    ),
    (A.SAVE, r"(?:du bist|ihr seid)(?: (?:jetzt|nun|dabei))? (?:angemeldet|eingetragen|registriert)"),
    (A.SAVE, r"(?:estás|está|están) (?:inscrit|apuntad|registrad|anotad)\w+(?= (?:en|al|a|para)\b)"),
    (A.SAVE, r"t[áa] (?:no caderninho|na agenda|na lista|anotad\w|salv\w|guardad\w|registrad\w|gravad\w|marcad\w)"),
    (A.SAVE, r"(?:está|ficou|fica) (?:no caderninho|na agenda|anotad\w|registad\w|apontad\w)"),
    (A.SEND, r"dein\w* (?:\S+ ){1,3}?(?:ist|sind) (?:überbracht|ausgerichtet|übermittelt|zugestellt|raus)"),
)
_PUNISHED = (
    (A.MODERATE, r"(?:tomou|levou|ganhou) (?:um |uma )?(?:mute|ban|kick|timeout|gancho|silenciada)"),
    (A.MODERATE, r"(?:se llevó|se ganó) (?:un |una )?(?:mute|ban|kick|timeout|expulsión)"),
    (
        A.MODERATE,
        r"(?:a pris|vient de prendre|a écopé d'un|s'est pris) (?:un |une )?(?:mute|ban|kick|timeout|exclusion)",
    ),
    (
        A.MODERATE,
        r"(?:got|gets|earned) (?:a |an |himself a |herself a )?(?:\S+ ){0,2}?(?:mute|ban|kick|timeout|time-out)",
    ),
    (
        A.MODERATE,
        r"(?:hat|kriegt|bekommt|sitzt)(?: \S+){0,5}? (?:sendepause|timeout|bann|"
        r"mute)\b(?: \S+){0,2}? (?:kassiert|bekommen|gekriegt)",
    ),
    (A.MODERATE, r"(?:получил|схлопотал|словил)а? (?:бан|мут|кик)"),
)
_BULLETINS = (
    # "message pinned", as a report says it: a thing and what was done with it, without a verb of its own
    (
        A.SET_UP,
        rf"{_EN_NOUN}(?: (?!is|are|was|were|has|can|will|by|gets?)\S+){{0,3}}? (?:created|opened|pinned|"
        rf"scheduled|added|set up|"
        r"launched|live now)",
    ),
    (A.SEND, rf"{_EN_NOUN}(?: all| now)? (?:sent|notified|tagged|invited|informed|posted)"),
    (A.CHANGE, rf"{_EN_NOUN}(?: now)? (?:updated|changed|fixed|corrected|renamed)"),
    (
        A.SET_UP,
        rf"{_DE_EVENT}\w*(?: (?!ist|sind|wird|wurde|kann|bis|von)\S+){{0,3}}? (?:erstellt|angelegt|angepinnt|"
        rf"eröffnet|gestartet|geplant)|"
        r"nachricht(?: \S+){0,2}? (?:angepinnt|angeheftet)",
    ),
    (
        A.SET_UP,
        r"(?:mensaje|encuesta|evento|canal|anuncio|rol|hilo|publicación)(?: (?!es|está|fue|se|que|por)\S+){0,2}? "
        r"(?:fijad|anclad|cread|programad|publicad|abiert)[oa]s?",
    ),
    (
        A.CHANGE,
        r"(?:registro|configuración|perfil|calendario|agenda|ajustes|datos)(?: (?!es|está|fue|se|que|por)\S+){0,2}? "
        r"(?:actualizad|modificad|cambiad|corregid)[oa]s?|cambios (?:guardados|aplicados)",
    ),
    (
        A.SEND,
        r"(?:mensaje|aviso|invitación|correo|recado)(?: (?!es|está|fue|se|que|por)\S+){0,2}? (?:enviad|mandad|"
        r"entregad)[oa]s?",
    ),
    (
        A.SET_UP,
        r"(?:mensagem|enquete|evento|canal|anúncio|cargo|tópico|post)(?: (?!é|está|foi|se|que|por)\S+){0,2}? "
        r"(?:fixad|afixad|criad|agendad|publicad|abert)[oa]s?",
    ),
    (
        A.SEND,
        r"(?:convites?|mensagem|aviso|recado|e-?mail)(?: (?!é|está|foi|se|que|por)\S+){0,2}? (?:enviad|mandad|"
        r"entregue)[oas]*",
    ),
    (A.DELETE, r"(?:limpeza|limpieza|faxina) (?:feita|hecha|concluída|terminada)"),
    (
        A.CHANGE,
        r"(?:registro|configura\w+|agenda|calendário|dados|perfil)(?: (?!é|está|foi|se|que|"
        r"por)\S+){0,2}? (?:atualizad|alterad)[oa]s?",
    ),
    (
        A.SET_UP,
        r"(?:message|sondage|événement|salon|annonce|rôle|fil|réunion)(?: (?!est|sont|a|ont|qui|par)\S+){0,2}? "
        r"(?:épinglé|créé|programmé|publié|ouvert|planifié)e?s?",
    ),
    (
        A.SEND,
        r"(?:message|invitation|annonce|mail|courriel)s?(?: (?!est|sont|a|ont|qui|par)\S+){0,2}? (?:envoyé|"
        r"transmis|partagé)e?s?",
    ),
    (
        A.SET_UP,
        rf"(?:создан[аоы]?|закрепл[её]н[аоы]?|открыт[аоы]?|запущен[аоы]?|опубликован[аоы]?) {_RU_EVENT}|"
        rf"{_RU_EVENT}(?: (?!был|был[аои]|не)[\w-]+){{0,2}}? (?:создан|закрепл[её]н|открыт|запущен|опубликован)[аоы]?",
    ),
    (
        A.SEND,
        r"(?:ссылк|приглашени|сообщени|уведомлени)\w*(?: (?!был|не)[\w-]+){0,2}? (?:отправлен|выслан|разослан|"
        r"доставлен)[аоы]?",
    ),
    (A.CHANGE, r"настройк\w+(?: (?!был|не)[\w-]+){0,2}? (?:обновлен|измен[её]н|сохранен)\w*"),
)
_STATES = (
    # so it may be for other reasons, too: it counts beside "done!", or where it was asked for
    (
        A.SEND,
        r"(?:weiß|wissen|wisst)(?: \S+){0,2}? bescheid|(?:ist|sind)(?: \S+){0,2}? (?:informiert|im bilde|eingeweiht)",
    ),
    (A.SEND, r"(?:haben|hat)(?: \S+){0,3}? einladung(?:en)? (?:gekriegt|bekommen|erhalten)"),
    (A.SEND, r"(?:knows?|been told|in the loop)(?! (?:how|who|what)\b)"),
    (
        A.SEND,
        r"(?:está|están) (?:enterad|avisad|informad)\w+|(?:está|están) al (?:tanto|corriente)|ya (?:lo |"
        r"la )?sabe[ns]?\b",
    ),
    (A.SEND, r"ya (?:tiene|tienen) (?:tu|el|su) (?:mensaje|aviso)"),
    (A.SEND, r"t[áa] sabendo|(?:está|estão|tá|tão) (?:avisad\w+|cientes?|a par)|já sabem?\b"),
    (A.SEND, r"в курсе|уже зна[ею]т|предупрежд[её]н[аы]?|оповещ[её]н[аы]?"),
    (
        A.SAVE,
        r"steh(?:t|en)(?: (?:jetzt|nun|bereits|schon|alles))? (?:im|in (?:mein|dein|der|den)\w*|auf (?:der|mein|"
        r"dein)\w*) "
        r"(?:\w*kalender|notizen|\w*liste|profil|gedächtnis|plan)",
    ),
    (A.SET_UP, rf"{_DE_EVENT}\w*(?: \S+){{0,2}}? (?:steht|läuft|ist (?:online|live|offen|drin))"),
    (A.DELETE, r"(?:ist|sind) (?:jetzt |nun |restlos |komplett )?(?:gelöscht|weg|entfernt|raus)\b"),
    (A.DELETE, r"(?:message|note|post|entry|channel|file|memory|comment|link)s?(?: now)? (?:is|are) (?:now )?gone"),
    (A.SET_UP, rf"{_EN_NOUN} (?:is |are )?(?:now )?(?:up|live|pinned|open)"),
    (A.CHANGE, r"(?:sheet|calendar|list|settings?|record)s? (?:is|are|has been)(?: now)? (?:updated|changed)"),
    (A.MODERATE, r"(?:is|are|has been)(?: now)? (?:muted|banned|kicked|timed out)"),
    (A.MODERATE, r"(?:está|están|quedó|queda|fue|ha sido) (?:silenciad|banead|expulsad|mutead|bloquead)\w+"),
    (A.MODERATE, r"(?:foi|está|tá) (?:banid|mutad|silenciad|expuls|bloquead|removid)\w+"),
    (A.MODERATE, r"(?:ist|wurde)(?: \S+){0,3}? (?:gebannt|gekickt|gemutet|stummgeschaltet|verbannt)"),
    (A.MODERATE, r"забанен[аы]?|замучен[аы]?|заблокирован[аы]?|в муте|исключ[её]н[аы]?"),
    (A.MAKE_FILE, r"dans (?:les|tes|vos) (?:fichiers|documents)|unter (?:dateien|dokumente)"),
    (A.CHANGE, r"(?:tableau|agenda|calendrier|liste)(?: \S+){0,2}? est à jour"),
)
_IDIOMS = (
    (
        A.SAVE,
        r"won't slip my mind|consider (?:it|that) (?:noted|saved|remembered|stored)|"
        r"(?:etched|burned|burnt|engraved|seared) in(?:to)? (?:my |the )?(?:memory|brain|mind|stone)",
    ),
    (
        A.SAVE,
        r"grabado a fuego|(?:apuntado|anotado|guardado|registrado) queda|queda (?:apuntad|anotad|agendad)[oa]|"
        r"grabado en (?:mi|la) (?:memoria|mente|cabeza)|no se me (?:olvida|olvidará|va a olvidar)",
    ),
    (
        A.SAVE,
        r"guardado a sete chaves|(?:aqui )?na cachola|não (?:me )?esqueço(?: mais| nunca)|fica (?:anotado|registado)",
    ),
    (A.SAVE, r"gravée? dans (?:le marbre|la pierre|ma mémoire|mon esprit)|noté dans (?:mes|un coin de ma)"),
    (A.SAVE, r"зарубила? (?:себе )?на носу|намотала? (?:себе )?на ус|взяла? на (?:заметку|карандаш)"),
    (A.SAVE, r"hinter die (?:ohren|löffel) geschrieben|eingebrannt in"),
    (A.DELETE, r"borrón y cuenta nueva|pasó a mejor vida|borrado del mapa"),
    (A.DELETE, r"(?:já não consta|não consta mais)(?: \S+){0,4}? (?:meus|meu|nos|no) |sumiu do mapa|foi pro lixo"),
    (A.DELETE, r"концы в воду|больше не существует|как не бывало"),
    (A.DELETE, r"wiped clean|gone for good|never happened"),
    (A.DELETE, r"weg ist (?:der|die|das|dein\w*|alles)\b"),
    (A.DELETE, r"spurlos verschwunden|in die tonne gekloppt"),
)
_DONE_WORDS = (
    "consider it done|consider that done|done and dusted|all sorted|all taken care of|it's all taken care of|"
    "schon passiert|schon erledigt|bereits erledigt|der drops ist gelutscht|ist im kasten|ist geritzt|gebongt|"
    "in trockenen tüchern|asunto zanjado|asunto arreglado|ya quedó|dicho y hecho|dalo por hecho|hecho y derecho|"
    "listo el pollo|missão cumprida|assunto resolvido|dito e feito|pode considerar feito|considere feito|"
    "c'est dans la boîte|c'est dans la poche|affaire classée|affaire réglée|c'est réglé|chose faite|"
    "emballé c'est pesé|дело сделано|дело в шляпе|считай сделано|считай что сделано|всё улажено"
)
"""Say that it is done, whatever it was."""


def _forms(
    frame: str, forms: _Forms, *, own: bool = False, elided: bool = False, after: str = r"(?!\w)"
) -> list[ClaimForm]:
    return [
        ClaimForm(
            action,
            frame.replace("@", f"(?:{words})") + after,
            own,
            words,
            elided=elided,
            exact=True,
            written=action in _WRITTEN,
        )
        for action, words in forms.items()
    ]


def _said(
    forms: tuple[tuple[ClaimedAction, str], ...], frame: str = r"(?<!\w)@", *, elided: bool = True, idiom: bool = False
) -> list[ClaimForm]:
    return [
        ClaimForm(action, frame.replace("@", f"(?:{words})") + r"(?!\w)", False, words, elided, True, idiom)
        for action, words in forms
    ]


_JUST = r"^(?:just |already |also |successfully )?@"
_DE_AUX = (
    r"\b(?:das|es|alles|dein\w*|der|die|den|diese\w*|alle)(?: \S+){0,4}? (?:ist|sind|wurde|wurden)(?: \S+){0,4}? @"
)
DEED_FORMS: list[ClaimForm] = [
    *_forms(OWN_I + "@", _EN, own=True),
    *_forms(_JUST, _EN_ELIDED, elided=True),
    *_forms(OWN_HAB + r"(?: \S+){0,9}? @", _DE, own=True),
    *_forms(
        OWN_HAB + r"(?: \S+){0,2}? (?:ihm|ihr|ihnen|allen|(?:der|dem|den) \S+)(?: \S+){0,4}? @",
        {A.SEND: "geschrieben|gesagt|geantwortet"},
        own=True,
    ),
    *_forms(r"\bvon mir(?: \S+){0,4}? @", {A.MODERATE: "verpasst|bekommen|kassiert|gebannt|stummgeschaltet"}, own=True),
    *_forms(_DE_AUX, {A.SEND: _DE[A.SEND], A.MODERATE: _DE[A.MODERATE], A.SET_UP: _DE[A.SET_UP], A.DO: _DE[A.DO]}),
    *_forms(r"^(?:ist |schon )?@", {A.SET_UP: _DE_ALONE}, elided=True, after=r"(?=\s*$|\s*[!.,;:…—–✓✅])"),
    *_forms(r"\b@", _ES_PAST, own=True),
    *_forms(r"\b(?:he|hemos)(?: ya)? @", _ES_DONE, own=True),
    *_forms(r"\bacabo de (?:@)(?:[mtsl]e|l[oae]s?|sel[oa]s?|tel[oa]s?)?", {A.DO: _ES_TO}, own=True),
    *_forms(r"\b@", _PT_PAST, own=True),
    *_forms(r"\bacabei de @", _PT_TO, own=True),
    *_forms(OWN_J_AI + r"(?: \S+){0,5}? @", _FR_DONE, own=True),
    *_forms(r"\bje viens (?:juste )?de (?:l[ea]s? |l'|lui |t'|te )?@", _FR_TO, own=True),
    *_forms(
        r"\b(?:(?:est|sont)(?: (?:bien|maintenant|désormais|déjà))?|a (?:bien )?été|ont (?:bien )?été) @", _FR_PASSIVE
    ),
    *_forms(r"(?<!\w)@", _RU_PAST, elided=True),
    *_said(((A.CHANGE, _RU_OBJECT_FIRST),), "^@"),
    *_said(_ALARMS_ON),
    *(ClaimForm(A.REMIND, rf"(?<!\w)(?:{one})(?!\w)", True, one) for one in _PROMISES),
    *_said(_NOW_SO, r"^(?:já |ya |schon |jetzt |aqui |and |und |y |e |et )?@", idiom=True),
    *_said(_PUNISHED),
    *_said(
        _BULLETINS,
        r"^(?:l[ea]s? |l'|ton |ta |tes |un |une |el |la |los |tu |o |a |seu |sua |die |der |das |dein\w* )?@",
    ),
    *_said(((A.SEND, "(?:enterad|avisad)[oa]s?"),), r"^\S+ (?:ya )?@"),
    *_said(_STATES, elided=False),
    *(
        ClaimForm(action, rf"(?<!\w)(?:{words})(?!\w)", False, words, elided=True, exact=True, idiom=True)
        for action, words in _IDIOMS
    ),
    ClaimForm(A.DO, rf"^(?:\S+ )?(?:{_DONE_WORDS})(?!\w)", False, _DONE_WORDS, elided=True, exact=True, written=True),
]
