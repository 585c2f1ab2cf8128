### Warum eine Nachricht keine Antwort bekam: ein Fehler, oder eine Antwort, die nicht zugestellt wurde.

program-fault = Das ist ein Fehler im Programm: Such ihn zu dieser Zeit im Log, und melde ihn.
told = Der Bot hat dem Kanal gesagt, dass es scheiterte.
not-told = Niemand im Kanal hat davon erfahren.
uncertain = { $place }: Antwort vielleicht verloren
unconfirmed = Der Bot hat sie gesendet, aber die Plattform
unconfirmed-more = hat es nicht bestätigt; er sendet nicht zweimal.
broke = Der Bot scheiterte, während er die Antwort sandte:
if-not-there = Wenn die Antwort nicht da ist, frag noch einmal.
look = sieh im Kanal nach.
overdue = { $place }: eine Antwort hängt
written-new = Vor { $age } geschrieben, und wartet noch:
written-sending = Vor { $age } geschrieben, und wird noch gesendet:
no-word = Die Plattform sagt weder ja noch nein.
connection-hangs = Sag es dem Betreiber: Die Verbindung zur Plattform hängt.
restart-reconnects = Starte `doctor`; ein Neustart öffnet eine neue Verbindung.
waits = { $place }: die Antwort wartet
kept = Vor { $age } geschrieben, und aufgehoben:
token-rejected = { $name } lehnt das Token des Bots ab.
unreachable = { $name } ist nicht erreichbar.
attempts = Bisher { $count ->
    [one] 1 Versuch
   *[other] { $count } Versuche
}; sie geht von selbst hinaus.
wait = Warte: Der Bot sendet sie, sobald das vorbei ist, bis zu einem Tag, nachdem sie geschrieben wurde.
undelivered = { $place }: Antwort kam nicht an
whole-not-sent = Geschrieben, nicht gesendet: { $state ->
    [new] wartet
    [sending] wird gesendet
    [uncertain] kam vielleicht an
   *[dead] aufgegeben
} nach { $count ->
    [one] 1 Versuch
   *[other] { $count } Versuchen
}.
parts-not-sent = { $lost } von { $parts } Teilen nicht gesendet: { $state ->
    [new] warten
    [sending] werden gesendet
    [uncertain] kamen vielleicht an
   *[dead] aufgegeben
} nach { $count ->
    [one] 1 Versuch
   *[other] { $count } Versuchen
}.
platform-said = Die Plattform sagte: { $words }
check-rights = Prüfe, was der Bot in diesem Kanal darf (sehen, schreiben, anhängen); dann frag noch einmal.
ask-later = Die Plattform scheiterte jedes Mal: Frag später noch einmal.
words-say = Was sie stört, sagt die Plattform; `doctor` prüft, was der Bot dort darf.
status-page = Sieh auf die Statusseite der Plattform und in `doctor`; dann frag noch einmal.
raised = { $place }: ein Fehler beendete es
no-answer = Der Bot stieß auf einen Fehler und endete ohne Antwort.
recorded = Vermerkt: { $words }
ask-meanwhile = Sag es dem Betreiber; frag inzwischen noch einmal.
