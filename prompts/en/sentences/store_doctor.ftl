### What the doctor says of the database and its copies.

version = version { $version }
ends = { $name ->
    [versions] versions
   *[other] audit entries
} end at row { $row } · { $hash }
holds = row hashes, texts, audit entries and versions are intact
holds-with-pages = pages, row hashes, texts, audit entries and versions are intact
damaged-row = { $table } { $row } ({ $what })
damaged-table = { $table }: { $what }
damage = { $kind ->
    [altered] altered
    [rows-altered] rows altered: { $said }
    [chain-broken] chain broken
    [dangling] something it names is missing
    [missing] missing
    [differs] not as its newest version says
    [no-version] it has no version
   *[unreadable] { $said }
}
restore = Stop the bot and run `glassmind restore`; it keeps the damaged file for inspection.
restore-a-backup = Restore a backup.
newest-hold = { $told }; the newest { $rows } rows of each table are intact now
ask-later = Let the bot run: it checks everything by itself, a little every ten seconds. Then ask again.
copies-off = switched off (retention.backups_hours = 0)
no-copy = no backup yet
copy = { $name }, { $age } old, { $size }, verified when it was made
copy-failed = none was made { $age } ago: { $why } The newest: { $newest }
copy-again = The bot tries again at its next sweep.
room = { $free } free in { $folder }; the database takes { $takes }
room-inside = { $free } free in { $folder } and { $inside } inside the database; the database takes { $takes }
free-space = Free some space; until then nothing new is taken in.
never-checked = about { $rows } rows, no whole check yet
first-check = about { $rows } rows, no whole check yet: { $percent } % of the first, begun { $age } ago
last-check = last whole check { $age } ago, 100 % ({ $rows } rows)
next-check = last whole check { $age } ago, 100 % ({ $rows } rows); the next is at { $percent } %
