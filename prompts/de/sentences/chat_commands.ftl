### Befehle im Chat: was die Hilfe über jeden sagt (höchstens 100 Zeichen) und was sie antworten.

you-may-use = Du kannst benutzen:
keep-the-slash = Lass in einer Gruppe den Schrägstrich stehen: Er zeigt, dass du mich meinst.
help = diese Liste
start = eine Begrüßung
whoami = deine IDs, zum Kopieren in die Konfiguration
privacy = was ich speichere, wie lange, und wer es noch liest
mydata = was ich über dich speichere
forgetme = [now] löschen, was ich über dich speichere
optout = [off] nichts von dir speichern und beantworten
timezone = [Ort | off] wie spät es bei dir ist
language = [Kürzel | off] die Sprache, in der ich mit dir rede
status = was hier eingestellt ist, was wartet, was ignoriert wurde
usage = Token und Kosten hier in 24 h
new = [undo] neu anfangen (ich vergesse diesen Chat); undo holt ihn zurück
stop = die Antwort abbrechen, die gerade entsteht
active = hier auf jede Nachricht antworten
mention-only = nur antworten, wenn man mich anspricht
quiet = zuhören und nichts sagen
pause = [Grund | off] hier alles ignorieren
resume = eine Pause beenden
model = [anbieter/name | default] das Modell zeigen oder setzen
skills = [enable | disable Name] was ich hier nachschlagen kann
cortex = [why | memory | Frage] warum ich tat, was ich tat, privat
own-why = warum deine Nachricht keine Antwort bekam
menu-why = warum ich hier still bin, privat
menu-why-message = Warum?
only-in-private = Das beantworte ich nur privat. Öffne deine Direktnachrichten für mich (oder starte mich dort) und frag dort.
denied = { $command } ist für { $tier ->
    [moderator] Moderatoren
    [admin] Admins
    [owner] Besitzer
   *[other] { $tier }
} und höher. Du kannst benutzen: { $commands }
denied-here = { $command } ist hier für { $tier ->
    [moderator] Moderatoren
    [admin] Admins
    [owner] Besitzer
   *[other] { $tier }
} und höher. Du kannst benutzen: { $commands }
went-wrong = In mir ist etwas schiefgegangen. Es ist als { $handle } aufgezeichnet; sag es einem Admin.
went-wrong-why = Etwas ist schiefgegangen: { $why }. Es ist als { $handle } aufgezeichnet.
stopped-before-done = der Bot wurde angehalten, bevor das getan war

## Wer du bist

you-are = Du bist { $name }, Stufe: { $tier }.
user-id = Benutzer-ID: { $id } (owner_ids, admin_ids, moderator_ids, allowed_users, blocked_users)
channel-id = Kanal-ID: { $id } (allowed_channels, blocked_channels)
server-id = Server-ID: { $id } (allowed_guilds)
lies-in = Teil von: { $id } (allowed_channels)
agent = Agent: { $agent } (agents.{ $agent }.channels)
hello-opted-out = Hallo, ich bin { $name }. Du hast dich abgemeldet, also speichere und beantworte ich nichts. { $command } off beendet das.
hello-private = Hallo, ich bin { $name }. Schreib einfach. { $help } zeigt, was ich verstehe.
hello-group = Hallo, ich bin { $name }. Erwähne mich, antworte mir oder nenn meinen Namen: { $name }. { $help } zeigt, was ich verstehe.
not-open-private = Hallo, ich bin { $name }. Tut mir leid, für dich bin ich nicht freigegeben. Ein Admin kann das ändern (deine ID: { $user }).
not-open-person = Hallo, ich bin { $name }. Tut mir leid, für dich bin ich nicht freigegeben. Ein Admin kann das ändern (deine ID: { $user }, ID dieses Kanals: { $channel }).
not-open-here = Hallo, ich bin { $name }. Tut mir leid, hier bin ich nicht freigegeben. Ein Admin kann das ändern (deine ID: { $user }, ID dieses Kanals: { $channel }).

## Wie es hier ist

status-active = { $place }: antwortet auf jede Nachricht
status-mention-only = { $place }: antwortet, wenn man ihn anspricht
status-observe = { $place }: hört still zu
status-agent = Agent { $agent }
paused-since = Pausiert seit { $time } UTC von { $role ->
    [owner] einem Besitzer
    [admin] einem Admin
    [moderator] einem Moderator
   *[other] { $role }
}, ohne Angabe eines Grundes
paused-since-for = Pausiert seit { $time } UTC von { $role ->
    [owner] einem Besitzer
    [admin] einem Admin
    [moderator] einem Moderator
   *[other] { $role }
}: { $words }
disk-full = Die Platte ist seit { $time } UTC fast voll: Ich höre auf Befehle der Verantwortlichen und auf kein Gespräch.
queue-waiting = { $count } warten, am längsten { $time }
queue-empty = niemand wartet
queue-running = { $what } seit { $time }
queue-idle = nichts läuft
queue = Warteschlange: { $waiting }; { $running }
last-turn = Letzter Turn: { $status }
last-turn-ago = Letzter Turn: { $status }, vor { $age }
nothing-ignored = In 24 h wurde hier keine Nachricht ignoriert.
ignored = { $count ->
    [one] { $count } Nachricht hier in 24 h ignoriert: { $why }
   *[other] { $count } Nachrichten hier in 24 h ignoriert: { $why }
}
ignored-author = { $count } von Bots
ignored-place = { $count } an einem nicht erlaubten Ort
ignored-sender = { $count } von nicht erlaubten Leuten
ignored-pause = { $count } während einer Pause
ignored-mode = { $count } beim Zuhören
ignored-addressing = { $count } nicht an mich gerichtet
ignored-rate = { $count } zu viele pro Minute
ignored-budget = { $count } über dem heutigen Budget
ignored-loop = { $count } von Bots, die miteinander reden
platform-is = { $platform }: { $state ->
    [up] läuft
    [down] läuft nicht
    [degraded] läuft eingeschränkt
    [starting] startet
    [conflict] im Konflikt
    [disabled] aus
   *[other] { $state }
}
platform-event = { $platform }: { $state ->
    [up] läuft
    [down] läuft nicht
    [degraded] läuft eingeschränkt
    [starting] startet
    [conflict] im Konflikt
    [disabled] aus
   *[other] { $state }
}, letztes Ereignis vor { $age }
nothing-used = In 24 h wurde hier kein Modell etwas gefragt.
used = Hier verbraucht in 24 h:
no-price = Kosten: unbekannt, es ist kein Preis eingestellt.
usage-row = { $day } { $kind }, { $model }: { $requests ->
    [one] { $requests } Anfrage
   *[other] { $requests } Anfragen
}, { $input } Token hinein ({ $cached } aus dem Cache), { $output } heraus
usage-row-cost = { $day } { $kind }, { $model }: { $requests ->
    [one] { $requests } Anfrage
   *[other] { $requests } Anfragen
}, { $input } Token hinein ({ $cached } aus dem Cache), { $output } heraus, { $cost }

## Ändern, wie es hier ist

dm-always = In einem Privatchat antworte ich immer; Modi sind für Gruppen.
stopped-on-command = auf Befehl angehalten
audit-answer = eine Antwort angehalten
audit-work = { $count } im Hintergrund angehalten
audit-answer-and-work = eine Antwort und { $count } im Hintergrund angehalten
stopped-with-work = Angehalten, dazu { $count } im Hintergrund.
stopped = Angehalten.
nothing-runs = Hier läuft nichts.
new-how = { $command } fängt neu an; { $command } undo holt den alten Chat zurück.
now-active = Ich antworte hier jetzt auf jede Nachricht.
now-mention-only = Ich antworte hier, wenn mich jemand anspricht.
now-quiet = Ich höre zu, antworte hier aber nicht bis { $active } oder { $mention }.
ends-it = { $line }. { $command } beendet es.
and-paused = { $line } { $paused }; { $command } beendet das.
paused-until = Pausiert: Ich antworte hier auf nichts bis { $command }.
not-paused = Dieser Kanal ist nicht pausiert.
resumed = Fortgesetzt. ({ $line })
model-set-here = Modell hier: { $model } (hier gesetzt).
model-configured = Modell hier: { $model } (wie eingestellt).
model-how = { $command } anbieter/name setzt ein anderes.
model-back = { $command } default geht zum üblichen zurück.
model-unknown = { $model } kann ich nicht fragen. Schreib anbieter/name, mit einem von: { $known }; oder default.

## Was ich über dich speichere

ambient-kept = die neuesten { $count } je Kanal, { $time }
ambient-not-kept = nicht gespeichert
at-most-mb = { $time }, höchstens { $megabytes } MB insgesamt
no-backups = es werden keine gemacht
and-more = und { $count } weitere
forgetme-how = Sende { $command }, um zu sehen, was gelöscht würde, { $command } now, um es zu tun.
forgetting-already = Ich lösche es schon und sage dir hier, wenn es fertig ist.
forgetting = Ich lösche es jetzt und sage dir hier, wenn es fertig ist.
optout-how = Sende { $command } oder { $command } off.
listens-again = Ich höre dir wieder zu.
not-opted-out = Du warst nicht abgemeldet.
opted-out = Ab jetzt speichere ich nichts, was du schreibst, zeige es keinem Modell und beantworte es nicht; von jeder Nachricht merke ich mir nur, wann sie kam. Befehle gehen noch: { $optout } off beendet das, { $forgetme } löscht, was ich schon gespeichert habe.
withheld-memory = [nicht gezeigt: von jemand anderem erzählt]
days = { $days ->
    [one] { $days } Tag
   *[other] { $days } Tage
}
hours = { $hours ->
    [one] { $hours } Stunde
   *[other] { $hours } Stunden
}
for-ever = für immer
too-often = Das war zu oft. Frag in einer Minute noch einmal; bis dahin antworte ich darauf nicht.

## Zeitzonen

local-time = { $day ->
    [monday] Montag
    [tuesday] Dienstag
    [wednesday] Mittwoch
    [thursday] Donnerstag
    [friday] Freitag
    [saturday] Samstag
   *[sunday] Sonntag
} { $time }
direct-messages = Direktnachrichten
your-zone = Deine Zeitzone ist { $zone }: Es ist { $time }.
no-zone = Du hast mir keine Zeitzone genannt.
zone-forgotten = Deine Zeitzone habe ich vergessen.
zone-here = Zeiten sind hier in { $zone }.
zone-how = { $command } setzt deine.
zone-how-off = { $command } setzt deine, { $off } off vergisst sie.
no-zones = Ich kenne keine Zeitzonen; der Betreiber kann das beheben, `doctor` sagt wie.
zone-unknown = { $words } { $problem }. Sende { $command }.
reports-keep = Meine eigenen Berichte folgen der Uhr deiner App.

## Skills

skills-how = Schreib { $command }, oder { $command } enable|disable und den Namen von einem.
skills-bad = { $count ->
    [one] { $count } Skill ist ausgelassen, weil etwas daran falsch ist. `!cortex skills` sagt was.
   *[other] { $count } Skills sind ausgelassen, weil etwas daran falsch ist. `!cortex skills` sagt was.
}
no-skills = Hier gibt es keine Skills. Jeder ist ein Ordner mit einer SKILL.md, in `skills` im Datenverzeichnis.
skills-on = Skills hier: { $on } von { $all } an.
skill-on = ✓ { $name } (an): { $about }
skill-on-here = ✓ { $name } (an, hier gesetzt): { $about }
skill-off = ○ { $name } (aus): { $about }
skill-off-here = ○ { $name } (aus, hier gesetzt): { $about }
more-skills = … und { $count } weitere: { $names }
no-such-skill = Einen Skill { $name } gibt es hier nicht. Skills: { $names }.
none = keine
skill-on-already = { $name } ist hier schon an.
skill-off-already = { $name } ist hier schon aus.
skill-now-on = { $name } ist in diesem Kanal ab jetzt an. { $command } disable { $name } macht das rückgängig.
skill-now-off = { $name } ist in diesem Kanal ab jetzt aus. { $command } enable { $name } macht das rückgängig.
