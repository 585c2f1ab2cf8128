### Warum eine Nachricht keine Antwort bekam, und was jemand den Cortex gefragt hat, auf der Webseite.

why-in = Warum in { $channel }
quote-withheld = die Worte werden nicht gezeigt: Du kannst diesen Kanal selbst nicht lesen
see-it = in der Anfrage ansehen `{ $handle }`
about = Zu { $message }
not-everything = Nicht alles ließ sich ansehen
not-everything-why = Was sich lesen ließ, zeigt keinen Fehler.
nothing-wrong = Hier ist alles in Ordnung
nothing-wrong-why = Alle Prüfungen bestanden.
unread = Nicht lesbar: { $what } ({ $why })
beside = Außerdem
every-check = Alle Prüfungen
check = { $state ->
    [passed] bestanden
    [failed] hält auf
    [not_reached] nicht erreicht
    [not_checkable] nicht prüfbar
   *[other] { $state }
}
check-stage = { $stage ->
    [process] Prozess
    [arrival] Ankunft
    [gate] Gate
    [queue] Warteschlange
    [request] Anfrage
    [decision] Entscheidung
    [delivery] Zustellung
   *[other] { $stage }
}
as-in-chat = Wie `!cortex why` es zeigt: nur Regeln, kein Modell gefragt.

## Was jemand gefragt hat

what-you-asked = Was du gefragt hast, das Neueste zuerst. Niemand sonst sieht es.
nothing-asked = Noch nichts gefragt
nothing-asked-why = Schreib dem Bot privat `!cortex why`; was er findet, steht dann hier.
what-came = Was herauskam
asked = Gefragt
last-word = Zuletzt
a-talk = ein Gespräch
more-withheld = { $count ->
    [one] { $count } weiteres handelt von Kanälen, die du gerade nicht untersuchen darfst.
   *[other] { $count } weitere handeln von Kanälen, die du gerade nicht untersuchen darfst.
}

## Ein Gespräch

talk-about = { $handle } über { $channel }
begun = *{ $title }* · begonnen { $time }
nothing-said = Es wurde nichts gesagt
nothing-said-why = Von diesem Gespräch ist keine Antwort mehr aufgezeichnet.
looked-into = Was untersucht wurde
turn-kind = { $kind ->
    [inspection] Ein Branch las den Kontext
    [cortex] Eine Frage wurde beantwortet
    [replay] Das Modell wurde noch einmal gefragt
   *[other] { $kind }
}
turn-status = { $status ->
    [running] läuft
    [replied] beantwortet
    [skipped] geschwiegen
    [failed] gescheitert
    [cancelled] abgebrochen
    [interrupted] unterbrochen
   *[other] { $status }
}
requests = { $count ->
    [one] { $count } Anfrage
   *[other] { $count } Anfragen
}
each-time = Jedes Mal, wenn das Modell gefragt wurde
run = Lauf
decided = Was es entschied
decision = { $decision ->
    [replied] antworten
    [skipped] schweigen
    [refused] ablehnen
    [empty] leere Antwort
   *[other] { $decision }
}
tokens = Token
no-answer = keine Antwort
