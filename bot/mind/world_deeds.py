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

_EN_WORLD = (
    r"(?:mods?|moderators?|admins?|staff|group|channel|server|chat|calendar|agenda|sign-?up|spreadsheet|folder|drive"
    r"|poll"
    r"|reminder|alarm|timer|mailbox|inbox|invites?|invitations?|thread|nickname|account|booking|reservation|ticket"
    r"|database"
    r"|playlist|guest ?list|waitlist|roster|queue|schedule|wiki|board|notes|memory|profile|dms?|desk|everyone"
    r"|everybody"
    r"|slot|seat|spot|table for|flight|hotel|doctor|dentist|landlord|plumber|taxi|cab|pizza|delivery|parcel|package)\b"
)
_EN_MIND = (
    r"(?:read|seen|thought|heard|understood|tried|checked|looked|noticed|found|learned|learnt|assumed|counted"
    r"|calculated"
    r"|translated|summari[sz]ed|rephrased|explained|described|mentioned|listed|used|written|wrote|said|meant|known"
    r"|knew"
    r"|been|had|got|felt|come|came|gone|went|missed|enjoyed|liked|loved|needed|wanted|failed|wished|seemed|happened"
    r"|named"
    r"|guessed|believed|expected|compared|based|started with|misread|mixed|confused|answered|talked|played|lived"
    r"|worked"
    r"|remembered|forgot|lost|made|given|gave|kept|held|taken|took|changed|added|included|moved on|picked|chosen|chose"
    r"|received|joined|waited|covered|tailored|planned|prepared|drafted|designed|composed|outlined|structured"
    r"|organi[sz]ed"
    r"|grouped|sorted|formatted|arranged|suggested|recommended|proposed|offered|promised|helped|watched|followed"
    r"|wondered"
    r"|worried|laughed|apologi[sz]ed|thanked|asked|replied|responded|discussed|walked|hoped|decided|agreed|shortened"
    r"|simplified|marked|highlighted|converted|split|visited|stayed|moved in|pointed|shown|showed|created)"
)
_DE_WORLD = (
    r"(?:mods?|moderator\w*|admins?|gruppe|kanal|channel|server|chat|kalender|tabelle|ordner|umfrage|erinnerung"
    r"|wecker|timer"
    r"|postfach|einladung\w*|thread|spitznamen?|konto|buchung|reservierung|ticket|datenbank|playlist|gästeliste"
    r"|warteliste"
    r"|teilnehmerliste|pinnwand|notizen|gedächtnis|profil|tisch|platz|arzt|zahnarzt|vermieter\w*|taxi|pizza"
    r"|paket|rolle|slot|termin)\b"
)
_DE_MIND = (
    r"(?:gelesen|gesehen|gedacht|gehört|verstanden|versucht|gefunden|gelernt|angenommen|gezählt|berechnet|übersetzt"
    r"|zusammengefasst|umformuliert|erklärt|beschrieben|erwähnt|aufgelistet|benutzt|geschrieben|gesagt|gemeint|gewusst"
    r"|gehabt|gefühlt|gekommen|gegangen|vermisst|gefallen|gebraucht|gewollt|geglaubt|erwartet|verglichen|verwechselt"
    r"|geantwortet|gespielt|gelebt|gearbeitet|erinnert|vergessen|verloren|gemacht|gegeben|gehalten|genommen|geändert"
    r"|gewählt|gesucht|gefragt|geguckt|geschaut|nachgesehen|genannt|getan|bekommen|mitbekommen|geraten|geplant"
    r"|gegliedert|gekürzt|gefreut|gelacht|geholfen|gehofft|geordnet|gestaltet|gemerkt|gewartet|gewünscht|angefangen"
    r"|gestanden)"
)
_ES_WORLD = (
    r"(?:mods?|moderador\w*|admin\w*|grupo|canal|servidor|chat|calendario|agenda|carpeta|encuesta|recordatorio|alarma"
    r"|temporizador|buzón|invitaci\w+|hilo|apodo|cuenta|reserva|ticket|base de datos|playlist|lista de (?:espera"
    r"|invitados"
    r"|inscritos)|tablón|perfil|mesa|plaza|médico|dentista|casero|taxi|pizza|paquete|turno|cita)\b"
)
_ES_MIND = (
    r"(?:leí|pensé|entendí|intenté|encontré|aprendí|conté|calculé|traduje|resumí|expliqué|mencioné|usé|escribí|creé|sé"
    r"|me equivoqué|respondí|contesté|hablé|viví|trabajé|recordé|olvidé|perdí|elegí|busqué|pregunté|miré|vi|oí|noté"
    r"|cambié"
    r"|empecé|llegué|jugué|imaginé|supuse|comparé|confundí|qué|porqué|té|café|cambiaré|podré|seré|estaré|tendré|haré"
    r"|recibí|esperé|disfruté|preparé|planeé|diseñé|organicé|ordené|agrupé|sugerí|recomendé|ofrecí|prometí|ayudé|seguí"
    r"|decidí|acepté|acorté|resalté|estructuré|redacté|así|allí|aquí|ahí|comí|salí|bebé|\w+ré)"
)
_PT_WORLD = (
    r"(?:mods?|moderador\w*|admin\w*|grupo|canal|servidor|chat|calendário|agenda|pasta|enquete|lembrete|alarme"
    r"|caixa de"
    r" entrada|convites?|tópico|apelido|conta|reserva|ticket|banco de dados|playlist|lista de (?:espera|convidados"
    r"|presença)|mural|perfil|mesa|vaga|médico|dentista|senhorio|táxi|pizza|encomenda|turno"
    r"|consulta)\b"
)
_PT_MIND = (
    r"(?:pensei|tentei|encontrei|achei|contei|calculei|expliquei|mencionei|usei|errei|falei|trabalhei|lembrei|procurei"
    r"|perguntei|olhei|notei|mudei|comecei|cheguei|joguei|imaginei|comparei|confundi|sei|darei|farei|serei|estarei"
    r"|terei"
    r"|li|vi|ouvi|entendi|aprendi|resumi|escrevi|respondi|vivi|esqueci|perdi|escolhi|traduzi|aqui|ali|daqui|dali"
    r"|recebi"
    r"|esperei|preparei|planejei|organizei|ordenei|agrupei|sugeri|recomendei|ofereci|prometi|ajudei|segui|decidi"
    r"|aceitei"
    r"|redigi|gostei|adorei|fiquei|saí|foi|fui|oi|lei|rei"
    r"|nem|\w+rei)"
)
_FR_WORLD = (
    r"(?:modos?|modérat\w*|admins?|groupe|canal|salon|serveur|chat|calendrier|agenda|dossier|sondage|rappel|alarme"
    r"|minuteur"
    r"|boîte|invitations?|fil|pseudo|compte|réservation|ticket|base de données|playlist|liste d'(?:attente|invités)"
    r"|profil|table|place|médecin|dentiste|propriétaire|taxi|pizza|colis|créneau|rendez-vous|rôle)\b"
)
_FR_MIND = (
    r"(?:lu|vu|pensé|entendu|compris|essayé|regardé|remarqué|trouvé|appris|supposé|compté|calculé|traduit|résumé"
    r"|reformulé"
    r"|expliqué|décrit|mentionné|utilisé|écrit|dit|voulu|su|été|eu|senti|venu|allé|raté|aimé|adoré|fait|donné|pris"
    r"|changé"
    r"|ajouté|choisi|demandé|répondu|parlé|joué|vécu|travaillé|oublié|perdu|confondu|comparé|cru|dû|pu|gardé|mis|bien"
    r"|reçu|attendu|préparé|planifié|conçu|organisé|classé|groupé|suggéré|proposé|recommandé|promis|aidé|suivi|décidé"
    r"|accepté|raccourci|structuré|rédigé|apprécié|ri|fini|réussi|aussi|ici|merci)"
)
_RU_WORLD = (
    r"(?:модератор|админ|групп|канал|сервер|календар|папк|опрос|напоминани|будильник|таймер|приглашени|ветк|никнейм"
    r"|аккаунт|брон|тикет|баз[уе] данных|плейлист|список (?:гост|участник)|профил|столик|врач|дантист|такси|пицц"
    r"|посылк|роль|заявк)\w*"
)
_RU_MIND = (
    r"(?:прочитал|увидел|видел|думал|подумал|понял|слышал|пытался|попробовал|нашел|нашёл|узнал|посчитал|перевел"
    r"|перевёл"
    r"|объяснил|упомянул|использовал|написал|сказал|имел|знал|был|стал|мог|хотел|любил|забыл|потерял|выбрал|сделал"
    r"|смотрел|посмотрел|спросил|ответил|заметил|изменил|играл|жил|работал|пришел|пришёл|ошибся|перепутал"
    r"|получил|ждал|подготовил|составил|придумал|предложил|посоветовал|решил|помог|сократил|выделил|стол|бал|зал)"
)

_SAID_EN = (
    r"(?:filed|tucked|squirrell?ed|stashed) (?:it |that |this )?away|noted and filed|word(?:'s| has"
    r"| is)(?: been)? (?:passed|out|sent)"
    r"|slid into (?:his|her|their) dms|heads[- ]?up (?:sent|given|delivered)|(?:message|note|dm|mail|invite"
    r"|request)(?:'s| is| has)"
    r"(?: now)? (?:on its way|off|gone out|delivered|away)|(?:he|she|they)(?:'ve|'s| has"
    r"| have) (?:now )?got your (?:message|note)"
    r"|no trace (?:left|of it)|poof, gone|in(?:to)? (?:time-?out|the penalty box) (?:now|for)|(?:been )?shown the door"
    r"|(?:poll|event|thread|ticket|post|form)(?:'s| is)(?: now)? (?:up|live|open|online)\b|stuck (?:it|that) (?:to"
    r"|at) the top"
    r"|typo(?:'s| is| has been)(?: now)? (?:gone|fixed|corrected)|(?:file|pdf|sheet|doc)(?:'s| is)(?: now)? (?:ready"
    r"|attached|uploaded"
    r"|in the (?:folder|channel|drive))|alarm(?:'s| is) set|(?:it's|that's|you're) (?:on|in) the (?:calendar|books"
    r"|list|schedule|system)"
    r"|i'll (?:buzz|holler at|yell at|shout at|bug|pester) you"
)
_SAID_DE = (
    r"(?:liegt|steht|hängt)(?: \S+){0,3}? (?:im ordner|im kanal|in den dateien|oben angepinnt|ganz oben)"
    r"|in die tonne gekloppt"
    r"|umfrage (?:ist )?(?:online|offen|raus|oben)|(?:nachricht|mail|einladung"
    r"|anfrage)(?: \S+){0,2}? (?:ist )?(?:raus|unterwegs|zugestellt)"
    r"|(?:wecker|erinnerung|timer) (?:ist )?(?:gestellt|scharf|drin|notiert)|vor die tür gesetzt|ausradiert"
    r"|weggewischt|ad acta gelegt"
)
_SAID_ES = (
    r"(?:mensaje|recado|correo|aviso|invitación)(?: \S+){0,2}? (?:ya )?(?:salió|va en camino|en camino|despachad\w"
    r"|dado)"
    r"|(?:encuesta|evento|hilo)(?: \S+){0,2}? (?:arriba|en marcha|en línea|online|lanzad\w)|(?:quedó|queda"
    r"|dejé) (?:todo )?"
    r"(?:guardad|anotad|agendad|archivad|borrad|eliminad|fijad|programad|corregid|cambiad|arreglad)\w+|ni rastro de"
    r"|a la papelera"
    r"|(?:de patitas|puesto de patitas) en la calle|alarma puesta|recordatorio (?:puesto|programado|creado|activado"
    r"|listo)"
    r"|archivo (?:listo|subido|adjunto)|errata (?:corregida|arreglada)"
)
_SAID_PT = (
    r"(?:mensagem|recado|e-?mail|aviso|convite)(?: \S+){0,2}? (?:já )?(?:saiu|foi|a caminho|entregue"
    r"|dado)\b(?! (?:por|pela|pelo))"
    r"|(?:enquete|evento|tópico)(?: \S+){0,2}? (?:no ar|lançad\w|aberta)|(?:ficou|deixei)(?: tudo)? (?:guardad"
    r"|anotad|agendad|arquivad"
    r"|apagad|fixad|programad|corrigid|arrumad)\w+|nem sinal d\w|foi pra lixeira|lembrete (?:criado|marcado"
    r"|programado|ativado|pronto)"
    r"|arquivo (?:pronto|anexado|no grupo)|alarme (?:ligado|marcado|posto)"
)
_SAID_FR = (
    r"(?:c'est|voilà c'est) (?:noté|enregistré|rangé|dans mes (?:tablettes|notes)|dans mon carnet|envoyé|parti"
    r"|transmis|supprimé|effacé"
    r"|épinglé|programmé|corrigé|réservé|annulé|modifié|en ligne|calé)(?! (?:dans|sur) (?:le|la|les|un|une) )"
    r"|(?:message|mot|mp|mail|invitation"
    r"|demande)(?: \S+){0,2}? "
    r"(?:bien )?(?:passé|parti|transmis|glissé|envoyé|remis)e?s?\b|(?:est|sont) (?:bien )?(?:prévenu|averti"
    r"|informé)e?s?\b"
    r"|aux oubliettes|à la corbeille|plus (?:aucune|une) trace|j'ai fait le ménage|a pris la porte|mis(?:e)? au coin"
    r"|privée? de parole"
    r"|(?:sondage|vote|événement|fil)(?: \S+){0,2}? (?:est )?(?:lancé|en place|en ligne|ouvert|sur les rails)"
    r"|coquille (?:corrigée|rectifiée)"
    r"|après vérification (?:sur|en ligne)|(?:fichier|pdf|tableau|document)(?: \S+){0,2}? (?:est )?(?:prêt|déposé"
    r"|joint|en pièce jointe)\b"
    r"|(?:rappel|réveil|alarme|minuteur)(?: \S+){0,2}? (?:est )?(?:calée?|réglée?|mise?|programmée?|posée?|activée?)"
    r"|je te (?:bipe|secoue|sonne)"
    r"|je viens (?:juste )?de (?:le |la |lui |les |leur |te |t')?(?:dire|écrire|répondre|vérifier|regarder|consulter"
    r"|chercher|corriger"
    r"|modifier|changer|épingler|créer|réserver|ajouter|noter|programmer|exclure|prévenir)\b"
)
_SAID_RU = (
    r"(?:сообщение|письмо|весточка|приглашение|заявка)(?: [\w-]+){0,2}? (?:ушло|ушла|улетел\w|отправилось"
    r"|доставлен\w|передан\w)"
    r"|(?:взял|взяла) на (?:карандаш|заметку)"
    r"|следов не (?:осталось|найдёшь)|и след простыл|опечатки (?:больше )?нет|опрос(?: [\w-]+){0,2}? (?:висит"
    r"|запущен|открыт|создан|готов)"
    r"|(?:файл|таблица|табличка|документ|отчёт)(?: [\w-]+){0,2}? (?:готов|готова|лежит|выложен|загружен|прикреплён"
    r"|во вложении)\w*"
    r"|будильник(?: [\w-]+){0,2}? (?:завед[её]н|стоит)|напоминалк\w+(?: [\w-]+){0,2}? (?:стоит|готова|создана"
    r"|поставлена)"
    r"|(?:черкнул|маякнул|отписался|отписалась|шепнул|дал знать|дала знать|поставил в известность|доложил|кинул"
    r"|бросил|снёс|снес|грохнул"
    r"|почистил|вычистил|выкинул|выпилил|повесил|запилил|прикрепил|подкрутил|загуглил|переслал|занёс|внёс|завёл"
    r"|зав[её]л)а?(?![\w-])"
    r"(?! (?:ли|бы|взгляд|тень)\b)|(?:отправлен[аы]?|улетел[аи]?|отправил(?:ся|ась)) в (?:бан|мут|чёрный список"
    r"|корзину)"
)
"""Ways to say that it is done which name what was done."""
_DONE_RU = (
    r"(?:записано|занесено|внесено|учтено|зафиксировано|сохранено|удалено|исправлено|поправлено|закреплено|отправлено"
    r"|передано|забронировано|отменено|обновлено|добавлено|выложено|опубликовано|настроено)(?=\s*$|\s*[!.,:;✅👍)])"
)
_LOOKED_AT = (
    # a source that is alive: what stands in the conversation was only read
    (
        r"(?:\bi(?:'ve)? (?:just |quickly )?|^(?:just |quickly )?)@(?: \S+){0,4}? ",
        r"(?:had|took|taken) (?:a |another )?(?:\w+ )?(?:look|peek|glance)|checked|scanned|pulled up|browsed|peeked",
        r"(?:web ?site|site|internet|online|live|score\w*|timetable|forecast|app\b|listings?|standings|stream)",
    ),
    (
        r"\b@(?: \S+){0,6}? (?:\w*seite|website|netz|internet|\w*app|\w*tabelle|fahrplan|liveticker|ticker|portal)\b"
        r"(?: \S+){0,3}? ",
        r"hab|habe|hab's",
        r"(?:\w*geschaut|\w*geguckt|nachgesehen|gecheckt|geprüft|gesucht)",
    ),
    (
        r"(?<!\w)@(?: \S+){0,4}? ",
        r"miré|consulté|revisé|comprobé|entré|(?:he |acabo de )(?:mirad?[or]|consultad?[or]|revisad?[or]|entrad?[or]"
        r"|ver)"
        r"|eché un vistazo",
        r"(?:web|página|marcador|internet|app\b|pronóstico|directo|vivo|portal|clasificación)",
    ),
    (
        r"(?<!\w)@(?: \S+){0,4}? ",
        r"conferi|chequei|olhei|consultei|verifiquei|entrei|dei uma (?:olhada|conferida)|acabei de (?:olhar|ver)",
        r"(?:site|placar|internet|app\b|previsão|vivo|página|tabela|portal|classificação)",
    ),
    (
        r"(?<!\w)@(?: \S+){0,4}? ",
        r"(?:j'ai|je viens de|je suis allée?) (?:vite |bien |juste )?(?:regardé|jeté|vérifié|consulté|voir|fait un tour"
        r"|regarder|jeter|vérifier|consulter)",
        r"(?:site|page|internet|appli\w*|score\w*|direct|météo|horaires|classement|tableau)",
    ),
    (
        r"^@(?: \S+){0,3}? ",
        r"заглянула?|глянула?|посмотрела?|проверила?|зашла|зашёл|зашел",
        r"(?:сайт|трансляц|интернет|страниц|приложени|таблиц|расписани|табло|прогноз|сет[ьи])\w*",
    ),
)
_EN_SHORT = "set|put|sent|cut|let|shot|hid|laid|left|bought|sold|paid|hung|stuck"
_ES_MIND_DONE = "visto|leído|dicho|hecho|sido|pensado|oído|escrito|encontrado|recibido|preparado|organizado|ordenado"


def _own(frame: str, words: str, *, own: bool = True, elided: bool = False, state: bool = False) -> ClaimForm:
    pattern = frame.replace("@", f"(?:{words})") + r"(?!\w)"
    return ClaimForm(_DO, pattern, own, words, elided=elided, exact=True, written=not elided or own, state=state)


def _near_world(frame: str, mind: str, world: str, *, own: bool = True) -> ClaimForm:
    """Read any deed of the speaker that was done near a thing of the world; what is done in the mind is none."""
    pattern = frame.replace("MIND", mind) + rf"(?: \S+){{0,6}}? {world}"
    return ClaimForm(_DO, pattern, own, world, elided=not own, exact=True, written=True)


WORLD_FORMS: list[ClaimForm] = [
    _own(OWN_I + "@", _EN),
    _own(r"^(?:just |already |also |successfully |quickly )?@", _EN, own=False, elided=True),
    _own(OWN_HAB + r"(?: \S+){0,9}? @", _DE),
    _own(r"\b(?=\w*[éí]\b|di |puse |hice |l[aeo]s? )@", _ES),
    _own(r"\bacabo de (?:@)(?:[mtsl]e|l[oae]s?|sel[oa]s?|tel[oa]s?)?", _ES_TO),
    _own(r"\b(?=\w*[ií]\b|pus |fiz )@", _PT),
    _own(r"\bacabei de @", _PT_TO),
    _own(OWN_J_AI + r"(?: \S+){0,5}? @", _FR),
    _own(r"\bje viens (?:juste )?(?:de |d')(?:l[ea]s? |l'|lui |t'|te )?@", _FR_TO),
    _own(r"(?<!\w)(?=\w+(?:л|ла|ёс)\b)@", _RU, own=False, elided=True),
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
    *(
        _own(r"(?<!\w)@", said, own=False, elided=True)
        for said in (_SAID_EN, _SAID_DE, _SAID_ES, _SAID_PT, _SAID_FR, _SAID_RU)
    ),
    _own(r"^(?:уже |всё |все |так )*@", _DONE_RU, own=False, elided=True),
    # whatever the verb is: what was done with people and things out in the world, and not in the words of the answer
    _near_world(OWN_I + rf"(?=(?:\w+ed|{_EN_SHORT})\b)(?!MIND\b)\w+", _EN_MIND, _EN_WORLD),
    _near_world(r"^(?=\w{2,}ed\b)(?!MIND\b)\w+", _EN_MIND, _EN_WORLD, own=False),
    _near_world(
        OWN_HAB + r"(?=(?: \S+){0,9}? (?!MIND\b)\w*ge\w{2,}(?:t|en)\b)(?!(?: \S+){0,9}? MIND\b)", _DE_MIND, _DE_WORLD
    ),
    _near_world(r"(?<!\w)(?=\w{2,}[éí]\b)(?!MIND\b)\w+", _ES_MIND, _ES_WORLD),
    _near_world(rf"\b(?:he|hemos)(?: ya)? (?!{_ES_MIND_DONE}\b)\w+(?:ado|ido|to)\b", _ES_MIND, _ES_WORLD),
    _near_world(r"(?<!\w)(?=\w{2,}i\b)(?!MIND\b)\w+", _PT_MIND, _PT_WORLD),
    _near_world(OWN_J_AI + r"(?: \S+){0,2}? (?!MIND\b)\w{2,}(?:ée?s?|i|is|it|u|us|ert)\b", _FR_MIND, _FR_WORLD),
    _near_world(r"^(?=\w{2,}(?:л|ла|лся|лась)\b)(?!MIND)\w+", _RU_MIND, _RU_WORLD, own=False),
    *(
        ClaimForm(ClaimedAction.LOOK_UP, frame.replace("@", f"(?:{first})") + last, True, first, exact=True)
        for frame, first, last in _LOOKED_AT
    ),
]
