### What the store on a PostgreSQL server says: why it cannot be used, and what `doctor` sees there.

## Getting in

url-unreadable = store.url cannot be read. Write it as postgresql://user@host:5432/database; a password with one of @ : / ? # in it is written percent-encoded.
this-machine = this machine
address = { $database } at { $place }
wrong-password = Wrong password or user for the database { $place }. Correct store.url, or the file that it names as passfile.
not-let-in = The server does not let this user or this machine into the database { $place } (pg_hba.conf): { $why }
no-such-database = There is no database of this name: { $place }. Make it (createdb), or correct store.url.
no-such-user = There is no such user on the server of the database { $place }. Make it (createuser), or correct store.url.
no-connection-left = The server has no connection left for the database { $place }. The bot needs 5: raise max_connections on the server, or the limit of this user, or close something else.
no-tls = The server of the database { $place } offers no TLS. Switch it on there, or write sslmode=disable into store.url.
starting = The server of the database { $place } is just starting or stopping. Try again in a moment.
no-answer = The server of the database { $place } does not answer: { $why }
no-answer-in-time = it did not answer for { $seconds } seconds
answer-cut = the server's answer ended early
not-postgres = This is no PostgreSQL database.

## At work

disk-full = The server of the database { $place }: its disk is full. Nothing was stored. Free some space.
no-memory = The server of the database { $place }: it is out of memory. Nothing was stored. Free some space.
is-replica = The database { $place } is a read-only replica. Name the primary in store.url.
not-allowed = The role in store.url may not do this in the database { $place }: { $why }. Grant it, or name the owner.
altered = The database { $place } was altered by another program: { $why }. Restore it from a backup of the server.
gone = The connection to the database { $place } is gone: { $why }. The bot connects again by itself.
connection-gone = The connection to the database is gone. The bot connects again by itself.
refused = The database { $place } refused: { $why }
overtaken = Another process has taken over, and continues from here. This one has stored nothing since.
not-committed = The database ({ $place }) did not commit. Nothing was stored.
not-reached = The database did not come to this statement, because one before it failed.
restore-fix = Stop the bot and restore a backup of the server.
in-use = The database { $place } is in use by another process (schema { $schema }). Stop it first.
answer-lost = The answer to a commit was lost, and nobody can say whether it was stored. { $why }
unknown-before = In { $place } what was committed before it is not known.
went-back = The database { $place } went back: it was put back from a backup, or a replica took over that had not everything ({ $lost }). Nothing was changed. If that is meant, stop every bot on it and start one with: glassmind run --restored.
number-went-back = { $table } { $before } was stored, the last there is { $now }
no-key = There is no { $file } in { $folder }, and the database { $place } is signed with one. Copy it from the machine that made it.
other-key = { $file } is not the key of the database { $place }. Copy the one from the machine that made it, or name the right data directory.
other-tables = The schema { $schema } in { $place } holds tables of another program. Name another one: store.schema_name.
newer = The database { $place } has schema { $version }, this program knows { $newest }. Install the newer Glassmind again, or restore a backup of the server that was made before the upgrade.
older-at-work = Older processes are at work on { $place }. This program changes its schema from { $version } to { $newest }, and they could not go on with that. Stop all of them first.

## Copying from one store to another

nothing-copied = Nothing was copied: { $why }
not-newest = The store in { $place } has schema { $version }, this program reads { $newest }. Start the bot once.
database-there = There is a database in { $folder }. Name another directory, or move it away.
not-taken-up = Nothing was copied: { $count ->
    [one] { $count } of the messages that came in was
   *[other] { $count } of the messages that came in were
} not taken up by any process. Start the bot once, and stop it again.
damaged-there = Nothing was copied, because not everything there is what was written: { $damage }.
schema-holds-one = The schema { $schema } in { $place } holds a store already. Name another one.
differs = Nothing was copied: { $table } { $row } did not arrive as it was.

## The connection, for `doctor`

away = the server has been away for { $age }: { $why }
away-fix = Start the server; the bot continues by itself.
never-lost = never lost since the start
lost = lost { $count ->
    [one] once
   *[other] { $count } times
} since the start, last { $age } ago; nothing was lost with it

## The server, for `doctor`

schema = PostgreSQL: { $place }, schema { $schema }, version { $version }
schema-newer = PostgreSQL: { $place }, schema { $schema }, version { $version }: a newer program made it, which this one, of { $newest }, can go on with
server = PostgreSQL { $version }{ $replica ->
    [yes] , a replica
   *[no] {""}
}, { $size }, { $tls ->
    [yes] with TLS
   *[no] without TLS
}{ $pooler ->
    [yes] , through a pooler
   *[no] {""}
}
not-durable = { $server }; commits are not made durable
not-durable-fix = Switch fsync and synchronous_commit on: a message that was confirmed may be lost by a power cut.
sessions = { $used } of { $most } connections in use
sessions-fix = Raise max_connections on the server, or close something else: after a cut the bot needs 4 new ones.
processes = { $working ->
    [none] none
   *[other] { $working }
} at work; standing by: { $waiting ->
    [none] none
   *[other] { $waiting }
}
sharing = { $count } processes share the channels: { $processes }
looking-on = { $processes }; looking on: { $looking }
process = { $name }{ $silent ->
    [no] {""}
   *[other] {" "}(not heard from for { $silent } s)
} { $does }
listens = listens on { $platforms }
has-channels = has { $count ->
    [one] { $count } channel
   *[other] { $count } channels
}
keeps-house = keeps house
and = { $one } and { $other }
silent-fix = Look at that machine, or wait: the others take what it has.
nobody-listens-fix = Nobody listens. Start one that does: glassmind run --role gateway.
nobody-answers-fix = Nobody answers. Start one that does: glassmind run --role worker.
replica = this is a replica, { $seconds } s behind at most
no-replica = no replica is connected
replicas = { $count } connected, the last one { $size } and { $seconds } s behind
replica-fix = Look why the replica does not keep up: what is not there yet would be lost with the primary.
archives-nothing = the server archives nothing
archives-nothing-fix = Make backups on the server (pg_basebackup, pg_dump or a service): this program makes none there.
archive-failed = the server archives, and { $count ->
    [one] { $count } attempt
   *[other] { $count } attempts
} failed
no-copies = Copies of a PostgreSQL database are made on its server: pg_basebackup, or a service that does it.
archived-nothing = nothing was archived yet
archive-fix = Look into the server's log.
archived = { $what ->
    [backup] a base backup
   *[log] its log
} was archived { $age } ago ({ $file })
cleaning = autovacuum is { $state }, { $age ->
    [never] not yet
   *[other] last { $age } ago
}; { $dead } dead rows beside { $living }
cleaning-off-fix = Switch autovacuum on: without it the tables grow for ever.
cleaning-fix = Let autovacuum work more (autovacuum_vacuum_cost_limit), or look what keeps it from it.
