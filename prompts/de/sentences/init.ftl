### Was `glassmind init` fragt, prüft und sagt.

exists = { $file } gibt es schon. Füge ihr mit --add einen Bot hinzu, nenne mit --config eine andere Datei oder ersetze sie mit --force.
nothing-to-add-to = { $file } gibt es noch nicht, also lässt sich ihr kein Bot hinzufügen. Mach sie erst, ohne --add.
adds-no-model = Mit --add bleibt das Modell, wie es eingestellt ist. Lass --provider, --base-url, --model und --key-... weg.
name-taken = [platforms.{ $name }] gibt es schon. Gib dem neuen Bot mit --name einen anderen Namen.
no-room-for-table = { $file }: Am Ende lässt sich keine Tabelle anfügen, weil die Plattformen darin nicht als eigene Tabellen dastehen ([platforms.telegram]). Schreib sie erst so.
stopped = Abgebrochen; nichts wurde geschrieben.
moved-aside = Die bisherige Konfiguration heißt jetzt { $file }.
nothing-written = Nichts wurde geschrieben.
no-input = --{ $option }-stdin: Es kam nichts. Leite das Geheimnis hinein, das Token vor dem Schlüssel.
environment-differs = Die Umgebung hat einen anderen Wert für { $variable }, und der geht vor .env. Nimm ihn heraus.
variable-taken = Die .env hat einen anderen Wert für { $variable }. Gib dem neuen Bot mit --name einen anderen Namen.
dotenv-differs = Die .env hat einen anderen Wert für { $variable }. Ersetze ihn mit --force.
platform-missing = --platform fehlt: { $choices }.
token-missing = Das Token fehlt: Setze { $variable }, oder nimm --token-env, --token-file oder --token-stdin.
model-missing = --model fehlt: der Name eines Modells von { $provider }.
not-a-variable = Das ist kein Name einer Variable (A-Z, 0-9, _). Gib ihren Namen an, nie das Geheimnis selbst.
variable-not-set = Die Variable { $variable } ist nicht gesetzt. Setze sie oder schreib sie in die .env neben der Konfiguration.
file-empty = { $file } ist leer.
one-of = Tippe eines davon: { $choices }.
must-answer = Hier muss etwas stehen.
waiting = Ich warte auf ein Token von { $model }. Ein lokaler Server lädt vielleicht gerade das Modell, das dauert Minuten.
