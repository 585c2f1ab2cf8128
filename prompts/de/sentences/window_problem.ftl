### Warum die Seite jemanden nicht einlässt oder etwas nicht tut, und was dann hilft.

head = { $kind ->
    [nobody] Du bist nicht angemeldet
    [right] { $person ->
        [known] Hier darfst du nicht hineinsehen
       *[other] Hier darfst du nicht mehr hineinsehen
    }
    [link] Dieser Link lässt niemanden ein
    [app] Telegram konnte dich nicht einlassen
    [oauth] Du bist nicht angemeldet
    [oauth_no] Du hast bei { $service } nicht zugestimmt
    [oauth_away] { $service } lässt sich gerade nicht fragen
    [absent] Hier ist nichts für dich
    [host] Diese Seite hat eine andere Adresse
    [method] Das geht hier nicht
    [read_only] Hier wird nichts geändert
    [origin] Das kam von einer anderen Seite
    [unread] Das lässt sich nicht lesen
    [too_long] Diese Adresse ist zu lang
    [too_fast] Zu schnell
    [store] Die Aufzeichnungen lassen sich gerade nicht lesen
   *[broke] Diese Seite ist kaputtgegangen
}
next = { $kind ->
    [nobody] Schreib dem Bot privat !cortex web oder ruf auf seinem Rechner glassmind web --link auf. Der Link, den du bekommst, gilt einmal, zwei Minuten lang.
    [right] Du bist gerade weder Admin noch Moderator dieses Bots. Frag seinen Besitzer.
    [link] Er wurde schon benutzt, ist älter als zwei Minuten oder keiner von uns. Hol dir einen neuen: !cortex web privat oder glassmind web --link.
    [app] Was Telegram von dir sagte, wurde schon benutzt, ist älter als fünf Minuten oder war nicht für diesen Bot bestimmt. Schließ dieses Fenster und drück im Chat noch einmal auf den Knopf.
    [oauth] Diese Anmeldung wurde schon benutzt, dauerte länger als fünf Minuten oder begann in einem anderen Browser. Melde dich noch einmal an.
    [oauth_no] Niemand wurde eingelassen, und { $service } hat dem Bot nichts von dir erzählt. Melde dich noch einmal an oder schreib dem Bot privat !cortex web.
    [oauth_away] Niemand wurde eingelassen. Versuch es in einer Minute noch einmal oder schreib dem Bot privat !cortex web.
    [absent] Es ist nicht aufgezeichnet, oder du darfst es nicht sehen.
    [host] Öffne sie unter der Adresse, die im Link stand.
    [method] Seiten werden gelesen und Formulare abgeschickt; sonst geschieht hier nichts.
    [read_only] Diese Seite zeigt nur. Schreib dem Bot privat !cortex web: Die Seite, die sein Link öffnet, kann etwas ändern.
    [origin] Öffne die Seite selbst und versuch es dort.
    [unread] Geh zurück und versuch es noch einmal.
    [too_long] Geh zurück und versuch es mit etwas Kürzerem.
    [too_fast] Warte eine Minute und versuch es dann noch einmal.
    [store] Versuch es gleich noch einmal. glassmind doctor sagt, was los ist.
   *[broke] Wo, steht im Log. Dem Bot selbst macht das nichts aus.
}
came-as = Du kamst als { $person }.
sign-in = Mit { $service } anmelden
to-overview = Zur Übersicht
