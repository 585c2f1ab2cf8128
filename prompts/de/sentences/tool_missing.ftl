### Warum eine Antwort etwas über ein Werkzeug erfindet: Das Modell bekam es nicht angeboten.

verdict = { $place }: ihm fehlte ein Werkzeug
called = Das Modell rief { $tool }{ $more ->
    [0] {" "}auf,
   *[other] {" "}und { $more } weitere auf,
}
nameless = ein Werkzeug ohne Namen
spoken-of = { $who ->
    [answer] Die Antwort
   *[message] Die Nachricht
} spricht von { $tool },
not-offered = das nicht unter den { $count } ist, die es bekam.
turn = der Turn, mit seinen Aufrufen
request = Anfrage, wie sie gesendet wurde, mit ihren Werkzeugen
invented = Was die Antwort über dieses Werkzeug sagt, hat das Modell erfunden: Es war nie da.
open-it = Gib es frei, oder sag in bot.persona, dass der Bot es hier nicht kann: Was das Modell darüber erfindet, stimmt nicht.
say-cannot = Sag in bot.persona, was der Bot hier nicht kann; was das Modell darüber erfindet, stimmt nicht.
settle = was die Antwort darüber sagt, in der Anfrage.
call-has-to-say = Ein Aufruf muss sagen, welches Werkzeug er meint.
nobody-has-it = Nichts im Bot hat ein Werkzeug mit diesem Namen.
not-known = Was so ein Werkzeug hat, ist hier nicht bekannt.
closed-here = Es gibt eines, aber { $reason }.
closed-there = { $process } hat es, aber { $reason }.
needs-authority = Es braucht das Recht { $authority }.
only-there = Nur { $process } hat es.
