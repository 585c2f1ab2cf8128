### Was eine Änderung täte, bevor sie geschieht.

## Wie heißt, was sie ändert

a-line = eine Zeile
a-memory = eine Erinnerung
the-recording = die Aufzeichnung
a-worker = ein Worker
a-proof = ein Beweis
a-replay = eine Wiederholung
memories-by = { $count ->
    [one] { $count } Erinnerung
   *[other] { $count } Erinnerungen
} von ID { $user }

## Knöpfe

forget = { $what } vergessen
restore = { $what } wiederherstellen
stop = { $what } anhalten
undo-compaction = { $what } rückgängig machen
redo-compaction = Wieder kürzen wie { $what }
send-again = Modellen wieder zeigen: { $what }
remember = In { $place } merken
resume = { $place } fortsetzen
send-worker = Einen Worker für { $place } schicken
prove = Beweisen
ask-again = Noch einmal fragen
post = { $more ->
    [0] In { $place } schreiben
   *[other] In { $place } und { $more } weiteren schreiben
}
merge = { $count ->
    [one] { $count } Erinnerung
   *[other] { $count } Erinnerungen
} zusammenlegen
split = { $count ->
    [one] { $count } Erinnerung
   *[other] { $count } Erinnerungen
} trennen
take-back = { $what } zurücknehmen
forget-for-good = ID { $user } für immer vergessen
record = { $place } aufzeichnen
stop-recording = { $place } nicht mehr aufzeichnen

## Was Aufzeichnen bedeutet

records = Ab jetzt werden Anfragen Wort für Wort gespeichert, bis ihre Zeit um ist.
records-no-words = Ab jetzt speichere ich von Anfragen, Antworten und Werkzeugaufrufen Größen, Zeiten und Prüfsummen, aber keine Worte.
talk-not-kept = Was nicht an den Bot gerichtet ist, wird nicht gespeichert und dem Modell nicht gezeigt.
said-to-it-stays = Was Leute zum Bot sagen, bleibt im Gespräch, bis seine Zeit um ist oder bis `new`: Ohne das könnte er nicht antworten.
why-knows-less = `why` weiß dann weniger und `context last` nichts. Was schon aufgezeichnet ist, bleibt.

## Eine Erinnerung

new-memory = { $type } · Wichtigkeit { $importance } · Bereich { $scope } · { $by ->
    [model] von einem Modell vorgeschlagen
   *[person] wie es gesagt wurde
}
memory = { $type } · Wichtigkeit { $importance } · Bereich { $scope } · { $age } alt · von { $author }
memory-confirmed = { $type } · Wichtigkeit { $importance } · Bereich { $scope } · { $age } alt · { $times }-mal bestätigt · von { $author }
forgotten-ago = { $line } · vor { $age } vergessen
author = { $name } (ID { $user }), { $rank }
someone = jemand
counts-as = zählt als { $rank }, der geringste Rang unter denen, deren Worte darin stehen können: { $sources }
an-admin = Admin
not-an-admin = nicht Admin
words-of-others = mit Worten anderer

## Der letzte Tag eines Kanals

no-messages = Letzte 24 h hier: keine Nachrichten.
last-day = Letzte 24 h hier: { $total ->
    [one] { $total } Nachricht
   *[other] { $total } Nachrichten
}{ $parts }.
answered = { $count } beantwortet
skipped = auf { $count } wollte der Bot nicht antworten
failed = { $count } fehlgeschlagen
stopped-by-pause = { $count } von der Pause aufgehalten
stopped-otherwise = { $count } von anderen Regeln aufgehalten
not-paused = Der Kanal ist nicht pausiert.
paused-by = Pausiert um { $time } UTC von { $role ->
    [owner] einem Besitzer
    [admin] einem Admin
    [moderator] einem Moderator
   *[other] { $role }
} (ID { $user }), Nachricht { $handle }.
unknown-message = unbekannt

## Ob es sich rückgängig machen lässt

posted-stays = Das lässt sich nicht rückgängig machen: Alle dort lesen es.
cannot-undo = Das lässt sich nicht rückgängig machen.
stopped-stays = Das lässt sich nicht rückgängig machen. Was er bisher gefunden hat, bleibt; der Kanal erfährt nichts.
worker-stays = Das lässt sich nicht rückgängig machen. `cancel` hält den Worker an; was er bis dahin getan hat, bleibt getan.
only-asks = Nichts wird gesendet, kein Werkzeug läuft, keine Erinnerung entsteht; die Anfragen werden aufgezeichnet wie jede andere.
left-out-again = Wenn der Modelldienst es wieder ablehnt, wird es wieder ausgelassen.
answer-stays = Das lässt sich nicht rückgängig machen: Eine Antwort, die dasteht, wird gelesen.
left-alone-again = Wenn es wieder scheitert, bekommt es wieder eine Pause.
reload-stays = Das lässt sich nicht zurücknehmen: Was da ist, ist da.
summary-undo = Das lässt sich rückgängig machen: Die Zusammenfassung hat ihren eigenen Knopf.
can-undo = Das lässt sich { $hours } h lang rückgängig machen.
memories-and-compactions = { $memories ->
    [one] { $memories } Erinnerung
   *[other] { $memories } Erinnerungen
} und { $compactions ->
    [one] { $compactions } Zusammenfassung
   *[other] { $compactions } Zusammenfassungen
}
