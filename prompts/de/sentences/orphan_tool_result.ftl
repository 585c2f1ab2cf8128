### Warum niemand eine Antwort bekam: Im Verlauf steht ein Werkzeugaufruf ohne Ergebnis, oder ein Ergebnis ohne Aufruf.

verdict = { $place }: der Verlauf ist beschädigt
lack-half = { $count ->
    [one] Einem Werkzeugaufruf fehlt die andere Hälfte:
   *[other] { $count } Werkzeugaufrufen fehlt die andere Hälfte:
}
service-says = Der Dienst sagt, dass ein Werkzeugaufruf
service-says-more = und sein Ergebnis nicht zusammenpassen.
turns-failed = Die letzten { $count } Turns scheiterten.
request = Anfrage, wie sie gesendet wurde, und die Ablehnung
say-new = Sag im Kanal `new` zum Bot: Bis dahin bekommt keine Nachricht eine Antwort.
export-first = Sag `new` im Kanal; exportiere davor die Anfrage und melde sie: ein Fehler im Programm.
settle = was der Dienst selbst sagt, in der Anfrage.
