### Was die Modelle für einen Kanal verbraucht haben, und wie voll sein Kontext ist: Zeilen von höchstens 40 Spalten.

## Was verbraucht wurde

nothing-yet = Bisher verbraucht: nichts vermerkt
used = Bisher verbraucht
no-price = { "  " }Kosten unbekannt: kein Preis gesetzt
cache-hits = Aus dem Cache { $share }
title = { $name } · Verbrauch
nothing = Nichts vermerkt.
cache-hits-of-all = { "  " }aus dem Cache { $share }
in-total = insgesamt
by-process = Nach Prozess
by-model = Nach Modell
by-day = Nach Tag (UTC), die letzten { $shown } von { $days }
requests = { "  " }{ $name } · { $count ->
    [one] 1 Anfrage
   *[other] { $count } Anfragen
}
requests-cost = { "  " }{ $name } · { $count ->
    [one] 1 Anfrage
   *[other] { $count } Anfragen
} · { $cost }
in-and-out = { "    " }{ $input } Token hinein, { $output } heraus

## Wie voll er ist

head = { $name } · { $which ->
    [sent] gesendet
    [in_flight] unterwegs
   *[next] nächste Anfrage
}
of-window = { $tokens } von { $window } Token · { $percent } %
free = Frei { $tokens }, dazu { $answer } für die Antwort
counted-by = Gezählt: { $counter }
no-count = Der Dienst hat noch nichts gezählt
this-request = Dienst: { $tokens } für diese Anfrage
last-request = Dienst: { $tokens } für die letzte Anfrage
ratio = Gelernte Korrektur ×{ $ratio }
unread = ○ nicht zu lesen: { $line }

## Woraus er besteht

system = █ System { $tokens }
in-newest = { "  " }↓ in der neuesten Nachricht mitgezählt
section-left-out = { "  " }weggelassen { $name }: { $reason }
not-there = { "  " }nicht da: { $names }
tools = ▓ Werkzeuge { $count } · { $tokens }
tool = { "  " }{ $name } { $tokens }
tool-opened = { "  " }{ $name } { $tokens } geöffnet
on-demand = { "  " }auf Abruf: { $names }
history = ▒ Verlauf { $tokens }
messages = { "  " }{ $messages ->
    [one] 1 Nachricht
   *[other] { $messages } Nachrichten
}, { $turns ->
    [one] 1 Turn
   *[other] { $turns } Turns
}
raw = { "  " }wörtlich { $pile }
summarised = { "  " }zusammengefasst { $pile }
goal-batches = { "  " }nach Zielen { $pile }
compressed = { "  " }verdichtet { $share }
pile = { $messages } Nachr. · { $tokens }
pile-was = { $messages } Nachr. · { $tokens } (war { $before })
overhead = ▒ Drumherum ≈{ $tokens }
growth = Letzte { $count } Turns: { $first } bis { $last }
a-compaction = { "  " }{ $mark } eine Kürzung

## Was als Nächstes kommt

left-out = Schon weggelassen: { $count ->
    [one] der älteste Turn
   *[other] die ältesten { $count } Turns
}
no-compaction = Keine Kürzung eingestellt: ab { $tokens } fallen die ältesten Turns weg
nothing-old-enough = Keine Kürzung: nichts ist alt genug
next-compaction-due = Nächste Kürzung: { $strategy }, jetzt fällig
next-compaction = Nächste Kürzung: { $strategy }, ab { $tokens } ({ $percent } %)
would-take = { "  " }nähme { $count ->
    [one] 1 Turn
   *[other] { $count } Turns
}, ≈{ $tokens } Token
strategy = { $strategy ->
    [tool_calls] Werkzeugaufrufe
    [half] die ältere Hälfte
    [goal_batch] ein Ziel
   *[emergency] Notfall, ohne Modell
}

## Im Bild

chart-which = { $which ->
    [sent] gesendet
    [in_flight] unterwegs
   *[next] nächste Anfrage
} · { $model }
chart-used = { $tokens } von { $window } Token
chart-free = { $tokens } frei, dazu { $answer } für die Antwort
chart-tools = { $count ->
    [one] 1 Werkzeug
   *[other] { $count } Werkzeuge
}
chart-messages = Nachrichten, wörtlich
chart-moving = Status, Leute, Zeit
chart-summaries = { $count ->
    [one] 1 Zusammenfassung
   *[other] { $count } Zusammenfassungen
}
chart-goals = { $count ->
    [one] 1 Ziel
   *[other] { $count } Ziele
}
chart-overhead = Drumherum
chart-more-sections = { $count } weitere Abschnitte
chart-between = dazwischen
chart-left-out = schon weggelassen: { $count ->
    [one] der älteste Turn
   *[other] die ältesten { $count } Turns
}
chart-compaction-due = nächste Kürzung: { $strategy }, jetzt fällig
chart-compaction = nächste Kürzung: { $strategy }, ab { $tokens }
chart-cache = aus dem Cache { $share }
chart-cache-cost = aus dem Cache { $share } · bisher { $cost }
made-of = Woraus er besteht
last-turns = Die letzten { $count } Turns
key-system = System, Werkzeuge
key-conversation = Gespräch
key-compaction = Kürzung
