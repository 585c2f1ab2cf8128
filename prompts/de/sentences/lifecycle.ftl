### Wie ein Bot anfängt und aufhört und was ihn davon abhält.

nobody-may-ask = niemand darf nach dem Warum fragen: setze owner_ids, whoami zeigt deine
may-ask = { $count } dürfen fragen
stopped-by-store = Beendet, weil der Speicher versagt hat; nichts ist verloren, der nächste Start macht hier weiter. { $why }
stopped = Beendet. { $why }
by-signal = durch ein Signal beendet
platforms-ended = alle Plattformen haben aufgehört
store-failed = der Speicher hat versagt: { $why }
store-unreadable = er ist nicht lesbar
store-broken = er hat versagt
taken-over = Ein anderer Prozess hat übernommen und macht hier weiter.
database-silent = die Datenbank antwortet nicht

## Datenverzeichnis und Speicher

data-exposed = bot.data_dir ({ $folder }): { $problem }.
data-not-empty = bot.data_dir ({ $folder }): Darin liegt anderes ({ $names }), und niemand sonst könnte es noch benutzen. Nenne einen Ordner, der nur für den Bot ist.
data-closed = für alle außer dem Besitzer geschlossen
organisation-unreadable = bot.organisation_file ({ $file }) war nicht lesbar: { $why }
on-server-already = Der Speicher ist schon auf einem Server. Nenne einen Ordner, um ihn dort in eine Datei zu kopieren.
in-file-already = Der Speicher ist schon in einer Datei. Nenne einen Server: postgresql://user@host/database
postgres-missing = store.url: Das Extra fehlt. Starte: pip install 'glassmind[postgres]'
copies-on-server = Die Datenbank liegt auf einem PostgreSQL-Server. Kopien machst und holst du dort zurück: mit pg_basebackup, pg_dump oder einem Dienst dafür.
no-key-yet = Das Datenverzeichnis hat noch keinen Schlüssel (secret.key). Starte den Bot einmal und versuch es dann noch einmal.

## Plattformen, Anbieter, Modelle

only-one-process = platforms.{ $platform }: Dort kann nur ein Prozess arbeiten. Starte den Bot ohne --role oder setze enabled = false.
makes-no-vectors = embeddings.model: Kein [providers.{ $name }] macht Vektoren; einer mit kind = "openai" tut es.{ $known ->
    [none] {""}
   *[other] {" "}Diese tun es: { $known }.
}
no-adapter = { $key }: Einen Adapter { $kind } gibt es nicht. Schreib einen von denen in config.example.toml.
cannot-ask-model = { $model } kann ich nicht fragen. Schreib provider/name, mit einem von: { $providers }.
