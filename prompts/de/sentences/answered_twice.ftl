### Warum es zwei Antworten gibt, oder eine, die nicht vom Bot ist: Ein zweites Programm nutzt sein Konto, oder er sandte doppelt.

one-process = Stopp das andere Programm: ein Prozess für jedes Token. Wenn du keines kennst, widerrufe das Token.
second-program = Sag es dem Betreiber: Ein zweites Programm benutzt das Konto des Bots.
verdict-first = { $place }: ein anderer war schneller
was-first = Ein zweites Programm mit dem Konto des Bots war
was-first-more = schneller; seine eigene Antwort postete er { $time } nicht.
own-answer = die eigene Antwort des Bots
verdict-changed = { $place }: Antwort wurde geändert
was-changed = Um { $time } änderte ein anderes Programm ihre Worte mit
was-changed-more = dem Konto des Bots; dieser Bot war es nicht.
as-sent = die Antwort, wie sie gesendet wurde
verdict-two = { $place }: zwei antworten als Bot
spoke = Das Konto des Bots sprach { $count ->
    [one] einmal
   *[other] { $count }-mal
} nach der Nachricht,
spoke-first = zuerst { $time }; dieser Bot sandte nichts davon.
you-ask = Du fragst Prozess { $pid } der Instanz { $instance }.
not-by-us = mit dem Konto des Bots gesagt, nicht von diesem Bot
settle = vergleiche die beiden Nachrichten im Kanal.
verdict-twice = { $place }: Antwort zweimal gesendet
same-words = Zwei Zustellungen für eine Nachricht sagen dasselbe;
second-at = die zweite ging { $time } hinaus.
the-first = die erste
the-second = die zweite
delete-one = Lösch eine der beiden; wenn es wieder passiert, sag es dem Betreiber.
open-turn = Öffne den Turn: Vielleicht wiederholt ein Werkzeug die Antwort, oder das Modell wiederholt sich.
