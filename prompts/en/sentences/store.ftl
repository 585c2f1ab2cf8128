### Why the database or its directory cannot be used, and what to do.

## The data directory

unusable = The data directory { $folder } cannot be used: { $why }.
nothing-there = There is no store in { $folder }: { $file } is missing.
was-in-use = { $file } is missing, although this directory was in use. Put it back, restore a copy (`glassmind restore` lists them), or begin with an empty one: glassmind run --fresh.
is-empty-now = { $file } is empty, although this directory was in use. Restore a copy (`glassmind restore` lists them), or begin with an empty one: glassmind run --fresh.
cannot-make = { $file } cannot be made: { $why }.
no-key = There is no { $file } in { $folder }. Name the right directory, or put the key back that was there.
no-key-to-sign = { $file } is missing: nothing can be signed, and no signature can be checked.
key-damaged = { $file } is damaged ({ $found } bytes instead of { $wanted }). Restore it from a backup.
open-to-others = { $file } can be read by others and this cannot be fixed ({ $why }). Run: chmod 600 { $file }
in-use = The data directory { $folder } is in use by { $process ->
    [unknown] another process
   *[other] process { $process }
}. Stop it first.
cannot-write-there = The data directory { $folder } cannot be written: { $why }. Mend that (is there room?) and try again.
cannot-write-file = The data directory cannot be written ({ $file }): { $why }.

## The database

cannot-write = The data directory cannot be written{ $file }: { $why }. Nothing was stored. Free some space.
unreadable = The database is damaged{ $file }: what it holds cannot be read. { $restore }
damaged = The database is damaged{ $file }: { $why }. { $restore }
altered = The database was altered by another program{ $file }: { $why }. { $restore }
restore-a-copy = It is not used again. Restore a copy: `glassmind restore` lists them.
locked = Another program keeps the database locked{ $file }: { $why }.
cannot-open = The database cannot be opened{ $file }: { $why }. Check owner and mode of the data directory.
refused = The database refused{ $file }: { $why }
read-only = The store was opened read-only.
closed = The store is closed.
of-another-program = The file is a database of another program. Name another data directory.
newer = The database has schema { $version }, this program knows { $newest }. Install the newer Glassmind again, or restore the copy that was made before the upgrade (backups/before-{ $next }-*.db).
older = { $version ->
    [none] The store in { $place } is empty.
   *[other] The store in { $place } has schema { $version }, this program reads { $newest }.
} Start the bot once to bring it up.
not-newest = The store has schema { $version }, this program reads { $newest }. Start the bot once.
other-tables = The database is damaged: its tables are not as they were made. Restore a backup.
step-failed = Step { $number } of the schema failed, nothing was changed: { $why }
instance-altered = The database is damaged: the name of this instance was altered. { $restore }
restore-a-backup = Restore a backup (`glassmind restore` lists them).
file-removed = { $file } was removed or moved away while I was running.
file-replaced = { $file } was replaced by another file while I was running.
file-cut = { $file } was cut off while I was running.
takes-nothing = { $problem } Nothing more is taken in.

## What is stored

row-altered = Row { $row } of table { $table }{ $name ->
    [none] {""}
   *[other] {" "}({ $name })
} was altered outside this program and is not used. Run `glassmind doctor`; restore a backup if it names more rows.
chain-damaged = The { $table } chain is damaged: { $why }. Run `glassmind doctor`; `glassmind restore` shows the copies.
chain-end = its end does not hold
chain-mark-missing = the mark at its end is missing
chain-mark-altered = its mark was altered
chain-row-altered = row { $row } was altered outside this program
version-altered = version { $number } of { $kind } { $row } was altered
memory-words-altered = what memory { $row } says was altered
said-by-nobody = A compaction would bring in a message that nobody said; nothing was changed.
summary-of-nothing = A summary would stand where nothing is taken out; nothing was changed.
no-such-turn = There is no turn { $turn } to end.
request-not-rebuilt = Request { $row } cannot be rebuilt as it was sent (tables node, head).
no-system-prompt = The system prompt of a request is missing (table head, row { $row }).
no-text = A text of a request is missing (table blob, row { $row }). Run `glassmind doctor`.
cannot-undo = This cannot be undone.

## Copies

copy-removed = The copy does not hold and was removed: { $damage }.
copy-damaged = The copy does not hold, and nothing was changed: { $damage }.
cannot-restore = { $file } cannot be restored, and nothing was changed: { $damage }
is-the-database = { $file } is the database itself. Name one of its copies.
no-such-copy = There is no copy { $file }. { $names ->
    [none] { $folder } holds none.
   *[other] Copies in { $folder }: { $names }.
}
copy-empty = it is empty
