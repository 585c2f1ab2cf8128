### Wie heißt, worauf sich ein Befund stützt.

this-dm = Dieser Privatchat
newest-message = neueste Nachricht, { $time }
newest-unanswered = neueste Nachricht ohne Antwort, { $time }
your-newest-unanswered = deine neueste Nachricht ohne Antwort, { $time }
failed-work = die Arbeit des Bots, die scheiterte, { $time }
replied-to = die Nachricht, auf die du geantwortet hast, { $time }
the-message = { $kind ->
    [result] das Ergebnis
   *[message] die Nachricht
}, { $time }
last-message = letzte Nachricht, die der Bot ansah: { $outcome }
last-message-open = letzte Nachricht, die der Bot ansah: noch ohne Ergebnis
last-event = zuletzt angekommen: ein Ereignis
last-command = zuletzt angekommen: ein Befehl
last-arrival = zuletzt angekommen: eine Nachricht
decided-at = { $what }, { $time }
no-answer = { $more ->
    [0] { $about ->
        [newest] Die neueste Nachricht bekam
       *[other] Die Nachricht bekam
    }
   *[other] { $about ->
        [newest] Die neueste Nachricht und { $more } andere bekamen
       *[other] Die Nachricht und { $more } andere bekamen
    }
} keine Antwort.
