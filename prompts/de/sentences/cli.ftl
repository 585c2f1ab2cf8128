### Was Befehle auf dem Rechner sagen, vor ihren Antworten und um sie herum.

config-unusable = Die Konfiguration lässt sich nicht verwenden:
cannot-load = Dieser Befehl lässt sich nicht laden: { $why }.
install-again = Installiere den Bot mit seinen Abhängigkeiten neu; andere Befehle gehen vielleicht.
role-needs-server = --role { $role }: Mehrere Prozesse können sich einen Bot nur über einen Server teilen. Setze [store] url oder nimm --role all.
no-webhooks = --take-over: Keine Plattform hier nutzt Webhooks. Lass es weg oder richte [platforms.telegram] ein.
from-environment = die Umgebung ({ $variable })
cannot-write = Ich kann { $file } nicht schreiben: { $why }.
cannot-read = Ich kann { $file } nicht lesen: { $why }.
name-other-folder = Ich kann { $file } nicht schreiben: { $why }. Nenne eine Datei in einem Ordner, in den du schreiben darfst.
nothing-asked = Ich habe nichts gefragt. Nimm --yes dazu, wenn niemand antworten kann.
no-picture = Ich kann hier kein Bild zeichnen: { $why }
no-table = Ich kann keine Tabelle zeichnen ({ $why }); installiere den Bot neu.

## Die Konfiguration

config-good = ✓ { $file } lässt sich verwenden: { $keys } Schlüssel, { $set } davon gesetzt.
column-key = Schlüssel
column-value = Wert
column-from = woher
column-takes = eine Änderung braucht

## Aufzeichnungen

no-model-asked = kein Modell gefragt
never-a-message = Hier ist noch nie eine Nachricht angekommen.
no-request = Eine Anfrage { $name } gibt es nicht. `glassmind ledger` listet Nachrichten mit ihren Anfragen auf.
not-a-handle = { $typed } ist kein Kürzel. Das Kürzel einer Anfrage sieht aus wie r3x7b.
names-no-request = { $typed } ist keine Anfrage. Gib { $names }, ein Kürzel wie r3x7b oder eine Datei an.
cache-takes-one = --cache nimmt eine Anfrage: Sie wird mit der davor verglichen.
not-in-ledger = { $name } steht nicht mehr im Ledger.
agent-has-no-channel = Der Agent { $agent } hat hier keinen Kanal. Diese haben welche: { $names }.
newest-messages = { $name } ({ $id }): { $count ->
    [one] die neueste Nachricht
   *[other] die neuesten { $count } Nachrichten
} (UTC)
no-memory = { $typed } ist hier keine Erinnerung. `glassmind memory list` zeigt sie.
server-of = der Server von { $name }
cannot-read-chart = Ich verstehe { $typed } nicht. Schreib zum Beispiel `memory chart #name 30d`.
cannot-read-list = Ich verstehe { $typed } nicht. Schreib zum Beispiel `memory list #name type decision by james older 30d forgotten page 2`.

## Wie es dem Bot geht

running = ✓ läuft
not-running = ✗ läuft nicht
unknown-running = ? ich konnte nicht feststellen, ob er läuft
sign-of-life = { $running } · pid { $pid } · Version { $version } · letztes Lebenszeichen vor { $age }
ended = beendet: { $why }
last-day = letzte 24 h: { $counts }
no-messages = keine Nachrichten
alerts = Alarme: { $how }
could-not-read = ○ Ich konnte nicht lesen: { $what }

## Stille Kanäle

nobody-answers = ✗ der Bot läuft nicht · kein Kanal bekommt Antwort
none-silent = Kein Kanal ist still.
silent-by-cause = ✗ { $cause } · { $channels ->
    [one] { $channels } Kanal
   *[other] { $channels } Kanäle
}
silent-channel = { $name } ({ $id }) · { $messages ->
    [one] { $messages } Nachricht
   *[other] { $messages } Nachrichten
}

## Die Seite im Browser

open-page = Öffne { $link }
page-open = Der Link gilt einmal, zwei Minuten lang. Einen neuen gibt: glassmind web --link. Strg-C schließt die Seite.
looker-shows-nothing = --role looker: Es gibt nichts zu zeigen. Setze für diesen Prozess web_page.enabled, metrics.listen oder beides.
