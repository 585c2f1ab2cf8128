### Warum der Bot zu schreiben scheint und nichts kommt: Die Anzeige bleibt versehentlich an.

verdict = { $place }: „schreibt“, doch niemand
shown-since = Der Bot zeigt seit { $time } „schreibt“ ({ $age }).
nothing-runs = Er arbeitet hier an nichts, und nichts wartet.
not-let-go = Seine Verbindung zur Plattform beendet die Anzeige nicht.
do-not-wait = Warte nicht darauf: Frag noch einmal. Niemand schreibt gerade eine Antwort.
restart = Starte den Bot neu, um die Anzeige zu beenden; wenn es wieder passiert, sieh ins Log und nach dem Netz.
