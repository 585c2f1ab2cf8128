### Lesen, was dem Modell gesagt wird, seitenweise, und die Knöpfe der Seiten darum herum.

all-parts = Alle Teile
back = Zurück
next-page = Nächste Seite
read = { $part } lesen
more = Mehr
no-messages = Keine Nachrichten.
no-such-messages = Es gibt { $count } Nachrichten; keine liegt zwischen { $first } und { $last }.
what-goes-on = was gerade läuft
nothing-came-back = Es wurde noch nichts gesendet, also kam nichts zurück. `read answer last` liest, was zurückkam.
no-such-tool = Ein Werkzeug { $name } ist nicht darin. Es gibt: { $names }.
no-such-section = Einen Abschnitt { $name } gibt es darin nicht. Es gibt: { $names }.
none = keine
calls = [ruft { $tool } auf] { $arguments }
no-words = (keine Worte)
open = { $handle } öffnen
show = { $handle } zeigen
forget = { $handle } vergessen…
prove = Beweisen…
no-model-asked = kein Modell gefragt · { $session }

## Was fehlen kann

could-not-read = nicht lesbar: { $what }
