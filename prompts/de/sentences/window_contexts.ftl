### Eine Anfrage, Block für Block, und was sich zwischen zweien unterscheidet, auf der Webseite.

request-of = { $request } aus { $channel }
next-of = Nächste Anfrage aus { $channel }
which = { $which ->
    [sent] Gesendet
    [next] Was als Nächstes gesendet würde
   *[in_flight] Läuft gerade
}
compare-worked = mit der letzten vergleichen, die klappte
hidden = Dir nicht gezeigt oder geschwärzt: { $count } Stellen.

## Ihre Blöcke

layer = { $layer ->
    [static] fest
    [epoch] ändert sich selten
    [tools] Werkzeuge
    [summary] Zusammenfassungen
    [said] Gespräch
    [asked] neueste Nachricht
   *[overhead] Format
}
by = { $role ->
    [person] Person
    [assistant] Bot
    [tool] Werkzeug
    [summary] Zusammenfassung
   *[other] { $role }
}
bar = { $name }: { $tokens } Token, { $share } %
blocks = Blöcke { $first } bis { $last }
its-blocks = Ihre Blöcke
words-of-block = Wörter eines Blocks
blocks-to-come = Blöcke { $first } bis { $last }
from = aus { $sources }
its-message = die Nachricht dazu `{ $handle }`
no-words = keine Worte
more-characters = { $count ->
    [one] und { $count } weiteres Zeichen: `!cortex export` hat alles
   *[other] und { $count } weitere Zeichen: `!cortex export` hat alles
}
left-out = Weggelassen

## Was zurückkam, und wo ein Zitat steht

came-back = Was zurückkam
answered-in = { $answered } in { $time }
in-and-out = { $input } Token hinein, { $output } heraus
no-answer = Es ist keine Antwort aufgezeichnet.
thoughts = Was es dachte
stands-in = Das Zitat steht in { $count ->
    [one] { $count } Block
   *[other] { $count } Blöcken
}: { $names }.
stands-in-more = Das Zitat steht in { $count ->
    [one] { $count } Block
   *[other] { $count } Blöcken
}: { $names } und { $more } weiteren.
stands-nowhere = Das Zitat steht nicht in dem, was du von dieser Anfrage sehen darfst.

## Was sich zwischen zweien unterscheidet

changed-in = Was sich in { $channel } geändert hat
the-same = *Kein Unterschied* von { $before } zu { $after }
differences = { $count ->
    [one] *{ $count } Unterschied*
   *[other] *{ $count } Unterschiede*
} von { $before } zu { $after }
side = { $which ->
    [sent] gesendet
    [next] der nächsten
    [in-flight] der laufenden
   *[other] { $label }
}
from-which = Von
to-which = zu
compare = Vergleichen
names-of-contexts = last, next, running, worked oder ein Kürzel
part = { $part ->
    [parameter] Einstellung
    [section] Abschnitt
    [tool] Werkzeug
    [messages] Nachrichten
   *[other] { $part }
}
change = { $kind ->
    [added] hinzugekommen
    [removed] weg
    [changed] geändert
    [moved] verschoben
   *[other] { $kind }
}
every-request = in jeder Anfrage anders
because = wegen { $kind }: { $what }
lines = { $count ->
    [one] { $count } Zeile
   *[other] { $count } Zeilen
}
