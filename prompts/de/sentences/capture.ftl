### Wie genau ein erfasster Kontext ist, und warum es keinen gibt.

sent = gesendet: Anfrage { $handle }, wie sie hinausging
in-flight = unterwegs: die Anfrage der Runde, die jetzt läuft
next = nächste: genau bis auf die unbekannte Nachricht und die Uhr; Werkzeuge, wie ein gewöhnliches Mitglied sie bekommt
with-note = { $what }; { $note }
no-bytes = ihre Bytes lassen sich nicht zeigen: { $why }
redacted = geschwärzt: Worte darin wurden auf Wunsch gelöscht, { $time } UTC; die Prüfsummen sind die des Gesendeten
other-encoder = { $before } schrieb die gesendeten Bytes; { $now } schreibt dieselbe Anfrage anders
never-heard = In { $channel } hat der Bot noch nie etwas gehört. Nenn einen Kanal, den er kennt.
none-in-flight = Dort ist gerade keine Anfrage unterwegs. Frag nach der letzten gesendeten, oder der nächsten.
none-sent = Von dort hat der Bot noch keine Anfrage gesendet. Frag nach der nächsten.
of-another-channel = Diese Anfrage gehört zu einem anderen Kanal.
queue = - Warteschlange: { $count } warten
queue-oldest = - Warteschlange: { $count } warten, am längsten { $age }
now = - Jetzt: { $what ->
    [none] ein Turn
   *[other] { $what }
} seit { $age }
