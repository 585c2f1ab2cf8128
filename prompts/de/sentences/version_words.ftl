### Was eine Version geändert hat, in wenigen Worten.

mode-active = jede Nachricht
mode-mention-only = auf Ansprache
mode-observe = liest nur mit
by-button = per Knopf
by-branch = durch einen Branch
by-worker = durch einen Worker
id = ID { $user }
done-by = { $what } von { $who }
found = schon da, als die Versionen begannen
saved = gespeichert
confirmed = bestätigt
forgotten = vergessen
evicted = vergessen, um Platz zu schaffen
restored = zurückgeholt
wiped = Worte gelöscht
erased = mit ihrer Person gelöscht
moved = mit ihrem Kanal umgezogen
merged = mit einer anderen zusammengelegt
split = Zusammenlegung rückgängig gemacht
imported = importiert
set = gesetzt
summarised = zusammengefasst
undone = rückgängig gemacht
stands = gilt wieder
rolled-back = zurückgesetzt
from-own-file = kam in einer Datei von { $instance }, die dieser Bot unterschrieben hat:
from-file = kam in einer Datei von { $instance }, die hier niemand prüfen kann:
earlier = { $count } frühere
past = { $what }, vor { $age }
past-by = { $what } von { $who }, vor { $age }
new-memory = { $type }, Wichtigkeit { $importance }
said-times = { $times ->
    [one] { $times }-mal
   *[other] { $times }-mal
} gesagt
changed = { $before } → { $after }
counts-again = zählt wieder
is-forgotten = vergessen
setting = { $part }: { $before } → { $after }
skill = Skill { $name }
tool = Werkzeug { $name }
the-channel = der Kanal
recording = Aufzeichnung
paused = pausiert
not-paused = nicht pausiert
usual = wie üblich
on = an
off = aus
let-in = zugelassen
as-lists-say = wie die Listen sagen
left-out = ausgelassen
shown = gezeigt
