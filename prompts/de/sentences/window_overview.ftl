### Die Übersicht der Webseite: ob der Bot läuft, und jeder Kanal in einer Zeile.

runs = *Der Bot läuft.*
does-not-run = *Der Bot läuft nicht.* Letztes Lebenszeichen { $time }.
ended = *Der Bot läuft nicht.* Letztes Lebenszeichen { $time }: { $why }.
never-ran = *Hier ist noch nie ein Bot gelaufen.*
no-channel = Noch kein Kanal
no-channel-why = Aus keinem Kanal, den du ansehen darfst, kam bisher etwas an. Schreib dem Bot dort, wo er lebt; dann steht es hier.

## Ein Kanal

channel = Kanal
state = Zustand
messages = Nachrichten
last-answer = Letzte Antwort
waiting = Wartend
cost-of-a-day = Kosten, 24 h
state-is = { $state ->
    [well] antwortet
    [trouble] gestört
    [paused] pausiert
    [silent] stumm
    [idle] ruhig
    [working] arbeitet
   *[other] { $state }
}
not-recorded = nicht aufgezeichnet
no-answer = keine
memories-alone = seine Erinnerungen darfst du durchsehen
last-messages = { $count ->
    [one] Die letzte Nachricht:
   *[other] Die letzten { $count } Nachrichten, die älteste zuerst:
}
