### Was denen, die den Bot betreiben, ungefragt gesagt wird.

title = Glassmind braucht einen Admin
no-webhook = es ist keiner eingerichtet
reach-nobody = seit { $time } UTC erreichen Warnungen niemanden; der Webhook: { $why }
reach-nobody-fix = Bitte einen Besitzer, mir eine Direktnachricht zu öffnen, oder richte alerts.webhook; die Warnung steht im Log.
count-on = { $count } auf { $platform }
owners-and-admins = Besitzer und Admins privat ({ $counts })
the-webhook = der Webhook
trouble-goes-to = Störungen erfahren: { $ways }; Lebenszeichen an einen Monitor: { $heartbeat }
one-way-or-other = { $first }, sonst { $second }
every-seconds = alle { $seconds } s
no-heartbeat = keins
nobody-told = niemand erfährt, wenn etwas kaputtgeht
nobody-told-fix = Setze owner_ids einer Plattform (`whoami` zeigt die IDs) oder alerts.webhook.

## Die Konfiguration

as-at-start = wie beim Start
as-read-at = wie um { $time } UTC gelesen
at = um { $time } UTC
file-changed = { $file } oder die .env daneben hat sich geändert, seit sie gelesen wurde
file-changed-fix = Führe auf dem Rechner `glassmind config check` aus; dann `systemctl reload glassmind` (SIGHUP), oder starte den Bot neu.
file-refused = { $file } wurde { $when } abgelehnt; der Bot läuft mit der vorigen weiter: { $why }
file-refused-fix = Führe auf dem Rechner `glassmind config check` aus, korrigiere die Datei und lade sie neu.
file-waits = { $file }, { $when }; wartet auf einen Neustart: { $keys }
file-waits-fix = Starte den Bot neu, wenn es dir passt.
file-is = { $file }, { $when }
keys-and-more = { $keys } und { $more } weitere

## Die Uhr und die Verbindungen

clock-says = meine Uhr sagt { $time }, { $name } sagt { $theirs }
clock-says-since = meine Uhr sagt { $time }, aber als ich zuletzt sicher war, war es { $before }
time-utc = { $time } UTC
no-calendar = ein Jahr, das kein Kalender hat
still-connecting = sie versucht noch, sich zu verbinden
token-conflict = ein anderes Programm benutzt das Token des Bots
connection-ended = ihre Verbindung endete, und nichts in mir startet sie neu
connection-ended-fix = Starte den Bot neu und sieh im Log nach, was die Plattform beendet hat.
damage = { $damage } Ich mache ohne dieses eine weiter.

## Knöpfe darunter

why = Warum?
answer = Die { $count } beantworten…
other-model = Ein anderes Modell nehmen…
tell-channels = Den Kanälen Bescheid sagen…
tell-channel = Dem Kanal Bescheid sagen…
places-or-more = { $places } oder mehr
