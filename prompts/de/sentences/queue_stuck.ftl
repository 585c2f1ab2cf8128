### Warum eine Nachricht wartet: Was vor ihr ist, geht nicht weiter.

verdict = { $place }: die Warteschlange hängt
verdict-tool = { $place }: ein Tool brauchte zu lange
takes-too-long = Eine Antwort dauert schon { $age }; erlaubt sind { $limit }.
waits-for-model = Sie wartet seit { $time } auf { $model }.
is-at = Gerade: { $what }
let-in-waits = Angenommen vor { $age }. Sie wartet; niemand nimmt sie.
let-in-nowhere = Angenommen vor { $age }, aber weder wartend noch in Arbeit.
let-in-outside = Angenommen vor { $age }, bisher ohne Ergebnis;
not-visible = die Warteschlange ist von hier nicht zu sehen.
waiting = { $count } warten, am längsten { $age }.
ran-out-at-tool = Das Modell hatte geantwortet; dann brauchte ein Tool zu lange.
slowest = Am langsamsten: { $tool }, { $seconds } s.
calls = der Durchlauf, { $count ->
    [one] 1 Tool-Aufruf
   *[other] { $count } Tool-Aufrufe
}
running-turn = der Durchlauf, der läuft
say-stop = Sag im Kanal `stop` zum Bot: Der Rest geht weiter; stell dann die abgebrochene Frage noch einmal.
stop-then-look = `stop` im Kanal beendet den Durchlauf; wenn es wieder passiert, sieh nach, was hängt: Tool oder Anbieter.
ask-again = Frag noch einmal; wenn es wieder passiert, sag dem Betreiber, welches Tool es ist.
look-at-tool = Sieh nach, worauf das Tool wartet; model.turn_timeout ist, wie lange ein Durchlauf dauern darf.
settle = frag den laufenden Bot, in einem Chat.
