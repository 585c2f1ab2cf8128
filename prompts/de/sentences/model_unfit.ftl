### Warum eine Nachricht keine Antwort bekam: Das Modell nimmt nicht an, was es bekam, und sein Dienst sagt es.

no-tools = { $place }: das Modell kann keine Werkzeuge
refused-tools = { $model } lehnte { $count ->
    [one] 1 Werkzeug ab:
   *[other] { $count } Werkzeuge ab:
}
needs-tools = Sag es dem Betreiber: Dieses Modell kann nicht mit Werkzeugen umgehen, und der Bot braucht sie.
no-tools-fix = Setze model.name auf ein Modell mit Werkzeugen (der Dienst nennt sie), oder lass den Server sie anbieten (vLLM: ein Schalter).
picture = { $place }: ein Bild wird abgelehnt
came-with-message = Es kam mit der Nachricht{ $old ->
    [0] :
   *[other] , { $old } im Verlauf:
}
in-history = Es steht im Verlauf, nicht in der Nachricht:
size = { $kind ->
    [unknown] unbekannt
   *[other] { $kind }, { $size } kB
}{ $more ->
    [0] .
   *[other] , und { $more } weitere.
}
say-new = Sag im Kanal `new` zum Bot: Bis dahin sendet der Bot dieses Bild jedes Mal wieder.
send-smaller = Schick es kleiner, oder als PNG oder JPEG; die nächste Nachricht nimmt es nicht mit.
lower-image = Senke attachments.image_mb, oder setze model.sees_images = false, wenn das Modell keine Bilder nimmt.
new-or-blind = Sag `new` im Kanal; wenn das Modell keine Bilder nimmt, setze model.sees_images = false.
settle = was der Dienst selbst sagt, in der Anfrage.
flagged = { $place }: der Filter lehnte es ab
filter-says = Der Inhaltsfilter des Dienstes sagt:
read-earlier = Er las { $count ->
    [one] eine frühere Nachricht
   *[other] { $count } frühere Nachrichten
} mit.
reword = Sag es mit anderen Worten; niemand sonst ist betroffen.
reword-or-new = Sag es mit anderen Worten. Werden auch andere abgelehnt, sag im Kanal `new` zum Bot.
nothing-broken = Nichts ist kaputt: Andere Nachrichten und Kanäle sind nicht betroffen.
brought-it = die Nachricht, die es brachte
request = Anfrage, wie sie gesendet wurde, und die Ablehnung
