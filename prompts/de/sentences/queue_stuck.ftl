### Warum eine Nachricht wartet: Was vor ihr ist, geht nicht weiter.

verdict = { $place }: die Warteschlange hängt
verdict-tool = { $place }: ein Werkzeug brauchte zu lange
takes-too-long = Eine Antwort dauert schon { $age }; erlaubt sind { $limit }.
waits-for-model = Sie wartet seit { $time } auf { $model }.
is-at = Gerade: { $what }
let-in-waits = Angenommen vor { $age }. Sie wartet; niemand nimmt sie.
let-in-nowhere = Angenommen vor { $age }, aber weder wartend noch in Arbeit.
let-in-outside = Angenommen vor { $age }, bisher ohne Ergebnis;
not-visible = die Warteschlange ist von hier nicht zu sehen.
waiting = { $count } warten, am längsten { $age }.
ran-out-at-tool = Das Modell hatte geantwortet; dann brauchte ein Werkzeug zu lange.
slowest = Am langsamsten: { $tool }, { $seconds } s.
calls = der Turn, { $count ->
    [one] 1 Werkzeugaufruf
   *[other] { $count } Werkzeugaufrufe
}
running-turn = der Turn, der läuft
say-stop = Sag im Kanal `stop` zum Bot: Der Rest geht weiter; stell dann die abgebrochene Frage noch einmal.
stop-then-look = `stop` im Kanal beendet den Turn; wenn es wieder passiert, sieh nach, was hängt: Werkzeug oder Anbieter.
ask-again = Frag noch einmal; wenn es wieder passiert, sag dem Betreiber, welches Werkzeug es ist.
look-at-tool = Sieh nach, worauf das Werkzeug wartet; model.turn_timeout ist, wie lange ein Turn dauern darf.
settle = frag den laufenden Bot, in einem Chat.
