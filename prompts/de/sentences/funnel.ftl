### Wie weit eine Nachricht kam: die Zeilen ✓ ✗ ○ eines Berichts.

## Schritte

process = Prozess
adapter = Verbindung
arrival = Ankunft
author = Absender
access = Zugang
pause = Pause
mode = Modus
addressing = Anrede
limits = Limits
queue = Warteschlange
request = Anfrage
decision = Entscheidung
delivery = Zustellung
plain-talk = normale Gespräche
rest-of-album = die anderen Bilder des Albums
seen = ob Leute sie sehen

## Was neben einem Schritt steht

privacy-on = der Datenschutzmodus für Gruppen ist an
content-off = die Berechtigung für Nachrichteninhalte ist aus
one-arrived = 1 kam an
one-arrived-privacy = 1 kam an, der Datenschutzmodus für Gruppen ist an
no-message = keine Nachricht bekannt
paused-now = jetzt pausiert
observes-now = hört jetzt nur zu
not-enabled = nicht eingeschaltet
late = { $time }, { $age } zu spät
no-probe = { $heard }, keine Antwort auf eine Nachfrage
state = { $state ->
    [up] läuft
    [starting] startet
    [degraded] eingeschränkt
    [disabled] abgeschaltet
    [conflict] Konflikt
    [down] aus
    [network] Netz
    [stalled] hängt
    [piling] Stau
    [account] Konto
    [webhook] Webhook
    [token] Token
   *[other] { $state }
}, { $heard }
not-visible = von hier nicht zu sehen
waiting = { $count } warten
poll = Abruf vor { $age }
no-poll = noch kein Abruf
event = Ereignis vor { $age }
no-event = noch kein Ereignis
