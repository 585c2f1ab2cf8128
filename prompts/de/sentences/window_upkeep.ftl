### Was läuft und was es kostet, wie es allen Teilen geht, und wer was getan hat, auf der Webseite.

## Arbeit

work-of = Arbeit von { $channel }
no-work = Kein Branch und kein Worker
no-work-why = Hier wurde noch keine Arbeit vergeben.
at-work = *{ $count }* gerade bei der Arbeit
newest-below = unten die neuesten { $count }
for-whom = Für
took = Dauer
calls = Aufrufe
begun = Begonnen
stop = Anhalten
stop-it = Anhalten…
kind = { $kind ->
    [branch] Branch
    [worker] Worker
   *[other] { $kind }
}
state = { $state ->
    [running] läuft
    [done] fertig
    [failed] gescheitert
    [timeout] zu lange gebraucht
    [cancelled] abgebrochen
   *[other] { $state }
}
in-private = privat
result-not-said = das Ergebnis wurde noch nicht mitgeteilt

## Kosten

cost-of = Kosten von { $channel }
nothing-spent = Nichts verbraucht
nothing-spent-why = Für diesen Kanal wurde noch kein Modell gefragt.
spent = *{ $spent }* in { $count ->
    [one] { $count } Anfrage
   *[other] { $count } Anfragen
}
no-price = Was das gekostet hat, ist nicht bekannt: Es ist kein Preis gesetzt.
by-day = Nach Tag (UTC)
day = Tag
newest-days = { $days ->
   *[other] Die neuesten { $shown } von { $days } Tagen.
}
by-process = Nach Prozess
process = Prozess
process-kind = { $kind ->
    [channel] Kanal
    [branch] Branches
    [worker] Worker
    [compactor] Kürzungen
    [cortex] Cortex
    [inspection] Untersuchungen
    [replay] Beweise
    [embedding] Vektoren
   *[other] { $kind }
}
by-model = Nach Modell
model = Modell
requests = Anfragen
tokens-in = Token hinein
from-cache = Aus dem Cache
tokens-out = Token heraus

## Der Doktor

probed = *{ $summary }* · geprüft { $time }
nothing-to-look-at = Es gibt nichts anzusehen

## Das Audit

by-everybody = { $count ->
    [one] Der neueste Eintrag von allen: was geändert und was angesehen wurde.
   *[other] Die neuesten { $count } Einträge von allen: was geändert und was angesehen wurde.
}
by-you = { $count ->
    [one] Dein neuester Eintrag: was geändert und was angesehen wurde.
   *[other] Deine neuesten { $count } Einträge: was geändert und was angesehen wurde.
}
no-entry = Kein Eintrag
no-entry-why = Es wurde nichts geändert und nichts angesehen.
who = Wer
undo = Rückgängig
undo-it = Rückgängig…
undone-by = rückgängig gemacht durch `{ $handle }`
