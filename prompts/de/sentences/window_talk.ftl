### Ein Kanal und seine Nachrichten auf der Webseite, und was sich dort ändern lässt.

outcomes-alone = Du siehst, wie Nachrichten endeten, aber nicht ihre Worte: Du kannst diesen Kanal selbst nicht lesen.
no-message = Keine Nachricht
no-message-why = Was hier gesagt wurde, ist nicht aufgezeichnet.
to-newest = Zur neuesten

## Eine Nachricht

message-in = { $handle } in { $channel }
kind = { $kind ->
    [edit] bearbeitet
    [delete] gelöscht
    [event] Ereignis
    [result] Ergebnis
   *[other] { $kind }
}
more-characters = { $count ->
    [one] und { $count } weiteres Zeichen
   *[other] und { $count } weitere Zeichen
}
not-kept = die Worte wurden nicht gespeichert
withheld = Worte nicht gezeigt
withheld-why = Worte nicht gezeigt: Du kannst diesen Kanal selbst nicht lesen
answer-withheld = { $kind ->
    [reply] Antwort
    [notice] Hinweis
    [command] Antwort auf einen Befehl
   *[other] { $kind }
}, Worte nicht gezeigt
delivery = { $state ->
    [new] wartet
    [sending] wird gesendet
    [sent] gesendet
    [uncertain] kam vielleicht an
    [dead] aufgegeben
   *[other] { $state }
}
outcome = { $outcome ->
    [waiting] wartet
   *[other] { $known }
}
waits = wartet
after = nach { $time }

## Ihr Weg

why-so = Warum ging das so aus?
prove = Beweisen, was den Ausschlag gab…
its-way = Ihr Weg
stage = { $stage ->
    [arrived] Ankunft
    [gates] Gates
    [queued] eingereiht
    [coalesced] gebündelt
    [turn] Turn
    [assembled] Anfrage gebaut
    [requested] Modell gefragt
    [tool] Werkzeug
    [decided] Entscheidung
    [outbox] bereitgelegt
    [delivered] Zustellung
    [compacted] Kürzung
    [process] Arbeit
    [afterwards] danach
   *[other] { $stage }
}
verdict = { $verdict ->
    [passed] durch
    [stopped] aufgehalten
    [failed] gescheitert
    [noted] vermerkt
   *[other] { $verdict }
}
no-stage = kein Schritt ist aufgezeichnet
what-was-sent = Was das Modell bekam
no-request = Dahinter steht keine Anfrage.
round = Runde { $round }
whole-turn = Der ganze Turn `{ $handle }`

## Etwas ändern

change = Etwas ändern
as-in-private = Wie in deinem Privatchat mit dem Bot: Nichts ändert sich, bevor du es bestätigst, und was daraus wird, steht dann dort.
back-to = Zurück zu { $channel }
