### Warum niemand eine Antwort bekommt: Der Bot läuft nicht, oder er brach bei einer Nachricht ab.

verdict-dead = Der Bot läuft nicht
never-ran = Mit diesem Datenverzeichnis lief noch nie ein Bot.
ended = Er endete; letztes Lebenszeichen
vanished = Er endete ohne Angabe von Gründen; letztes Lebenszeichen
last-sign = { $time } (Prozess { $pid }).
reason = Grund: { $words }
start-it = Starte ihn: glassmind run. Warum er endete, sagen sein Log und der Dienstverwalter.
tell-operator = Sag es dem Betreiber: Das lässt sich nur auf dem Rechner beheben.
turn = der Turn, { $status ->
    [running] läuft noch
    [replied] beantwortet
    [skipped] endete in Schweigen
    [failed] scheiterte
    [cancelled] angehalten
   *[interrupted] unterbrochen
}
verdict-off = { $platform } ist ausgeschaltet
not-enabled = Die Konfiguration schaltet keine Plattform { $key } ein.
enable-it = Setze enabled = true unter [platforms.{ $key }] und starte den Bot neu.
verdict-down = Verbindung zu { $platform } ist { $state ->
    [disabled] aus
   *[down] weg
}
nothing-since = Seit { $time } kommt hier nichts an.
run-doctor = Starte `glassmind doctor`: Er fragt die Plattform.
verdict-restarted = { $place }: der Bot startete neu
stopped-at-it = Der Bot brach ab, während er { $what ->
    [result] am Ergebnis
   *[message] an der Nachricht
} arbeitete.
stopped-each-time = Der Bot brach jedes Mal ab, wenn er { $what ->
    [result] am Ergebnis
   *[message] an der Nachricht
}
gave-up = arbeitete, und gab schließlich auf.
runs-again = Seit { $time } läuft er wieder.
ask-otherwise = Frag mit anderen Worten: Vielleicht bricht er gerade an { $what ->
    [result] diesem Ergebnis
   *[message] dieser Nachricht
} ab. Sag es dem Betreiber.
ask-again = Frag noch einmal: Der Bot nimmt { $what ->
    [result] dieses Ergebnis
   *[message] diese Nachricht
} nicht wieder auf.
why-it-ended = Finde heraus, warum der Prozess endete: Endgrund, Log, Dienstverwalter.
verdict-silent = { $place }: der Prozess schweigt
has-the-channel = { $process } hat diesen Kanal
last-heard = und meldete sich zuletzt vor { $span }.
waits = { $count ->
    [one] 1 Nachricht wartet
   *[other] { $count } Nachrichten warten
} darauf, übernommen zu werden.
verdict-untaken = { $place }: kein Prozess hat den Kanal
waits-since = Die älteste wartet seit { $span }.
wait-for-another = Warte einen Moment: Ein anderer Prozess übernimmt den Kanal und antwortet.
look-at-that-machine = Sieh nach dieser Maschine. Läuft kein anderer Worker, starte einen: glassmind run --role worker.
