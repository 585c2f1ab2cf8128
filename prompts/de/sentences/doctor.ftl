### Was der Doktor angesehen hat, was er sah und was zu tun ist.

## Die Seite als Ganzes

row = { $row ->
    [store-schema] Datenbank: Schema
    [store-integrity] Datenbank: Inhalt
    [signed-record] signierte Aufzeichnung
    [store-room] Datenbank: Platz
    [store-backup] Datenbank: Sicherung
    [store-connection] Datenbank: Verbindung
    [store-server] Datenbank: Server
    [store-sessions] Datenbank: Verbindungen
    [store-processes] Datenbank: Prozesse
    [store-replicas] Datenbank: Repliken
    [store-cleaning] Datenbank: Aufräumen
    [store] Datenbank
    [process] Prozess
    [configuration] Konfiguration
    [organisation] Organisation
    [alerts-webhook] Alarme: Webhook
    [clock] Uhr
    [files] Dateien
    [compaction] Kürzen
    [tools] Werkzeuge
    [worker-tools] Werkzeuge der Worker
    [web-tools] Web-Werkzeuge
    [memory-search] Suche in Erinnerungen
    [alerts] Alarme
    [traces] Traces
   *[other] { $name }
}
platform-row = { $platform ->
    [telegram] Telegram
    [discord] Discord
    [console] Konsole
   *[other] { $platform }
}: { $row ->
    [account] Konto
    [admins] Admins
    [webhook] Webhook
    [polling] Abruf
    [business] Geschäftskonten
    [gateway] Verbindung
    [sessions] Sitzungen
    [message-content] Nachrichtentext
    [slash-commands] Slash-Befehle
    [requests] Anfragen
    [second-program] zweites Programm
    [install] Installation
    [installs] Installationen
    [webhook-events] Webhook-Ereignisse
    [sign-in] Anmeldung
   *[other] { $name }
}{ $kind ->
    [same] {""}
   *[other] {" "}({ $kind })
}
service-row = Anbieter { $name }
could-not-look = ließ sich nicht ansehen: { $why }
no-answer-within = keine Antwort innerhalb von { $seconds } s
no-answer-fix = Prüfe, ob es läuft, und das Netz und den Proxy dazwischen; frag dann noch einmal.
all-is-well = Alles in Ordnung.
checked = { $checks ->
    [one] { $checks } Prüfung
   *[other] { $checks } Prüfungen
}: { $failed } fehlgeschlagen, { $warned } anzusehen.
checked-silent = { $checks ->
    [one] { $checks } Prüfung
   *[other] { $checks } Prüfungen
}: { $failed } fehlgeschlagen, { $warned } anzusehen, { $silent } ohne Antwort.

## Der Prozess

start-fix = Starte ihn: glassmind run.
start-fix-log = Starte ihn: glassmind run. Das Log und der Dienstverwalter sagen, warum er endete.
never-ran = auf diesem Verzeichnis lief noch kein Bot
running = läuft: PID { $pid }, letztes Lebenszeichen vor { $age }
not-running = läuft nicht: { $why }; PID { $pid }, letztes Lebenszeichen vor { $age }
platform = Plattform { $name }

## Die Uhr

clock-fix = Stell die Uhr, zum Beispiel mit `timedatectl set-ntp true`.
clock-doubt-fix = Stell die Uhr, zum Beispiel mit `timedatectl set-ntp true`. Wenn sie stimmt, starte einmal mit `glassmind run --clock-is-right`.
clock-doubt = { $why }; bis das geklärt ist, wird nichts gelöscht
clock-too-early = { $time } liegt vor der Entstehung dieses Programms
clock-behind = { $time }, aber der Bot gab { $age } später ein Lebenszeichen
clock-ok = { $time }; nichts Gespeichertes liegt später

## Traces und die Webseite

traces-ok = { $host } nimmt sie an
traces-ok-lost = { $host } nimmt sie an; { $lost ->
    [one] { $lost } Span fiel weg
   *[other] { $lost } Spans fielen weg
}
traces-fail = { $host } nimmt seit { $age } keine an ({ $why })
traces-fail-lost = { $host } nimmt seit { $age } keine an ({ $why }); { $lost ->
    [one] { $lost } Span fiel weg
   *[other] { $lost } Spans fielen weg
}
traces-fix = Starte den Collector oder korrigiere `endpoint` und `headers` in [traces]. Leuten antwortet der Bot trotzdem.
web-page = Webseite
web-page-not-open = nicht offen: { $why }
web-page-fix = Starte danach den Bot neu.
web-page-ways = hinein kommt man über { $ways }
by-link = einen Link
by-telegram = die App von Telegram
by-discord = Discord

## Werkzeuge und Dateien

tools-in-requests = { $always } stehen in jeder Anfrage, { $on_demand } nur bei Bedarf: { $names }
tools-all-in-requests = { $always } stehen in jeder Anfrage, keines nur bei Bedarf
files-ok = nur ihr Besitzer kommt an { $folder } und die Dateien mit Geheimnissen
files-open = andere kommen an { $files }
files-open-more = andere kommen an { $files } und { $more } weitere
files-fix = Führe aus: chmod -R go= { $folders }
files-of = Dateien von { $key }

## Modelle

model = Modell { $name }
model-background = Modell { $name }, Hintergrundarbeit
model-rests = hat noch { $age } Pause nach: { $why }
model-rests-met = hat noch { $age } Pause nach: { $why } (vor { $ago } getroffen: { $requester ->
    [channel] eine Antwort an Leute
    [branch] ein Branch
    [worker] ein Worker
    [compactor] eine Zusammenfassung
    [cortex] ein Gespräch mit einem Admin
    [inspection] eine Untersuchung
    [replay] ein Beweis
    [embedding] eine Suche in Erinnerungen
   *[other] etwas
})
model-rests-fix = Der Bot versucht es von selbst wieder; `why` sagt, was das mit Antworten machte, `model` wählt ein anderes.
background-rests-fix = Der Bot versucht es von selbst wieder. Antworten an Leute gehen weiter; `tasks` zeigt, was im Hintergrund läuft.
token-counts = Tokenzahlen
token-counts-estimated = aus Bytes geschätzt, weil sich die Tokentabelle nicht laden lässt: { $why }
window-of = Fenster von { $model }
window-unknown = ich weiß nicht, wie viel es fasst; ich nehme { $tokens } Token an und kürze den Verlauf darauf
window-fix = Setze model.context_window oder nimm ein Modell, das die eingebaute Tabelle kennt.
reading-of = was { $model } liest
reads-partly = der Server liest nur { $read } von etwa { $sent } Token, die er bekommt
sentences = Sätze
sentences-plain = Die Bibliothek, die Zahlen wie in jeder Sprache schreibt, lässt sich nicht laden ({ $why }): Ich schreibe sie schlicht.
sentences-fix = Installiere die Pakete von Glassmind neu: pip install --force-reinstall glassmind
sentences-missing = { $count ->
    [one] { $count } Satz lässt sich in der Sprache { $language } nicht sagen: { $names }
   *[other] { $count } Sätze lassen sich in der Sprache { $language } nicht sagen: { $names }
}
sentences-missing-fix = Sag es denen, die diese Sprache geschrieben haben. Bis dahin stehen diese Sätze auf Englisch da.
time-zones = Zeitzonen
time-zones-named = { $why }; die Konfiguration nennt { $zones }
organisation-fix = Korrigiere die Datei oder ihren Namen und starte dann den Bot neu.

## Wer erreichbar ist

foreign-account = das Datenverzeichnis gehört dem Bot { $theirs }, das Token ist aber von { $ours }
foreign-account-fix = Trag das Token von { $theirs } als platforms.{ $platform }.token ein, oder nimm ein anderes Datenverzeichnis.
data-of = Daten von { $platform }
admins-of = Admins von { $platform }
no-admins = es gibt keine: Niemand darf nach dem Warum fragen
no-admins-fix = Trag deine ID-Nummer in owner_ids ein; `whoami` zeigt sie.
all-reachable = ich kann allen { $count } privat schreiben
all-reachable-more = ich kann allen { $count } privat schreiben; { $more } weitere wurden nicht geprüft
not-reachable = { $closed } von { $count } kann ich nicht privat schreiben ({ $who })
not-reachable-fix = Bitte sie, den Privatchat mit dem Bot zu öffnen und dort etwas zu sagen (Telegram: auf Start drücken); `whoami` zeigt eine ID.

## MCP-Server

mcp-server = MCP-Server { $name }
mcp-state = { $state } seit { $age }
mcp-state-detail = { $state } seit { $age }: { $detail }
mcp-degraded-fix = Sieh dir seine Werkzeuge an: glassmind mcp tools { $name }; dann lass sie zu oder lehne sie ab.
mcp-down-fix = Seine Werkzeuge sind bis dahin aus. Siehe [tools.mcp.{ $name }] und probiere sein Kommando von Hand.

## Wie Modelle ihre Anfragen wollen

requests-to = Anfragen an { $model }
trait-learnt = { $meaning } ({ $trait }, gelernt um { $time } UTC aus { $words })
traits-known = { $traits } (nach Schlüssel, Adresse oder Name)
no-tools-fix = Nimm ein Modell mit Werkzeugen oder lass es so. Wenn es inzwischen Werkzeuge hat: learn_dialect = false in [providers.{ $provider }], einmal starten, Zeile wieder entfernen.
asked-by-doctor = der Doktor fragte, ob das Modell antwortet

## Ein Token von jedem Modell

answer-of = Antwort von { $model }
no-answer-yet = noch keine Antwort auf eine Anfrage über ein Token, nach { $time }; ein lokaler Server lädt vielleicht das Modell
no-answer-yet-fix = Frag in einer Minute noch einmal: Die Anfrage läuft weiter.
answered = hat auf eine Anfrage über ein Token { $key ->
    [with] mit diesem Schlüssel in { $time }
   *[without] in { $time }
} geantwortet ({ $counted }, { $cost }){ $ago ->
    [now] {""}
   *[other] , vor { $ago }
}{ $listed ->
    [no] ; sein Name steht nicht in der Liste
   *[other] {""}
}
counted-tokens = { $tokens ->
    [one] { $tokens } Token hinein
   *[other] { $tokens } Token hinein
}
not-counted = seine Token nicht gezählt
no-price = kein Preis gesetzt
not-in-account = { $cost }, nicht in der eigenen Rechnung des Bots
failed-ago = { $why }, vor { $age }
slow-fix = Wenn es gerade lud, frag noch einmal. Sonst warten Leute so lange auf das erste Wort einer Antwort.
unlisted-unasked = nicht in der Liste des Dienstes; ich habe es nicht um eine Antwort gebeten (--free)
listed-unasked = in der Liste des Dienstes; ich habe es nicht um eine Antwort gebeten (--free)
listed-key-unasked = in der Liste des Dienstes, die der Schlüssel öffnet; ich habe es nicht um eine Antwort gebeten (--free)
unasked = ich habe es nicht um eine Antwort gebeten (--free), und sonst beweist nichts den Schlüssel
unasked-fix = Sieh ohne --free nach: Das bittet es um ein Token.
more-models = weitere Modelle von { $service }
more-unasked = { $count } weitere wurden nicht gefragt: Ich frage von einem Dienst { $most } auf einmal
list-missing = seine Modellliste ist nicht zu haben ({ $why }), aber seine Modelle antworten
set-name = Nimm als Modellnamen einen aus der Liste des Dienstes; sie hat { $count }.
set-name-near = Nimm als Modellnamen einen aus der Liste des Dienstes. Ähnlich: { $names }.

## Auf dem Rechner gefragt

start-bot-fix = Starte den Bot: glassmind run.
config-fix = Korrigiere das; `glassmind config check` nennt alle Probleme auf einmal.
no-config-fix = Starte `glassmind init` oder kopiere config.example.toml nach config.toml.
no-config = es gibt keine Datei: Jeder Schlüssel hat seinen Standardwert
config-good = { $file } lässt sich verwenden: { $keys } Schlüssel gesetzt{ $variables ->
    [0] {""}
    [one] , { $variables } Variable aus .env
   *[other] , { $variables } Variablen aus .env
}
cannot-ask-platform = Ich konnte die Plattform nicht nach { $target } fragen: { $why }
column-check = Prüfung
column-seen = Ergebnis
inspection-context = Kontext der Untersuchung
windows = Fenster der Modelle
readings = was die Modelle lesen
mcp-servers = MCP-Server
memory-search = Erinnerungssuche
other-process-listens = dieser Prozess sendet und fragt hier nur; ein anderer hört zu

## Wie Erinnerungen gesucht werden

by-words = nach Wörtern; nach Sinn erst mit einem Modell unter [embeddings]
by-words-alone = nur nach Wörtern: { $why }; { $vectors } von { $memories } haben einen Vektor von { $model }
by-words-alone-fix = Bis das behoben ist, finden sich Erinnerungen nur nach ihren Wörtern. Sieh dir den Dienst an, und [embeddings].
by-meaning = nach Wörtern und Sinn; { $vectors } von { $memories } haben einen Vektor von { $model }
