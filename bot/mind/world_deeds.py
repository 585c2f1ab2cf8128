"""Further changes of the world that an answer may report as finished, in six languages: any call may have made them.

A verb that may mean much stands with a thing that a bot can change: who "gave Zoe the role" did something, who "gave it
a thought" did not.
"""

from __future__ import annotations

from bot.mind.claim_forms import OWN_HAB, OWN_I, OWN_J_AI, ClaimedAction, ClaimForm

_DO = ClaimedAction.DO
_NEAR = r"(?= (?:\S+ ){0,6}?(?:%s))"

_EN_THINGS = (
    r"(?:roles?|access|permissions?|rights|shift|settings?|files?|folder|docs?|drive|server|links?|accounts?|playlist"
    r"|subscription|orders?|tickets?|repo|branch|database|db|lights?"
    r"|thermostat|heating|music|song|queue|volume|timer|stopwatch|countdown|alarm|poll|vote|thread|channel|room|event"
    r"|meeting|calendar|appointment|booking|reservation|invoice|payment|refund|application|complaint"
    r"|newsletter|waitlist|leaderboard|scoreboard|bot|webhook|slow ?mode|nickname|icon|banner|emoji"
    r"|spreadsheet|archive|backup|mods?|moderators?|admins?|support|landlord|organi[sz]ers?|#\S+)\b"
)
_EN = (
    r"(?:rolled back|backed up|rescheduled|reassigned|enrolled|unsubscribed|subscribed|uninstalled|installed|deployed"
    r"|rebooted|restarted|whitelisted|blacklisted|unbanned|unblocked|reopened|crossposted|rsvp'?d|checked you in"
    r"|followed up with|put in (?:a|the|your) (?:word|request|order|ticket|claim)|filed (?:a|the|your|it)\b"
    r"|placed (?:a|the|your|an) |transferred (?:you|the|your)\b|swapped (?:you|your|the)\b|bumped (?:you|your|the"
    r"|it)\b)"
    r"|(?:gave|given|granted|revoked|handed|assigned|dropped|attached|opened|closed|started|stopped|launched|submitted"
    r"|cleared|cleaned up|moved(?! on)|copied|replaced|reset|switched|turned|enabled|disabled|activated|deactivated"
    r"|hidden"
    r"|linked|connected|synced|imported|exported|merged|removed|crossed off|ticked off|paused|skipped|queued"
    r"|unlocked|locked|archived|unarchived|restored|promoted|demoted|unpinned|wrote to|written to|called|rang|phoned"
    r"|spoken to|talked to)" + _NEAR % _EN_THINGS
)
_DE = (
    r"freigegeben|gesperrt|entsperrt|verschoben|verlegt|getauscht|losgepinnt|abgepinnt|gesichert|zurückgesetzt"
    r"|neu ?gestartet|gestoppt|deaktiviert|eingeschaltet|ausgeschaltet|angeschaltet|abgeschaltet|abgemeldet|ausgeloggt"
    r"|befördert|ernannt|zugewiesen|zugeteilt|verliehen|entzogen|archiviert|nachgetragen|ausgetragen|eingereicht"
    r"|abgeschickt|installiert|synchronisiert|exportiert|importiert|ausgedruckt|angerufen|umgebucht|wiederhergestellt"
    r"|abbestellt|widerrufen|entbannt|entmutet|abgehakt|durchgestrichen|eingeladen|zugeschickt|beauftragt"
    r"|(?:rolle|zugang|zugriff|rechte|berechtigung\w*)(?: \S+){0,3}? (?:gegeben|vergeben|genommen|eingerichtet)"
    r"|(?:kanal|thread|ticket|umfrage|abstimmung|timer|playlist|musik|licht|heizung)(?: \S+){0,4}? "
    r"(?:geschlossen|geöffnet|gestartet|beendet|gestellt|angemacht|ausgemacht|übersprungen|aufgemacht|zugemacht)"
    r"|(?:mods?|moderator\w*|admins?|team|support|leitung|vermieter\w*)(?: \S+){0,4}? (?:geschrieben|gefragt"
    r"|gesprochen"
    r"|kontaktiert)"
)
_ROMANCE_MODS = (
    r"(?:mod|admin|moderador|modérat|equipo|equipe|équipe|soporte|suporte|support|staff|organizador|organisat)"
)
_ES_THINGS = (
    r"(?:rol|acceso|permisos?|turno|ajustes|archivos?|carpeta|documento|servidor|enlace|cuenta|suscripción|pedido"
    r"|ticket"
    r"|luz|luces|música|canción|cola|temporizador|cronómetro|alarma|encuesta|votación|hilo|canal|sala"
    r"|evento|reunión|calendario|cita|reserva|factura|pago|reembolso|solicitud|queja"
    r"|apodo|mesa|plaza|cupo|sitio)(?:s|es)?\b"
)
_ES = (
    r"reprogramé|reinicié|restauré|archivé|desbloqueé|desfijé|instalé|desinstalé|tramité|gestioné|intercambié|devolví"
    r"|(?:les?|la|lo) (?:escribí|llamé|contacté)|(?:escribí|llamé|pregunté)(?= (?:\S+ ){0,3}?" + _ROMANCE_MODS + r")"
    r"|(?:cambié|moví|di|entregué|asigné|concedí|otorgué|retiré|puse|colgué|abrí|cerré|activé|desactivé|apagué|encendí"
    r"|pausé|adjunté|presenté|solicité|pedí|hice|marqué|taché|copié|inicié|lancé|subí|dejé)"
    + _NEAR
    % (_ES_THINGS + r"(?! (?:claro|en claro)\b)")
)
_ES_TO = (
    r"subir|mover|cerrar|abrir|desbloquear|archivar|restaurar|reiniciar|activar|desactivar|escribir|llamar|adjuntar"
    r"|asignar|dar|poner|pedir|colgar|dejar|enviar|mandar|borrar|guardar|apagar|encender"
)
_PT_THINGS = (
    r"(?:cargo|acesso|permiss(?:ão|ões)|turno|configurações|arquivos?|ficheiros?|pasta|documento|servidor|link|conta"
    r"|assinatura|pedido|ticket|luz|luzes|música|fila|timer|temporizador|cronômetro|alarme"
    r"|enquete|votação|tópico|canal|sala|evento|reunião|calendário|consulta|reserva|fatura|pagamento|reembolso"
    r"|solicitação|queixa|apelido|planilha|backup|mesa|vaga)s?\b"
)
_PT = (
    r"reprogramei|reiniciei|restaurei|arquivei|desbloqueei|desafixei|instalei|desinstalei|encaminhei|tranquei"
    r"|destranquei"
    r"|(?:escrevi|liguei|perguntei)(?= (?:\S+ ){0,3}?" + _ROMANCE_MODS + r")"
    r"|(?:troquei|movi|dei|entreguei|atribuí|concedi|retirei|pus|coloquei|botei|abri|fechei|ativei|desativei|apaguei"
    r"|acendi"
    r"|desliguei|liguei|pausei|anexei|enviei|solicitei|pedi|fiz|marquei|risquei|copiei|iniciei|lancei|subi|deixei)"
    + _NEAR
    % _PT_THINGS
)
_PT_TO = (
    r"subir|mover|fechar|abrir|trancar|desbloquear|arquivar|restaurar|reiniciar|ativar|desativar|escrever|ligar|anexar"
    r"|atribuir|dar|pôr|colocar|pedir|deixar|enviar|mandar|apagar|salvar|guardar|desligar|acender"
)
_FR_THINGS = (
    r"(?:rôle|accès|permissions?|droits|créneau|paramètres|fichiers?|dossier|document|serveur|lien|compte|abonnement"
    r"|commande|ticket|lumières?|musique|chanson|file|minuteur|chrono|alarme|sondage|vote|fil|canal"
    r"|salon|événement|réunion|calendrier|agenda|rendez-vous|réservation|facture|paiement|remboursement|demande"
    r"|plainte|pseudo|sauvegarde|table|place|muet|muette)s?\b"
)
_FR = (
    r"reprogrammée?s?|redémarrée?s?|restaurée?s?|débloquée?s?|désépinglée?s?|installée?s?|désinstallée?s?"
    r"|verrouillée?s?"
    r"|déverrouillée?s?|résiliée?s?|remboursée?s?|échangée?s? (?:ton|ta|tes|le|la|les)|promue?s?"
    r"|(?:écrit|parlé|demandé)(?= (?:\S+ ){0,3}?" + _ROMANCE_MODS + r")"
    r"|(?:donné|rendu|déposé|attribué|accordé|retiré|ouvert|fermé|activé|désactivé|éteint|allumé|joint|rempli|passé"
    r"|lancé"
    r"|démarré|arrêté|déplacé|copié|coché|rayé|mis|changé|remis)" + _NEAR % _FR_THINGS
)
_FR_TO = (
    r"déposer|déplacer|fermer|ouvrir|verrouiller|débloquer|restaurer|redémarrer|activer|désactiver|joindre|attribuer"
    r"|donner|mettre|envoyer|transmettre|supprimer|effacer|enregistrer|éteindre|allumer|lancer"
    r"|(?:écrire|parler)(?= (?:\S+ ){0,3}?" + _ROMANCE_MODS + r")"
)
_RU_THINGS = (
    r"(?:рол|доступ|прав|смен|настройк|файл|папк|документ|сервер|ссылк|аккаунт|подписк|заказ|тикет|заявк|свет"
    r"|музык|трек|очеред|таймер|будильник|опрос|голосовани|ветк|канал|комнат|событи|встреч|календар|запис|брон|счет"
    r"|счёт"
    r"|оплат|возврат|жалоб|никнейм|стол)\w*"
)
_RU = (
    r"перезапустила?|перезагрузила?|восстановила?|разблокировала?|размутила?|открепила?|установила?|переназначила?"
    r"|(?:выдала?|дала?|назначила?|снял|сняла|забрала?|поменяла?|обменяла?|передвинула?|залила?|загрузила?|прикрепила?"
    r"|открыла?|закрыла?|включила?|выключила?|подала?|оформила?|запустила?|остановила?|перенёс|перенесла?|скопировала?"
    r"|вычеркнула?|отметила?|добавила?|отключила?|подключила?)" + _NEAR % _RU_THINGS
)
_LOCKED = (
    r"(?:channel|thread|room|ticket|account|poll|server|topic|post)s? (?:is|are|'s|has been|have been) "
    r"(?:now |officially |already |all )?(?:locked|unlocked|archived|closed|reopened|restored)(?= now\b|\s*$"
    r"|\s*[!.,✅])"
    r"|(?:order|booking|request|application|report|complaint|claim)(?:'s| is| has)(?: now| gone"
    r"| been put)? in(?=\s*$|[!.,])"
    r"|(?:invites?|invitations?|mails?|e-?mails?|messages?|reminders?) (?:are|is|have gone|has gone) out\b"
    r"|(?:kanal|thread|ticket|konto|abo|umfrage|beitrag|vertrag|mitgliedschaft)\w* ist (?:jetzt |nun |hiermit "
    r"|ab sofort )?"
    r"(?:gesperrt|geschlossen|gekündigt|archiviert|entsperrt|wieder offen)(?=\s*$|\s*[!.,✅])"
    r"|(?:hilo|canal|ticket|cuenta|encuesta|suscripción)s? (?:quedó|queda|ha quedado|ya está|ha sido) "
    r"(?:cerrad|bloquead|archivad|cancelad|reabiert)\w+"
    r"|(?:tópico|canal|ticket|conta|enquete|assinatura)s? (?:ficou|foi|já está) (?:trancad|fechad|bloquead|arquivad"
    r"|cancelad"
    r"|reabert)\w+"
    r"|(?:fil|salon|canal|ticket|compte|sondage|abonnement|contrat)s? est (?:maintenant |désormais |bien )?"
    r"(?:verrouillé|fermé|archivé|résilié|bloqué|rouvert)e?s?(?=\s*$|\s*[!.,✅])"
    r"|(?:invitations|convites|invitaciones|einladungen|mails|messages)(?: \S+){0,2}? (?:sont parties|ya salieron"
    r"|já saíram"
    r"|sind raus|sind unterwegs)"
    r"|(?:ветка|канал|тикет|аккаунт|опрос|подписка|тема)(?: теперь| уже)? (?:закрыт|заблокирован|отмен[её]н"
    r"|архивирован)[аоы]?"
    r"(?=\s*$|\s*[!.,✅])|(?:таймер|минуто?чник|секундомер|отсч[её]т) (?:запущен|пош[её]л|включ[её]н)"
    r"|(?:приглашения|письма|уведомления) (?:разосланы|ушли|отправлены)"
)
_PUNISHED_NOW = r"ist (?:jetzt|nun|ab sofort) (?:für \S+ \S+ )?(?:stumm|gebannt|gesperrt|raus|moderator\w*|admin)\b"
_STARTED = (
    r"(?:minuteur|chrono|commande|réservation|demande|sauvegarde) (?:lancée?|passée?|faite?|envoyée?|enregistrée?)"
    r"|(?:pedido|reserva|solicitud|copia) (?:hech|realizad|tramitad|enviad|confirmad)[oa]"
    r"|(?:pedido|reserva|solicitação|cópia|backup) (?:feit|realizad|enviad|confirmad)[oa]"
    r"|(?:заказ|бронь|заявка|копия) (?:оформлен|подан|готов|сделан|создан|принят)а?"
    r"|(?:bestellung|buchung|reservierung|anfrage|meldung) (?:ist )?(?:raus|aufgegeben|abgeschickt|bestätigt|drin)"
)


def _own(frame: str, words: str, *, own: bool = True, elided: bool = False, state: bool = False) -> ClaimForm:
    pattern = frame.replace("@", f"(?:{words})") + r"(?!\w)"
    return ClaimForm(_DO, pattern, own, words, elided=elided, exact=True, written=not elided or own, state=state)


WORLD_FORMS: list[ClaimForm] = [
    _own(OWN_I + "@", _EN),
    _own(r"^(?:just |already |also |successfully |quickly )?@", _EN, own=False, elided=True),
    _own(OWN_HAB + r"(?: \S+){0,9}? @", _DE),
    _own(r"\b@", _ES),
    _own(r"\bacabo de (?:@)(?:[mtsl]e|l[oae]s?|sel[oa]s?|tel[oa]s?)?", _ES_TO),
    _own(r"\b@", _PT),
    _own(r"\bacabei de @", _PT_TO),
    _own(OWN_J_AI + r"(?: \S+){0,5}? @", _FR),
    _own(r"\bje viens (?:juste )?(?:de |d')(?:l[ea]s? |l'|lui |t'|te )?@", _FR_TO),
    _own(r"(?<!\w)@", _RU, own=False, elided=True),
    _own(
        r"^(?:so |ok |yup |yep |done |el |la |las |los |l[ea]s? |o |a |os |as |the |your |ton |ta |tes |tu |tus "
        r"|teu |tua |sua "
        r"|seu |der |die |das |dein\w* |твоя |твой |ваш |ваша )*@",
        _LOCKED,
        own=False,
        elided=True,
    ),
    _own(r"^\S+ @", _PUNISHED_NOW, own=False, elided=True),
    _own(r"^(?:ok |ya |já |et hop |так |so |el |la |o |a )?@", _STARTED, own=False, elided=True),
]
