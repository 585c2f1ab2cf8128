### Was `glassmind --help` und `glassmind BEFEHL --help` sagen.

about = Ein Chatbot, den ein Sprachmodell steuert und dem du in den Kopf schauen kannst.

## Die Befehle

init = eine Konfiguration anlegen: Fragen beantworten, live prüfen, speichern
init-more = Am Terminal fragt es nach allem, was die Optionen offen lassen. Gib Geheimnisse nie auf der Befehlszeile an: Nenne eine Variable oder eine Datei, oder leite sie hinein (erst das Token, dann den Schlüssel). Was du auf Nachfrage eintippst, steht danach in einer .env neben der Konfiguration.
run = den Bot laufen lassen, bis Strg-C
demo = zusehen, wie ein stummer Bot untersucht und geheilt wird; offline, ohne Schlüssel
config = die Konfiguration prüfen oder jeden Wert darin erklären
restore = die Kopien der Datenbank auflisten oder eine zurückholen
restore-more = Jede Kopie wird von Anfang bis Ende gelesen. Halte vorher den Bot an; die jetzige Datenbank wird beiseitegelegt.
verify = prüfen, dass nichts Gespeichertes verändert oder beschädigt ist
verify-more = Geprüft werden Seiten, Siegel, Texte, beide signierten Ketten und ob Erinnerungen und Einstellungen ihren neuesten Versionen entsprechen. Es ändert nichts und fragt niemanden; der Bot darf laufen.
migrate = alle gespeicherten Daten auf einen PostgreSQL-Server kopieren oder zurück in eine Datei
migrate-more = Halte vorher den Bot an. Nach dem Kopieren wird jede Zeile verglichen; weicht eine ab, bleibt nichts von der Kopie. Die alten Daten und deine Konfiguration bleiben, wie sie sind, und du erfährst, was dort einzutragen ist. Enthält die Adresse ein Passwort, gib sie als env:NAME an, denn andere auf diesem Rechner können die Befehlszeile lesen.
diff = zwei Kontexte vergleichen und sagen, welches Ereignis den Unterschied gemacht hat
diff-exit = Exit-Status 0: gleich; 1: verschieden; 2: nicht vergleichbar.
rehearse = die letzten Turns mit anderem Modell oder Prompt durchspielen und die Entscheidungen vergleichen
rehearse-more = Es nennt erst die Kosten und fragt dann. Es sendet nichts in einen Kanal, merkt sich nichts und ruft kein Werkzeug auf; es liest das Datenverzeichnis ohne Sperre und speichert seine Läufe in einer eigenen Datei. Exit-Status 0: alle Entscheidungen gleich; 1: einige anders oder unbekannt; 2: es ging nicht.
replay = ein Replay-Bündel aus `!cortex bundle` prüfen, auf jedem Rechner
replay-more = Es prüft jede Prüfsumme und setzt die Anfrage aus ihren Teilen neu zusammen, offline und ohne Konfiguration. Exit-Status 0: alles stimmt; 1: etwas wurde verändert; 2: die Datei ist kein Bündel.
check = deine gespeicherten Prüffälle wiederholen und sagen, ob der Bot noch richtig entscheidet
check-more = Mit Modell, Prompt und Erinnerungen von heute: Starte es vor einer Änderung und danach. Es nennt erst die Kosten und fragt dann; es sendet nichts, merkt sich nichts und ruft nichts auf. Exit-Status 0: alle bestehen; 1: nicht alle; 2: es ging nicht.
memory = auflisten, was der Bot sich gemerkt hat, es durchsuchen oder die Geschichte einer Erinnerung erzählen
memory-more = Es nimmt dieselben Wörter wie `!cortex memory`: list [#name oder server] type decision by james older 30d newer 2h forgotten page 2; search WÖRTER; by PERSON; show KÜRZEL; chart [#name oder server] 30d. Vergessen geht im Chat, wo du es rückgängig machen kannst. export DATEI schreibt die geltenden Erinnerungen mit ihrer ganzen Geschichte, signiert; import DATEI sagt, was eine Datei hinzufügen würde, und fügt es mit --yes hinzu, solange der Bot steht. Exit-Status von import: 1, wenn die Datei nicht so ist, wie dieser Bot sie signiert hat.
plugin = ein eigenes Plugin beginnen oder ein installiertes ausprobieren
plugin-more = new schreibt ein kleines, das funktioniert, mit seinem Test; check probiert alles, was ein Plugin mitbringt, in einem eigenen Bot aus, offline. Exit-Status von check: 1, wenn etwas mit dem Plugin nicht stimmt.
mcp = einen MCP-Server starten, über den ein Editor den Bot untersucht; oder die MCP-Server ansehen, die der Bot nutzt
mcp-more = Der Server liest das Datenverzeichnis ohne Sperre und ohne Modell; der Bot darf laufen oder tot sein. Er braucht das Extra mcp.
web = dem Bot im Browser in den Kopf schauen, nur lesend; oder einen Link zu einer schon offenen Seite ausgeben
web-more = Es liest das Datenverzeichnis ohne Sperre und ohne Modell; der Bot darf laufen oder tot sein. Nur dieser Rechner erreicht die Seite. Hinein kommst du mit einem Link, der einmal und zwei Minuten lang gilt.
support = eine Datei für einen Fehlerbericht schreiben: keine Geheimnisse, keine Nachrichten, keine Namen
support-more = Darin stehen Versionen, deine Einstellungen, was doctor gefunden hat und wie die neuesten Nachrichten eines Kanals ausgegangen sind. Plattformen und Anbieter werden live gefragt, Modelle nicht; der Bot darf laufen oder tot sein.
status = sagen, wie es dem Bot geht
why = sagen, warum ein Kanal still ist
context = zeigen, was dem Modell gesagt wird
ledger = zeigen, was aus Nachrichten geworden ist
export = einen Kontext in eine Datei speichern
doctor = Konfiguration, Datenverzeichnis, Anbieter und Plattformen prüfen
doctor-more = Es liest das Datenverzeichnis ohne Sperre und fragt Anbieter und Plattformen live, ohne Updates abzuholen; jedes Modell wird um ein Token gebeten.
read-only = Es liest das Datenverzeichnis ohne Sperre, ohne Geheimnisse und ohne Modell; der Bot darf laufen oder tot sein.

## Was mehrere Befehle nehmen

config-file = Standard: $GLASSMIND_CONFIG, sonst config.toml
data-folder = das Datenverzeichnis, statt des konfigurierten
json = JSON ausgeben
target = ein Kanal: seine Id (console:#general) oder sein Name (#general); eine Nachricht: ihr Link oder ihr Kürzel (i4k2p); eine Gate-Entscheidung, ein Turn, eine Anfrage oder eine Zustellung: das Kürzel (g8w0c, t6w1d, r3x7b, d9m3q); Standard: der zuletzt benutzte Kanal
agent = der Agent, dessen Kanal du meinst; Standard: der, dem er jetzt gehört
free = kein Modell fragen; sonst wird jedes um ein Token gebeten, was ein wenig kostet
port = auf 127.0.0.1; Standard: { $port }
price-input = Preis für eine Million Eingabe-Token
price-output = Preis für eine Million Ausgabe-Token
yes = ohne Rückfrage loslegen
picture = auch ein Bild zeichnen (braucht das Extra charts)
picture-style = Farben des Bildes
of-chart = chart: { $what }

## run, demo, config

take-over = einen Webhook entfernen, den ein anderes Programm gesetzt hat; dieses Programm bekommt dann nichts mehr: take_over = true in [platforms.telegram], nur für diesen Lauf
fresh = mit leerer Datenbank beginnen, wenn die bisherige fehlt; Sicherungen bleiben
restored = mit einer Server-Datenbank weitermachen, die auf einen früheren Stand zurückgesetzt wurde; was damals unterwegs war, gilt als ungewiss und wird nicht noch einmal gesendet
role = die Aufgabe dieses Prozesses, wenn sich mehrere auf einem PostgreSQL-Server einen Bot teilen: gateway hört zu, worker antwortet in einem Teil der Kanäle, looker zeigt die Webseite und die Zahlen einer Datenbank oder Replik; Standard: alles
clock-is-right = der Uhr dieses Rechners glauben, obwohl sie seit dem letzten Lauf gesprungen ist und keine Plattform sie bestätigt; was nach dieser Uhr zu alt ist, wird gelöscht
demo-page = danach denselben Fall im Browser zeigen, bis Strg-C
config-action = check: jedes Problem nennen; explain: jeden Wert zeigen und woher er kommt, Geheimnisse verdeckt

## init

init-file = wohin damit; Standard: $GLASSMIND_CONFIG, sonst config.toml
platform = wo der Bot lebt
admin-id = die numerische Id eines Besitzers; darf mehrmals stehen
platform-url = dein eigener Bot-API-Server oder eine eigene Discord-Adresse
provider = die Art des Modelldienstes
base-url = seine Adresse; Standard: die des Dienstes selbst
model = ein Modell dieses Dienstes
no-validate = weder Plattform noch Dienst fragen: offline
force = eine vorhandene Konfiguration ersetzen; eine Kopie bleibt
add = einer vorhandenen Konfiguration einen Bot hinzufügen; sie bleibt, wie sie ist, und eine Kopie bleibt
bot-name = wie der Bot in der Konfiguration, in Ids und Berichten heißt; Standard: wie seine Plattform
token-env = die Variable, in der das Bot-Token steht
token-file = eine Datei, in der das Bot-Token steht
token-stdin = das Bot-Token aus einer Zeile der Standardeingabe lesen
key-env = die Variable, in der der API-Schlüssel des Dienstes steht
key-file = eine Datei, in der der API-Schlüssel des Dienstes steht
key-stdin = den API-Schlüssel des Dienstes aus einer Zeile der Standardeingabe lesen

## why, context, export, support, restore, migrate

everywhere = welche Kanäle still sind, nach Ursache
since = wie weit zurück: 30m, 2h, 1d
sent = eine aufgezeichnete Anfrage, über ihr Kürzel
markdown = als Text zum Lesen, nicht als JSON
support-folder = wohin damit; Standard: hierher
copy = ein Name oder Pfad; Standard: die Kopien auflisten
migrate-to = postgresql://user@host/database, env:NAME oder ein neuer Ordner

## diff

cache = wie viel von A der Anbieter aus seinem Cache lesen konnte und was ihn gebrochen hat
before = last (die letzte Anfrage), next (die nächste), running (die laufende), worked (die letzte, auf die eine Antwort folgte), ein Kürzel oder eine Datei aus `export`, gepackt oder nicht; Standard: worked und last, wenn die letzte gescheitert ist, sonst last und next
after = dasselbe; Standard: last

## rehearse, check, replay

other-model = ein anderes Modell: provider/model, oder nur sein Name beim üblichen Anbieter
last-turns = die neuesten N Turns; Standard: 50
of-channel = aus einem Kanal; Standard: aus allen
without = einen Abschnitt, ein Werkzeug oder eine Erinnerung (m27d4) weglassen
persona = die Persona aus dieser Datei nehmen
most-cost = aufhören, bevor es mehr kostet
check-model = ein anderes Modell als das von heute nehmen
as-recorded = mit dem Prompt und den Erinnerungen von damals
check-most-cost = gar nicht anfangen, wenn es mehr kosten könnte
runs = ein konfiguriertes Modell N-mal fragen; den Preis siehst du vorher
bundle-model = run: ein anderes Modell als das im Bündel
bundle-yes = run: ohne Rückfrage loslegen
bundle = das Bündel, gepackt oder nicht

## memory, mcp, plugin, web

memory-action = was zu tun ist
memory-words = ein Kanal, Filter, eine Person oder ein Kürzel; bei export und import: eine Datei
memory-server = export: aus allen Kanälen des Servers, zu dem der Kanal gehört
memory-yes = import: hinzufügen; ohne das sagt es nur, was hinzukäme
mcp-json = tools, approve: JSON ausgeben
mcp-http = serve: auf diesem Port von 127.0.0.1, mit inspector.token
mcp-action = serve (Standard): einem Editor antworten, nur lesend; tools: die Werkzeuge der konfigurierten MCP-Server auflisten; approve: die Werkzeuge erlauben, die einer von ihnen jetzt anbietet
mcp-server = tools, approve: ein konfigurierter Server
plugin-action = new: eines schreiben; check: ein installiertes ausprobieren
plugin-name = sein Name, wie in der Konfiguration: [plugins.NAME]
plugin-folder = new: wohin damit; Standard: hierher
web-link = keine Seite öffnen; einen Link zu der ausgeben, die schon offen ist

## Was sich nicht lesen lässt

not-turns = { $typed } ist keine Anzahl von Turns; gib eine von 1 bis 2000 an
not-dollars = { $typed } ist kein Betrag in US-Dollar; gib zum Beispiel 0.50 an
not-a-port = { $typed } ist kein Port; gib eine Zahl von 1 bis 65535 an
not-a-span = { $typed } ist keine Zeitspanne; gib zum Beispiel 30m, 2h oder 1d an

## Um alle herum, und was an einer Befehlszeile nicht stimmt

usage = Aufruf:
arguments = Angaben
options = Optionen
help = diese Hilfe zeigen und enden
refused = { $program }: Fehler: { $why }
of-argument = { $name }: { $why }
required = es fehlt: { $names }
one-required = eins davon muss dabei sein: { $names }
unrecognised = damit kann ich nichts anfangen: { $words }
not-together = geht nicht zusammen mit { $name }
takes-none = nimmt keinen Wert, also auch nicht { $value }
wants-one = dahinter fehlt ein Wert
wants-some = dahinter fehlt mindestens ein Wert
ambiguous = { $option } ist nicht eindeutig; möglich sind { $names }
bad-value = { $value } ist kein gültiger Wert ({ $kind })
bad-choice = { $value } gibt es hier nicht; möglich sind { $names }
