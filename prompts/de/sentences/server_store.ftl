### Was die Datenbank auf einem PostgreSQL-Server sagt: warum sie sich nicht benutzen lässt, und was `doctor` dort sieht.

## Hineinkommen

url-unreadable = store.url lässt sich nicht lesen. Schreib sie als postgresql://user@host:5432/database; in einem Passwort werden die Zeichen @ : / ? # prozentkodiert.
this-machine = diesem Rechner
address = { $database } auf { $place }
wrong-password = Falsches Passwort oder falscher Benutzer für die Datenbank { $place }. Berichtige store.url oder die Datei, die dort als passfile steht.
not-let-in = Der Server lässt diesen Benutzer oder diesen Rechner nicht in die Datenbank { $place } (pg_hba.conf): { $why }
no-such-database = Eine Datenbank dieses Namens gibt es nicht: { $place }. Leg sie an (createdb) oder berichtige store.url.
no-such-user = Diesen Benutzer gibt es auf dem Server der Datenbank { $place } nicht. Leg ihn an (createuser) oder berichtige store.url.
no-connection-left = Der Server hat für die Datenbank { $place } keine Verbindung mehr frei. Der Bot braucht 5: Erhöhe max_connections auf dem Server oder die Grenze dieses Benutzers, oder schließ etwas anderes.
no-tls = Der Server der Datenbank { $place } bietet kein TLS an. Schalte es dort ein, oder schreib sslmode=disable in store.url.
starting = Der Server der Datenbank { $place } startet oder endet gerade. Versuch es gleich noch einmal.
no-answer = Der Server der Datenbank { $place } antwortet nicht: { $why }
no-answer-in-time = { $seconds } Sekunden lang kam keine Antwort
answer-cut = die Antwort des Servers brach ab
not-postgres = Das ist keine PostgreSQL-Datenbank.

## Bei der Arbeit

disk-full = Der Server der Datenbank { $place } hat keinen Platz mehr auf der Platte. Nichts wurde gespeichert. Schaff Platz.
no-memory = Der Server der Datenbank { $place } hat keinen Arbeitsspeicher mehr. Nichts wurde gespeichert. Schaff Platz.
is-replica = Die Datenbank { $place } ist eine Replik, die man nur lesen kann. Nenne in store.url den Primärserver.
not-allowed = Die Rolle in store.url darf das in der Datenbank { $place } nicht: { $why }. Gib ihr das Recht, oder nenne den Besitzer.
altered = Ein anderes Programm hat die Datenbank { $place } verändert: { $why }. Stell eine Sicherung des Servers wieder her.
gone = Die Verbindung zur Datenbank { $place } ist weg: { $why }. Der Bot verbindet sich von selbst neu.
connection-gone = Die Verbindung zur Datenbank ist weg. Der Bot verbindet sich von selbst neu.
refused = Die Datenbank { $place } hat abgelehnt: { $why }
overtaken = Ein anderer Prozess hat übernommen und macht hier weiter. Dieser hat seither nichts gespeichert.
not-committed = Die Datenbank ({ $place }) hat die Transaktion nicht abgeschlossen. Nichts wurde gespeichert.
not-reached = Die Datenbank kam nicht bis zu dieser Anweisung, weil eine davor scheiterte.
restore-fix = Halte den Bot an und stell eine Sicherung des Servers wieder her.
in-use = Die Datenbank { $place } benutzt schon ein anderer Prozess (Schema { $schema }). Beende ihn zuerst.
answer-lost = Die Antwort auf einen Commit ging verloren, und niemand kann sagen, ob er gespeichert ist. { $why }
unknown-before = Was in { $place } davor gespeichert wurde, ist nicht bekannt.
went-back = Die Datenbank { $place } ist auf einem älteren Stand: Jemand hat eine Sicherung zurückgeholt, oder eine Replik übernahm, die nicht alles hatte ({ $lost }). Geändert wurde nichts. Wenn das so sein soll, halte alle Bots darauf an und starte einen mit: glassmind run --restored.
number-went-back = { $table } { $before } war gespeichert, die letzte ist jetzt { $now }
no-key = In { $folder } fehlt { $file }, und die Datenbank { $place } ist mit einem solchen Schlüssel signiert. Kopiere ihn von dem Rechner, der sie angelegt hat.
other-key = { $file } ist nicht der Schlüssel der Datenbank { $place }. Kopiere den von dem Rechner, der sie angelegt hat, oder nenne das richtige Datenverzeichnis.
other-tables = Das Schema { $schema } in { $place } enthält Tabellen eines anderen Programms. Nenne ein anderes: store.schema_name.
newer = Die Datenbank { $place } hat Schema { $version }, dieses Programm kennt { $newest }. Installiere wieder das neuere Glassmind, oder stell eine Sicherung des Servers von vor dem Umstieg wieder her.
older-at-work = Auf { $place } arbeiten ältere Prozesse. Dieses Programm bringt das Schema von { $version } auf { $newest }, und damit könnten sie nicht weiterarbeiten. Beende sie zuerst alle.

## Von einer Datenbank in die andere kopieren

nothing-copied = Nichts wurde kopiert: { $why }
not-newest = Die Datenbank in { $place } hat Schema { $version }, dieses Programm liest { $newest }. Starte den Bot einmal.
database-there = In { $folder } ist schon eine Datenbank. Nenne ein anderes Verzeichnis, oder schaff sie weg.
not-taken-up = Nichts wurde kopiert: { $count ->
    [one] { $count } eingegangene Nachricht hat
   *[other] { $count } eingegangene Nachrichten hat
} noch kein Prozess aufgenommen. Starte den Bot einmal und halte ihn wieder an.
damaged-there = Nichts wurde kopiert, weil dort nicht mehr alles ist, wie es geschrieben wurde: { $damage }.
schema-holds-one = Das Schema { $schema } in { $place } enthält schon eine Datenbank des Bots. Nenne ein anderes.
differs = Nichts wurde kopiert: { $table } { $row } kam nicht so an, wie es war.

## Die Verbindung, für `doctor`

away = der Server ist seit { $age } weg: { $why }
away-fix = Starte den Server; der Bot macht von selbst weiter.
never-lost = seit dem Start nie verloren
lost = seit dem Start { $count ->
    [one] einmal
   *[other] { $count }-mal
} verloren, zuletzt vor { $age }; gespeichert ist trotzdem alles

## Der Server, für `doctor`

schema = PostgreSQL: { $place }, Schema { $schema }, Version { $version }
schema-newer = PostgreSQL: { $place }, Schema { $schema }, Version { $version }: von einem neueren Programm, aber dieses (Version { $newest }) kommt damit zurecht
server = PostgreSQL { $version }{ $replica ->
    [yes] , eine Replik
   *[no] {""}
}, { $size }, { $tls ->
    [yes] mit TLS
   *[no] ohne TLS
}{ $pooler ->
    [yes] , über einen Pooler
   *[no] {""}
}
not-durable = { $server }; was gespeichert wird, übersteht keinen Stromausfall
not-durable-fix = Schalte fsync und synchronous_commit ein: Sonst kann bei einem Stromausfall eine schon bestätigte Nachricht verloren gehen.
sessions = { $used } von { $most } Verbindungen belegt
sessions-fix = Erhöhe max_connections auf dem Server, oder schließ etwas anderes: Nach einer Unterbrechung braucht der Bot 4 neue.
processes = bei der Arbeit: { $working ->
    [none] keiner
   *[other] { $working }
}; in Bereitschaft: { $waiting ->
    [none] keiner
   *[other] { $waiting }
}
sharing = { $count } Prozesse teilen sich die Kanäle: { $processes }
looking-on = { $processes }; nur zum Ansehen: { $looking }
process = { $name }{ $silent ->
    [no] {""}
   *[other] {" "}(seit { $silent } s nichts gehört)
} { $does }
listens = hört auf { $platforms } zu
has-channels = hat { $count ->
    [one] { $count } Kanal
   *[other] { $count } Kanäle
}
keeps-house = räumt auf
and = { $one } und { $other }
silent-fix = Sieh nach diesem Rechner, oder warte: Die anderen übernehmen, was er hat.
nobody-listens-fix = Niemand hört zu. Starte einen, der es tut: glassmind run --role gateway.
nobody-answers-fix = Niemand antwortet. Starte einen, der es tut: glassmind run --role worker.
replica = das ist eine Replik, höchstens { $seconds } s im Rückstand
no-replica = keine Replik ist verbunden
replicas = { $count } verbunden, die letzte { $size } und { $seconds } s im Rückstand
replica-fix = Sieh nach, warum die Replik nicht mitkommt: Was dort noch fehlt, wäre ohne den Primärserver verloren.
archives-nothing = der Server archiviert nichts
archives-nothing-fix = Mach Sicherungen auf dem Server (pg_basebackup, pg_dump oder ein Dienst): Dieses Programm macht dort keine.
archive-failed = der Server archiviert, und { $count ->
    [one] { $count } Versuch ist
   *[other] { $count } Versuche sind
} gescheitert
no-copies = Kopien einer PostgreSQL-Datenbank macht man auf ihrem Server: mit pg_basebackup oder einem Dienst dafür.
archived-nothing = noch wurde nichts archiviert
archive-fix = Sieh ins Log des Servers.
archived = vor { $age } wurde { $what ->
    [backup] eine Basissicherung
   *[log] sein Log
} archiviert ({ $file })
cleaning = autovacuum ist { $state ->
    [on] an
   *[off] aus
}, { $age ->
    [never] lief noch nicht
   *[other] lief zuletzt vor { $age }
}; { $dead } tote Zeilen neben { $living }
cleaning-off-fix = Schalte autovacuum ein: Ohne das wachsen die Tabellen immer weiter.
cleaning-fix = Lass autovacuum mehr arbeiten (autovacuum_vacuum_cost_limit), oder sieh nach, was es davon abhält.
