### Seiten über das Gemerkte: Listen, Versionen, was daraus wurde, Dateien.

## Listen

the-server-of = Der Server von { $place }
someone = jemand
words-deleted = (die Worte sind gelöscht)
propose-merging = Zusammenlegen vorschlagen: { $names }
merge = { $names } zusammenlegen…
newer = ‹ Neuere
older = Ältere ›
forgotten = vergessen
not-forgotten = nicht vergessen
said-times = { $times ->
    [one] { $times }-mal
   *[other] { $times }-mal
} gesagt
said-times-last = { $times ->
    [one] { $times }-mal
   *[other] { $times }-mal
} gesagt, zuletzt vor { $age }
with-those-words = mit diesen Worten
by = von { $name }
older-than = älter als { $age }
of-the-last = der letzten { $age }
flagged = markiert
disputed = einander widersprechend
alike = fast gleich
scope-channel = bekannt im Kanal
scope-user = bekannt bei einer Person
scope-guild = bekannt auf dem Server
scope-global = überall bekannt

## Was gefunden würde

recalls = { $place }: Zu diesen Worten fände ich { $count ->
    [one] 1 Erinnerung
   *[other] { $count } Erinnerungen, die beste zuerst
}
recalls-nothing = { $place }: Zu diesen Worten fände ich nichts.
recalls-hidden = { $count ->
    [one] 1 weitere wurde
   *[other] { $count } weitere wurden
} dort gelernt, wo du nicht lesen kannst: nicht gezeigt.
recalls-how = Ein Platz weit oben bringt mehr Punkte, wofür auch immer; ihre Summe ist die Reihenfolge.
recalled-score = { $score } Punkte
recalled-by-words = + { $points }  gleiche Wörter, Platz { $place }
recalled-by-meaning = + { $points }  Bedeutung, Platz { $place }
recalled-by-time = + { $points }  erfragte Zeit, Platz { $place }
recalled-by-recency = + { $points }  wie neu, Platz { $place }
recalled-by-importance = + { $points }  Wichtigkeit, Platz { $place }
recalled-by-relation = + { $points }  Verbindungen, Platz { $place }

## Versionen

withheld = [nicht gezeigt: Du kannst diesen Kanal nicht lesen]
ago = { $line }, vor { $age }
became-of = Was daraus wurde · { $handle }
changed-since = { $place }: geändert seit { $time } UTC ({ $count })
nothing-changed = { $place }: seit { $time } UTC hat sich nichts geändert.
more = { $count } weitere.
and-more = … und { $count } weitere
rollback-undoes = `memory rollback <Zeit>` macht es rückgängig.
remembered-at = { $place }: gemerkt um { $time } UTC, vor { $age } ({ $count })
nothing-remembered-at = { $place }: um { $time } UTC, vor { $age }, war nichts gemerkt.
erased = mit ihrer Person gelöscht
deleted-since = [seitdem gelöscht]
forgotten-since = seitdem vergessen
id = ID { $user }
settings = Einstellungen
settings-same = Einstellungen: wie sie waren
summary-stands = eine Zusammenfassung gilt
summary-undone = eine Zusammenfassung ist rückgängig gemacht
several-have-name = Mehrere Leute heißen so: Schreib die ID-Nummer oder eine Erwähnung.
nobody-has-name = Dort heißt niemand so: Schreib die ID-Nummer oder eine Erwähnung.

## Was aus einer Erinnerung wurde

by-since = { $memories ->
    [one] { $memories } Erinnerung
   *[other] { $memories } Erinnerungen
} von { $name }, seit { $time } UTC
saved-since = { $memories ->
    [one] { $memories } Erinnerung
   *[other] { $memories } Erinnerungen
} gespeichert seit { $time } UTC
requests = Anfragen ({ $count })
answers = Antworten ({ $count })
memories = Erinnerungen ({ $count })
summaries = Zusammenfassungen ({ $count })
compactions = Kürzungen ({ $count })
branches = Branches ({ $count })
workers = Worker ({ $count })
draw = Zeichnen
forget-all = Alles vergessen, was daraus wurde…
nothing-saved = In dieser Zeit wurde dort nichts gespeichert.
nothing-left = Es gibt nichts mehr zurückzunehmen: Alles ist schon vergessen oder rückgängig gemacht.
type-by = { $type } von { $name }
all-by = alles, was sich { $name } seitdem merken ließ
all-saved = alles, was seitdem gespeichert wurde
what-came-of = Was aus { $what } wurde
elsewhere-too = auch in Kanälen, die du nicht moderierst
more-hidden = { $count } weitere werden dir nicht gezeigt
names-and-more = { $names } und { $count } weitere

## Dateien

nothing-to-import = Es gibt nichts zu importieren.
one-file = Bitte eine Datei auf einmal: Häng sie an den Befehl an.
too-large = Diese Datei ist hier zu groß; { $size } passen. Auf dem Rechner gibt es `glassmind memory import`.
not-fetched = Ich konnte die Datei nicht holen: { $why }. Schick sie noch einmal.
that-file = Diese Datei

## Skills

skills-on = { $place }: { $on } von { $all } Skills an
skill = { $name } · { $file } · { $size } Zeichen · { $digest }
not-for-agent = nicht für diesen Agenten
switched-here = hier gesetzt
off-by-config = aus durch skills.enabled
more-left-out = … und { $count } weitere, die ausgelassen sind
what-a-skill-is = Ein Skill ist ein Ordner mit einer SKILL.md, in `skills` im Datenverzeichnis oder in `skills.folders`.
skill-fix = Korrigiere die Datei; ich lese sie von selbst neu.
skill-row = Skill { $name }
skills-missing = skills.enabled nennt Skills, die nicht da sind: { $names }
skills-missing-fix = Korrigiere die Liste oder füge den Skill hinzu.
skills-found = { $count } können nachgeschlagen werden: { $names }
