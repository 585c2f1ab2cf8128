### Mit einem Modell in einen Prompt schauen: wie es läuft und der eine Bericht.

price = bis zu { $tokens } Token
price-dollars = bis zu { $tokens } Token, { $dollars }
up-to = bis zu { $dollars }
price-first = erst der Preis
no-conclusion = kein Ergebnis innerhalb von { $seconds } s
resumed = Nach einem Neustart fortgesetzt; { $calls ->
    [one] der { $calls } Blick von vorher blieb erhalten und wurde nicht wiederholt.
   *[other] die { $calls } Blicke von vorher blieben erhalten, keiner wurde wiederholt.
}
resumed-changed = Nach einem Neustart fortgesetzt; { $calls ->
    [one] der { $calls } Blick von vorher blieb erhalten und wurde nicht wiederholt.
   *[other] die { $calls } Blicke von vorher blieben erhalten, keiner wurde wiederholt.
} Der Kanal hat sich seitdem geändert; ich habe den neueren Stand gelesen.
where-in-section = { $section ->
    [memory_bulletin] Erinnerungsliste
   *[other] Abschnitt { $section }
}, Zeile { $line } von { $lines }
in-no-section = in keinem Abschnitt
other-version = Das wurde in Version { $stored } gespeichert, und ich lese Version { $mine }. Frag stattdessen noch einmal.
damaged = Was davon gespeichert war, ist beschädigt. Frag stattdessen noch einmal.
go-on = Weiter
withheld = Die Untersuchung ist zu Ende, aber du darfst diesen Kanal nicht mehr untersuchen, deshalb zeige ich ihren Bericht nicht.
timed-out = Der Untersuchung lief die Zeit davon: { $why }
failed = Die Untersuchung ist gescheitert: { $why }
rules-stand = Was die Regeln oben gefunden haben, gilt; dafür braucht es kein Modell.
no-findings = Das Modell gab keine Befunde ab, die ich prüfen könnte. Seine eigenen Worte, an nichts geprüft:
nothing-further = Den Prompt zu lesen brachte nichts Neues.
running-for-you = Ich untersuche diesen Kanal noch für dich. Der Bericht kommt hierher; frag danach noch einmal.
too-many-running = { $limit ->
    [one] { $limit } Untersuchung läuft, mehr erlaubt die Konfiguration nicht. Frag in einer Minute noch einmal.
   *[other] { $limit } Untersuchungen laufen, mehr erlaubt die Konfiguration nicht. Frag in einer Minute noch einmal.
}

## Behauptungen, die nicht hielten

claims-dropped = { $count ->
    [one] { $count } Behauptung verworfen: { $why }
   *[other] { $count } Behauptungen verworfen: { $why }
}
fix-dropped = { $count ->
    [one] { $count } Vorschlag verworfen: { $why }
   *[other] { $count } Vorschläge verworfen: { $why }
}
claims-not-looked-at = { $count ->
    [one] { $count } weitere Behauptung nicht geprüft: zu viele in einem Bericht
   *[other] { $count } weitere Behauptungen nicht geprüft: zu viele in einem Bericht
}
summary-left-out = Zusammenfassung ausgelassen: Sie beruht auf verworfenen Behauptungen.
not-in-prompt = { $handle } steht nicht in dem Prompt, der gelesen wurde
no-quote-names = kein Zitat nennt { $handle }
all-is-well = „alles in Ordnung“ ist kein Befund
no-evidence = sie nennt keine Belege
no-such-record = einen Eintrag { $handle } gibt es hier nicht
quote-not-found = das Zitat steht nicht in { $handle }
quotes-nothing = sie zitiert nichts
quote-too-short = ihr Zitat ist zu kurz, um etwas zu beweisen
empty-handle = (leer)

## Was die letzte zu lesen bekam

context-row = Kontext der Untersuchung
context-missing = Kontext der Untersuchung, fehlt
context-room = Kontext der Untersuchung, Platz
context-cut = Kontext der Untersuchung, gekürzt
context-used = { $used } von { $budget } Token genutzt ({ $share }), { $included } von { $all } Stücken, { $shortened } davon gekürzt
no-room = kein Platz für { $count ->
    [one] { $count } wichtiges Stück: { $names }
   *[other] { $count } wichtige Stücke: { $names }
}
shortened = gekürzt: { $names }
slow-fix = Wenn sie langsam antwortet, liest sie zu viel: Senke cortex.tokens oder frag nach einer Sache auf einmal.
missing-fix = Die fehlenden Stücke ließen sich nicht lesen: Sieh nach, was scheiterte, und frag dann noch einmal; nenne einen Teil, damit er gelesen wird.
misunderstood-fix = Wenn ihre Antworten danebenliegen, hatte sie zu wenig zu lesen: Erhöhe cortex.tokens oder nimm für cortex.model eines mit größerem Fenster (cortex.context_window sagt, wie groß).
shortened-fix = Wenn das Entscheidende gekürzt wurde, nenne es in deiner Frage: Was du nennst, kommt zuerst.
