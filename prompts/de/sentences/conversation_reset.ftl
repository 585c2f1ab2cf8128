### Warum der Bot von vorher nichts weiß: Jemand hat neu angefangen.

verdict = { $place }: neu angefangen
started = { $who ->
    [none] Jemand
   *[other] { $who }
} hat { $time } einen neuen Chat angefangen.
nothing-before = Das Modell erfährt nichts, was davor gesagt wurde.
said-before = Was gefragt war, wurde davor gesagt, in { $handle }.
record = der Neuanfang, im Audit
before-it = was davor gesagt wurde
undo = `/new undo` holt den alten Chat innerhalb von 24 Stunden zurück.
