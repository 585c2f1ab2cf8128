### Die erste Nachricht einer Antwort, auf einem Handybildschirm, und was ein Modell gefunden hat.

## Der Kopf

could-not-look = ? { $place }: nicht alles ließ sich ansehen
no-message = ? { $place }: keine Nachricht bekannt
found-nothing = ○ { $place }: kein Fehler gefunden
all-is-well = ✓ { $place }: alles in Ordnung
sure = { $confidence ->
    [confirmed] sicher
    [likely] wahrscheinlich
   *[cannot-tell] nicht zu sagen
}
rules-only = { $agent ->
    [main] nur Regeln, kein Modell gefragt · { $session }
   *[other] nur Regeln, kein Modell gefragt · Agent { $agent } · { $session }
}

## Was folgt

why = Grund  { $line }
to-be-sure = Um sicher zu sein: { $step }
evidence = Belege
unread = ○ nicht einsehbar: { $what } ({ $why })
unread-others = ○ auch nicht: { $names }
unread-others-more = ○ auch nicht: { $names } und { $more } weitere

## Die Prüfungen

failed = ✗ { $checks }
failed-before = ✗ { $checks } · nicht erreicht: { $missed }
not-reached = · nicht erreicht: { $missed }
not-checkable = ○ nicht prüfbar: { $checks }
all-checkable = ○ alles Prüfbare wurde geprüft
inside-the-provider = was im Modelldienst geschah
all-gates = alle Gates
all-gates-set = alle Gates ({ $settings })
gates = Gates
later-gates = spätere Gates
model = Modell
all-checks = Alle Prüfungen von { $place }
check = { $mark } { $check }: { $state ->
    [passed] bestanden
    [failed] hält auf
    [not_reached] nicht erreicht
   *[not_checkable] nicht prüfbar
}
check-detail = { $mark } { $check }: { $state ->
    [passed] bestanden
    [failed] hält auf
    [not_reached] nicht erreicht
   *[not_checkable] nicht prüfbar
} · { $detail }

## Die Knöpfe

show = { $handle } zeigen
forget = { $handle } vergessen…
resume = { $place } fortsetzen…
prove = Beweisen…
open-evidence = Belege
ask = Fragen
ask-for = Das Modell fragen: { $price }
open-checks = Alle Prüfungen

## Was ein Modell gefunden hat

by-model = Worte eines Modells (es las Texte von Mitgliedern; mit Vorsicht lesen)
by-model-hidden = Worte eines Modells (es las Texte von Mitgliedern; mit Vorsicht lesen), mit { $hidden ->
    [one] { $hidden } unsichtbaren Zeichen
   *[other] { $hidden } unsichtbaren Zeichen
}
as-kept = { $handle }, wie gespeichert
