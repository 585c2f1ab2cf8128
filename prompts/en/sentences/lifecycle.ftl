### How a bot starts and ends, and what keeps it from it.

nobody-may-ask = nobody may ask why: set owner_ids, whoami prints yours
may-ask = { $count } may ask
stopped-by-store = Stopped, because the store failed; nothing is lost, the next start continues from here. { $why }
stopped = Stopped. { $why }
by-signal = stopped by a signal
platforms-ended = every platform has ended
store-failed = the store failed: { $why }
store-unreadable = it cannot be read
store-broken = it failed
taken-over = Another process has taken over, and continues from here.
database-silent = the database does not answer

## The data directory and the store

data-exposed = bot.data_dir ({ $folder }): { $problem }.
data-not-empty = bot.data_dir ({ $folder }): it holds other things ({ $names }), and nobody else could use them any more. Name a folder that is only for the bot.
data-closed = closed to everybody but its owner
organisation-unreadable = bot.organisation_file ({ $file }) could not be read: { $why }
on-server-already = The store is on a server already. Name a folder to copy it into a file there.
in-file-already = The store is in a file already. Name a server: postgresql://user@host/database
postgres-missing = store.url: the extra is missing. Run: pip install 'glassmind[postgres]'
copies-on-server = The database is on a PostgreSQL server. Make and restore copies there: with pg_basebackup, pg_dump, or a service that does it.
no-key-yet = The data directory has no key yet (secret.key). Start the bot once, then try again.

## Platforms, providers, models

only-one-process = platforms.{ $platform }: only one process can work there. Run the bot without --role, or set enabled = false.
makes-no-vectors = embeddings.model: no [providers.{ $name }] makes vectors; one with kind = "openai" does.{ $known ->
    [none] {""}
   *[other] {" "}These do: { $known }.
}
no-adapter = { $key }: there is no adapter { $kind }. Write one of those in config.example.toml.
cannot-ask-model = I cannot ask { $model }. Write provider/name, with one of: { $providers }.
