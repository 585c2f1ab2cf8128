### Was an einer Konfiguration nicht stimmt: zuerst der Schlüssel, dann was zu tun ist.

## Die Dateien

not-found = { $file }: nicht gefunden. Starte `glassmind init`, oder kopiere config.example.toml nach { $file } und fülle sie aus.
cannot-read = { $file }: nicht lesbar ({ $why }). Mach eine UTF-8-Textdatei daraus, die du lesen darfst.
not-toml = { $file }: kein gültiges TOML: { $why }. Setze Texte in Anführungszeichen und schreib jeden Tabellennamen nur einmal.
too-deep = Tabellen oder Listen sind mehr als { $most }-fach verschachtelt
far-too-deep = Tabellen oder Listen sind zu tief verschachtelt
more-problems = und { $count } weitere Probleme. Korrigiere erst diese; `glassmind config check` sagt dann, was übrig ist.
file-exposed = { $file }: { $problem }.
secret-exposed = { $file }: Darin steht ein Geheimnis ({ $keys }), und { $problem }, oder schreib stattdessen env:NAME.
not-a-variable-line = { $file }, Zeile { $line }: nicht NAME=WERT. Setze Werte in Anführungszeichen, wenn sie # enthalten oder mit Leerzeichen anfangen oder aufhören.
more-lines = { $file }: und { $count } weitere Zeilen, die nicht NAME=WERT sind.
dotenv-exposed = { $file }: Darin stehen Geheimnisse, und { $problem }

## Ein Schlüssel

unknown-key = { $key }: unbekannter Schlüssel. Meinst du `{ $near }`?
unknown-key-far = { $key }: unbekannter Schlüssel. Nimm ihn heraus; alle Schlüssel stehen in config.example.toml.
missing = { $key }: fehlt. Setze ihn; config.example.toml zeigt, wie.
wrong-value = { $key }: { $why }. Gefunden: { $found }. Siehe config.example.toml.
number-too-long = { $key }: Diese Zahl hat zu viele Stellen. Schreib eine kleinere.
not-used = { $key }: { $reference } wird nicht verwendet: { $why }.
cannot-resolve = { $key }: { $reference } führt ins Leere ({ $why }). Setze es oder korrigiere den Namen.
variable-not-set = die Variable ist nicht gesetzt
characters = { $beginning }… ({ $count } Zeichen)

## Arten von Werten

must-be-whole = muss eine ganze Zahl sein
must-be-number = muss eine Zahl sein
must-be-true-or-false = muss true oder false sein
must-be-text = muss ein Text in Anführungszeichen sein
must-be-list = muss eine Liste sein, etwa [1, 2]
must-be-table = muss eine Tabelle sein
kind-text = ein Text
kind-truth = true oder false
kind-whole = eine ganze Zahl
kind-number = eine Zahl
kind-list = eine Liste
kind-table = eine Tabelle
kind-date = ein Datum oder eine Uhrzeit
kind-nothing = nichts
must-be-numeric-id = muss eine numerische Id sein (Namen lassen sich fälschen; `whoami` zeigt die Ids zum Kopieren)
shared-id = ist eine Id, die sich bei Telegram viele Leute teilen, und kann darum keine Rechte bekommen
must-be-id = muss eine Id sein: eine ganze Zahl oder ein Text in Anführungszeichen (`whoami` zeigt die Ids zum Kopieren)
must-be-address = muss eine Adresse sein wie https://example.org/hook; env:NAME hält sie aus dieser Datei heraus
must-be-server = muss eine Adresse sein wie postgresql://user@host/database; env:NAME hält sie aus dieser Datei heraus
no-such-language = { $code } spreche ich nicht; ich spreche { $languages }
must-be-host-port = muss `host:port` sein, etwa wiki.example:8080; nur dieser Port wird geöffnet
must-be-path = muss ein ganzer Pfad sein wie /opt/tools, und nicht der ganze Rechner
search-url-form = braucht eine `search_url` wie https://search.example
needs-search-url = braucht `search_url`, die Adresse deines SearXNG, etwa http://127.0.0.1:8888
needs-search-key = braucht `search_key`; env:NAME hält ihn aus dieser Datei heraus
command-or-url = braucht `command` (ein Programm zum Starten) oder `url` (eine Adresse), und nicht beides
page-for-others = web_page.host ist von anderen Rechnern erreichbar, und was dort gelesen wird, geht unverschlüsselt durchs Netz. Lass es auf 127.0.0.1 und stell einen Server mit https davor, oder setze dazu beyond_this_machine = true
no-such-port = listen: { $port } ist kein Port
metrics-for-others = listen: Andere können { $host } erreichen und mitlesen; wenn sie das dürfen, setze beyond_loopback = true

## Ids

not-a-person = { $typed } ist nicht die numerische Id einer Person; Namen lassen sich fälschen. `whoami` zeigt die Ids zum Kopieren.
not-a-channel = { $typed } ist nicht die Id eines Kanals, { $form }. `whoami` zeigt die Ids zum Kopieren.
not-a-server = { $typed } ist nicht die Id eines Servers, { $form }. `whoami` zeigt die Ids zum Kopieren.
form-number = eine Zahl
form-telegram-channel = eine Zahl wie -1001234567890, mit :7 dahinter für Thema 7
form-telegram-group = die Nummer einer Gruppe, etwa -1001234567890
form-other = eine Id ohne Leerzeichen
at-place = { $key }: { $problem }
not-a-channel-key = { $key }: keine Kanal-Id. Schreib `plattform:pfad`; `whoami` zeigt sie.
not-another-channel = { $key }: "{ $id }" ist nicht die Id eines anderen Kanals. `whoami` zeigt sie dort.

## Schlüssel, die nicht zueinander passen

debounce-shorter = conversation.debounce_longest: kürzer als debounce. Mach es mindestens so lang.
level-lower = compaction.{ $higher }: niedriger als { $lower }. Setze es mindestens so hoch.
copies-too-long = retention.backups_hours: { $hours } ist länger als { $name } ({ $most } h); eine Kopie würde also behalten, was dort gelöscht wird. Schreib { $most } oder weniger, oder 0 für keine täglichen Kopien.
not-a-model = { $key }: { $name } ist nicht `provider/model`. Schreib zum Beispiel `openai/gpt-5-mini`.
no-such-provider = { $key }: Einen Anbieter { $provider } gibt es nicht. Bekannt: { $known }. Füge eine Tabelle [providers.{ $table }] hinzu.
other-half-missing = { $missing }: fehlt. Das Portal zeigt es neben dem anderen, unter OAuth2; oder nimm { $given } heraus.
needs-https = web_page.address: { $key } braucht eine, die mit https:// beginnt. Gib die Adresse an, unter der man die Seite erreicht.
needs-platform = web_page.{ $key }: braucht die Plattform. Füge eine eingeschaltete Tabelle [platforms.{ $kind }] hinzu oder nimm es heraus.
bad-platform-name = kann kein Name einer Plattform sein: Nimm bis zu 32 Kleinbuchstaben, Ziffern, - und _, mit einem Buchstaben am Anfang
platform-reserved = platforms.{ $name }: "{ $name }" heißt in Berichten etwas anderes. Gib der Tabelle einen anderen Namen.
platform-is-kind = platforms.{ $name }: "{ $name }" ist eine Art von Plattform, und diese ist "{ $kind }". Gib ihr einen anderen Namen.
platform-same-token = platforms.{ $name }.token: dasselbe wie platforms.{ $first }.token, und ein Konto ist ein Bot. Gib jedem sein eigenes Token oder setze bei einem enabled = false.
platform-two-keyboards = platforms.{ $name }: Was an diesem Terminal getippt wird, liest schon platforms.{ $first }. Setze bei einem der beiden enabled = false.
whose-application = web_page.discord_platform: Nenne den Bot, zu dem die Anwendung gehört. Eingeschaltet auf Discord: { $listed }.

## Agenten

one-channel = agents.{ $agent }.channels: { $entries ->
    [one] "{ $channel }" ist
   *[two] "{ $channel }" und "{ $rival }" sind
} derselbe Kanal, und agents.{ $other }.channels hat ihn auch. Ein Kanal hat einen Agenten: Nimm ihn bei einem der beiden heraus.
one-platform = agents.{ $agent }.platforms: "{ $platform }" steht auch in agents.{ $other }.platforms. Gib die Plattform dem einen und dem anderen seine Kanäle.
main-agent = agents.{ $agent }: { $agent } ist der Agent für alle übrigen Kanäle; beschreib ihn in [bot] und [model].
no-such-platform = agents.{ $agent }.platforms: Ein [platforms.{ $platform }] gibt es nicht. Eingerichtet: { $known }.
no-platforms = keine
no-such-group = agents.{ $agent }.tools: Eine Werkzeuggruppe "{ $group }" gibt es nicht. Gruppen: { $known }.
talks-to-nobody = agents.{ $agent }: Er hat weder `channels` noch `platforms`, also könnte niemand mit ihm reden. Gib ihm welche.

## Woher ein Wert kommt

not-set = (nicht gesetzt)
learnt = gelernt { $time } UTC aus { $words }
from-dotenv = { $place } → { $origin }, aus .env
from-environment = { $place } → { $origin }, aus der Umgebung

## Der erste Besitzer

more-would-change = es würde sich mehr ändern als diese Zeile
not-its-own-table = [platforms.{ $platform }] steht nicht als eigene Tabelle da

## Werte von Plattformen und Diensten

must-be-address-like = muss eine Adresse sein wie { $example }
must-be-telegram-address = muss eine Adresse sein wie { $example }; das Token kommt dahinter
no-password-in-it = darf kein Passwort enthalten
no-password-but-key = darf kein Passwort enthalten; nimm api_key
must-be-telegram-token = muss das Token eines Bots sein, wie BotFather es zeigt: Ziffern, Doppelpunkt, Buchstaben; am besten env:NAME
must-be-discord-token = muss das Token eines Bots sein, wie das Entwicklerportal es zeigt (ein Wort, ohne `Bot`); am besten env:NAME
shards-need-count = shard_ids brauchen shard_count: Sag, wie viele Shards alle Prozesse zusammen haben
shards-below-count = shard_ids müssen kleiner sein als shard_count ({ $count }): Shards werden ab 0 gezählt
shard-twice = shard_ids nennen einen Shard zweimal
shard-ranges-without-ids = shard_ranges und shard_ids gehen nicht zusammen: Jeder Prozess, der zuhört, nimmt einen freien Bereich
too-many-shard-ranges = es gibt mehr shard_ranges als Shards: setze shard_count auf die Zahl der Shards
must-be-one-word = muss eine Zeile aus reinem ASCII ohne Leerzeichen sein
must-be-ascii = muss reines ASCII sein
must-be-names = muss ein Name sein oder eine Liste von Namen
no-such-dialect = kennt { $name } nicht. Bekannt: { $known }
text-calls-needed = beim Dialekt "text_tools" stehen Aufrufe als Text da: text_calls darf nicht false sein
files-missing = embeddings.folder ({ $folder }): Dort fehlt { $files }.
model-unusable = das Modell in { $folder } lässt sich nicht benutzen: { $why }
library-missing = embeddings.folder: { $name } fehlt: pip install 'glassmind[embeddings]'.
metrics-missing = metrics.listen: Das Extra für Metriken ist nicht installiert; starte: pip install 'glassmind[metrics]'
traces-missing = traces.endpoint: Das Extra für Traces ist nicht installiert; starte: pip install 'glassmind[otel]'

## Was die prüfende Bibliothek findet, nach ihren Namen

must-be-at-least = muss mindestens { $least } sein
must-be-more-than = muss mehr als { $than } sein
must-be-at-most = darf höchstens { $most } sein
must-be-less-than = muss weniger als { $than } sein
must-be-finite = muss eine endliche Zahl sein
must-be-one-of = muss eines davon sein: { $known }
must-fit-pattern = muss zum Muster { $pattern } passen
must-have-characters = muss mindestens { $count } Zeichen haben
may-have-characters = darf höchstens { $count } Zeichen haben
must-have-entries = muss mindestens { $count ->
    [one] { $count } Eintrag
   *[other] { $count } Einträge
} haben
may-have-entries = darf höchstens { $count ->
    [one] { $count } Eintrag
   *[other] { $count } Einträge
} haben
