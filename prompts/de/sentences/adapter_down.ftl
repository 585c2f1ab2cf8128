### Warum niemand eine Antwort bekommt: Die Verbindung zur Plattform weiß, warum sie nichts hört.

## Was los ist, was noch geht, und was hilft

deaf = Von { $name } kommt nichts an
deaf-why = Kein Ereignis kommt an, kein Lebenszeichen wird beantwortet.
conflict = Zwei Programme mit demselben Token
conflict-why = Jedes bekommt einen Teil dessen, was Leute schreiben.
conflict-works = Senden geht; Befehle landen vielleicht beim anderen.
conflict-fix = Stopp das andere Programm; wenn du keines kennst, ist das Token durchgesickert: Widerrufe es.
webhook = Ein anderes Programm bekommt alles
webhook-why = Ein Webhook schickt die Nachrichten an { $host ->
    [none] eine andere Adresse
   *[other] { $host }
}.
webhook-works = Senden geht; kein Befehl und keine Nachricht kommt an.
webhook-fix = Stopp das Programm dahinter, oder starte neu mit `glassmind run --take-over` (dauerhaft: take_over = true).
token = { $name } lehnt das Token ab
token-why = Es wurde widerrufen, ersetzt oder falsch eingetragen.
token-works = Bis das behoben ist, geht nichts: keine Nachricht, kein Befehl.
token-fix = Setze das Token, das die Plattform jetzt zeigt, und starte den Bot neu.
foreign = { $name }: Token eines anderen Bots
foreign-why = Die Daten gehören { $theirs }, das Token { $ours }.
foreign-works = Der Bot liest und schreibt dort nichts; was wartet, bleibt.
foreign-fix = Setze das richtige Token, oder nimm ein anderes Datenverzeichnis.
stalled = Die Verbindung zu { $name } ist tot
stalled-why = Kein Abruf kommt zurück; der Bot verbindet sich neu.
piling = Leere Antworten von { $name }
piling-why = Abrufe gelingen, bringen aber nichts; jeder neu verbunden.
piling-fix = Starte den Bot neu, wenn es so bleibt; prüfe proxy und base_url: Vielleicht antwortet dort etwas anstelle von { $name }.
may-send = Senden geht vielleicht; Befehle und DMs kommen nicht an.
reconnect-fix = Starte den Bot neu, wenn es so bleibt; prüfe, was zwischen ihm und der Plattform steht.
wait-a-minute = Warte eine Minute: Er verbindet sich von selbst neu. Wenn nicht, sag es dem Betreiber.
nothing-arrives = Keine Nachricht und kein Befehl kommt an.
intents = { $name } lehnt die Intents ab
intents-fix = Developer Portal, Bot, Privileged Gateway Intents: Schalte ein, was der Bot verlangt.
shards = { $name } lehnt die Shards ab
shards-fix = Setze shard_ids und shard_count in [platforms.{ $key }], oder entferne beide.
api-version = { $name } lehnt diese Version ab
api-version-fix = Aktualisiere den Bot: Seine Bibliothek benutzt eine alte Version des Gateways.
session-limit = { $name } lässt den Bot warten
session-limit-why = Er hat sich heute zu oft neu verbunden.
session-limit-works = Senden geht; was Leute schreiben, kommt nicht an.
session-limit-fix = Finde heraus, was ihn so oft neu startet; nach mehr als 1.000 Sitzungen am Tag setzt Discord das Token zurück.
store = Der Bot kann nichts speichern
store-works = Es wartet auf der Plattform, bis zu einem Tag.
store-fix = Schaff Platz auf der Platte; `doctor` sagt, wie viel noch frei ist.
internal = Die Verbindung zu { $name } scheitert
internal-works = Senden geht vielleicht; was Leute schreiben, kommt nicht an.
internal-fix = Das ist ein Fehler im Programm: Er steht im Log; melde ihn.

## Das Netz

network = { $name } ist nicht erreichbar
network-works = Keine Nachricht und kein Befehl kommt durch.
dns-why = Der Name wird nicht gefunden (DNS).
dns-fix = Prüfe die Namensauflösung des Rechners, und base_url.
tls-why = Die TLS-Verbindung scheitert.
tls-fix = Prüfe Zertifikate und Uhr des Rechners, und was dazwischen steht.
proxy-why = Der Proxy ist nicht erreichbar oder lehnt ab.
proxy-fix = Prüfe `proxy` dieser Plattform, oder lass es leer.
connect-why = Unter der Adresse antwortet niemand.
timeout-why = Es kommt keine Antwort in der Zeit.
route-fix = Prüfe Firewall, Routen für IPv4 und IPv6, und den Proxy.
cut-why = Die Verbindung bricht jedes Mal ab.
cut-fix = Prüfe Proxy und Firewall; sind sie in Ordnung, sieh auf die Statusseite der Plattform.
answer-why = Was dort antwortet, ist nicht { $name }.
answer-fix = Prüfe base_url und Proxy: Führen sie zum richtigen Dienst?
network-fix = Prüfe Netz, Proxy und base_url; `doctor` versucht, die Plattform zu erreichen.

## Eine Verbindung, die nicht hält

unsteady = { $name }: Verbindung bricht oft ab
unsteady-times = Der Bot hat sich in einer Stunde { $count }-mal neu verbunden.
unsteady-code = Letzter Schließcode der Plattform: { $code }.
unsteady-reads = Nachrichten aus den Lücken liest er danach.
unsteady-advice = Antworten kommen spät; sag es dem Betreiber.
unsteady-fix = Prüfe Netz und Last des Rechners: Späte Lebenszeichen beenden eine Verbindung.
unsteady-settle = `doctor` zeigt die Verbindung jetzt.

## Drumherum

tell-operator = Sag es dem Betreiber: Das lässt sich nur auf dem Rechner beheben.
answer-ready = Eine Antwort liegt bereit; sie geht danach hinaus.
nothing-since = Seit { $time } kommt hier nichts an.
last-good-poll = Seit { $time }; letzter guter Abruf vor { $age }.
no-good-poll = Kein guter Abruf seit { $time }.
waiting = { $count ->
    [one] 1 Update wartet
   *[other] { $count } Updates warten
} auf der Plattform{ $more ->
    [0] .
   *[other] , { $more } mehr als zuvor.
}
webhook-error = Das Programm hinter dem Webhook scheitert: { $words }.
