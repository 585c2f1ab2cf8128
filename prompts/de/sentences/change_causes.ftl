### Welches Ereignis änderte, was ein Modell erfährt.

different-channels = die beiden sind von verschiedenen Kanälen
no-record = kein Eintrag erklärt es

## Modell, Modus, Konfiguration

last-round = die letzte Runde eines Turns darf kein Werkzeug aufrufen
usual-model-failed = das übliche Modell war gescheitert
another-stood-in = ein anderes war eingesprungen
somebody-set-it = jemand hat es gesetzt
model-reload = das Modell, beim Neuladen gelesen
model-start = das Modell, bei einem Start gelesen
keys-reload = { $keys }, beim Neuladen gelesen
keys-while-running = { $keys }, neu gelesen, während der Bot lief
keys-start = { $keys }, bei einem Start gelesen
mode-set = jemand setzte { $mode }
mode-reload = der übliche Modus, beim Neuladen gelesen
mode-start = der übliche Modus, bei einem Start gelesen
channel-met = der Bot lernte einen Kanal dieses Servers kennen, oder einer heißt anders

## Das Programm

section-order = das Programm nennt seine Abschnitte in anderer Reihenfolge
written-for-newest = für jede Nachricht neu geschrieben
its-template = die Vorlage kommt mit dem Programm
tools-with-program = Werkzeuge kommen mit dem Programm
skill-switched = jemand hat einen Skill umgeschaltet
skill-changed = { $name } { $how ->
    [added] hinzugekommen
    [gone] weg
   *[changed] geändert
}: { $file }
skill-tool = es ist da, solange im Kanal ein Skill an ist
on-demand-gone = es ist auf Abruf, und seine Benutzung steht nicht mehr im Verlauf
on-demand-opened = es ist auf Abruf, und wurde in diesem Gespräch geöffnet
other-asker = Werkzeuge hängen von den Rechten dessen ab, der fragt, und das ist jemand anderes

## Erinnerungen

restored = { $memory } zurückgeholt
forgotten-by-admin = { $memory } von einem Admin vergessen
forgotten = { $memory } vergessen
brought-up-to-date = eine neuere bringt { $memory } auf den Stand
saved = { $memory } gespeichert
saved-because = { $memory } gespeichert wegen { $message }

## Das Gespräch

next-message = die nächste Nachricht, noch nicht geschrieben
the-asking-message = die Nachricht, die fragt
summary = { $type ->
    [tool_calls] Werkzeugaufrufe
    [half] Hälfte
    [goal_batch] Ziel
   *[emergency] Notfall
}, für { $count ->
    [one] 1 Nachricht
   *[other] { $count } Nachrichten
}
summary-undone = { $summary }, zurückgenommen
edited = von ihrem Autor geändert
begun-again = jemand fing das Gespräch neu an
older-talk = älteres Gespräch, das den Bot nicht meinte, machte neuerem Platz
turns-do-not-fit = { $count ->
    [one] 1 alter Turn passt nicht mehr hinein
   *[other] { $count } alte Turns passen nicht mehr hinein
}
turn-still-runs = { $turn } läuft noch: gehört nicht zum Verlauf
turn-ended = { $turn } endete als { $status }: gehört nicht zum Verlauf
calls-and-results = Werkzeugaufrufe und ihre Ergebnisse
said-since = seitdem gesagt
answered-since = seitdem beantwortet
turns-fit-again = alte Turns passen wieder hinein

## Was für ein Ereignis es war

kind = { $kind ->
    [config] Konfiguration
    [memory_saved] Erinnerung gespeichert
    [memory_forgotten] Erinnerung vergessen
    [memory_restored] Erinnerung zurückgeholt
    [memory_replaced] Erinnerung ersetzt
    [skill] Skill
    [model] Modell
    [mode] Modus
    [tool_added] Werkzeug hinzugekommen
    [tool_removed] Werkzeug weggefallen
    [compaction] Verdichtung
    [restart] Neustart
    [reset] Neuanfang
    [edit] Bearbeitung
    [trigger] zu beantwortende Nachricht
    [talk] neue Nachrichten
    [round] Werkzeugrunde
    [lost] Turn nicht aufbewahrt
    [rights] Rechte des Fragenden
    [window] Fenster
    [channels] Kanäle des Servers
   *[unknown] unbekannt
}
before-newest = die Blöcke vor der neuesten Nachricht: { $name }
block-tool = Werkzeug { $name }
block-message = Nachricht { $number }, { $by }
