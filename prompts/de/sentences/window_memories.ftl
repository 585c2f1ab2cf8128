### Was gemerkt ist, und ein beliebiger Eintrag, auf der Webseite.

memories-of = Erinnerungen von { $channel }
any-of-words = eines dieser Wörter
find = Suchen
as-it-was = Wie es war
now = jetzt
show = Zeigen
total = { $count ->
    [one] *{ $count }* Erinnerung
   *[other] *{ $count }* Erinnerungen
}
total-with-words = { $count ->
    [one] *{ $count }* Erinnerung
   *[other] *{ $count }* Erinnerungen
} mit diesen Worten
total-at = { $count ->
    [one] *{ $count }* Erinnerung
   *[other] *{ $count }* Erinnerungen
}, gemerkt am { $time }
more-withheld = { $count ->
    [one] { $count } weitere wurde dort gelernt, wo du nicht lesen kannst
   *[other] { $count } weitere wurden dort gelernt, wo du nicht lesen kannst
}
nothing-found = Nichts gefunden
nothing-then = Damals war nichts gemerkt
nothing-yet = Noch nichts gemerkt
nothing-found-why = Keine Erinnerung, die du lesen darfst, hat eines dieser Wörter.
nothing-yet-why = Der Bot hat hier nichts gelernt, was du lesen darfst.

## Eine Erinnerung

what = Was
who-said-it = Von wem
kind = Art
weight = Gewicht
used = Benutzt
since = Seit
type = { $type ->
    [identity] Identität
    [goal] Ziel
    [human] über Leute
    [decision] Entscheidung
    [todo] Aufgabe
    [preference] Vorliebe
    [fact] Tatsache
    [event] Ereignis
    [observation] Beobachtung
   *[other] { $type }
}
words-wiped = (die Worte sind gelöscht)
forgotten = vergessen am { $time }
forgotten-since = seitdem vergessen, am { $time }
by-admin = Admin

## Ein Eintrag

record-kind = { $kind ->
    [memory] Erinnerung
    [request] Anfrage
    [inbound] Nachricht
    [gate] Schritt
    [delivery] Zustellung
    [turn] Turn
    [audit] Audit
    [session] Gespräch
    [compaction] Kürzung
    [call] Werkzeugaufruf
    [branch] Branch
    [worker] Worker
    [record] Eintrag
   *[other] { $label }
}
what-came-of-it = Was daraus wurde
forget = Vergessen…
its-history = Ihre Geschichte
as-open = Wie `!cortex open { $handle }` es zeigt.
as-open-and-history = Wie `!cortex open { $handle }` und `!cortex memory history { $handle }` es zeigen.

## Was aus einer Erinnerung wurde

came-of = Was aus { $handle } wurde
its-story = ihre Geschichte
nowhere-yet = Sie ging noch nirgendwohin
nowhere-yet-why = Wo du nachsehen darfst, stand sie in keiner Anfrage, und nichts wurde daraus.
layer = { $layer ->
    [requests] Anfragen
    [answers] Antworten
    [memories] Erinnerungen
    [summaries] Kürzungen
    [work] Arbeit
   *[other] { $layer }
}
held-and-came = { $layer }: { $direct } enthielten sie, { $derived } kamen aus anderen
every-record = Alle Einträge
how = Wie
where = Wo
when = Wann
spread-kind = { $kind ->
    [request] Anfrage
    [answer] Antwort
    [memory] Erinnerung
    [summary] Zusammenfassung
    [compaction] Kürzung
    [branch] Branch
    [worker] Worker
   *[other] { $kind }
}
held-it = enthielt sie
came-of-others = kam aus anderen
first-of = { $total ->
   *[other] Die ersten { $shown } von { $total }.
}
forget-spread = Vergessen, auch was daraus wurde…
