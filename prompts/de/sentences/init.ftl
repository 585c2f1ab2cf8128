### Was `glassmind init` fragt, prüft und sagt.

exists = { $file } gibt es schon. Nenne mit --config eine andere Datei oder ersetze sie mit --force.
stopped = Abgebrochen; nichts wurde geschrieben.
moved-aside = Die bisherige Konfiguration heißt jetzt { $file }.
nothing-written = Nichts wurde geschrieben.
no-input = --{ $option }-stdin: Es kam nichts. Leite das Geheimnis hinein, das Token vor dem Schlüssel.
environment-differs = Die Umgebung hat einen anderen Wert für { $variable }, und der geht vor .env. Nimm ihn heraus.
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
