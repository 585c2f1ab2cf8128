### Copies of what is stored: listed, restored, checked, moved to another place.

## Copies of the database

none = There is no copy. The bot makes one a day, unless retention.backups_hours is 0.
name-one = To restore one, stop the bot and name it.
copy = { $file } · { $age } old · { $size } · schema { $schema } · { $state }
verified = ✓ verified
unknown-schema = unknown
restored = ✓ restored from { $file }
holds = It holds { $messages ->
    [one] { $messages } message
   *[other] { $messages } messages
}{ $age ->
    [none] .
   *[other] , the newest { $age } old.
}
cannot-tell-lost = Nobody can tell what is lost: the previous database is unreadable.
lost = Lost: { $messages ->
    [one] { $messages } message
   *[other] { $messages } messages
} that arrived later, the newest { $age } old.
replaced = The previous database is now { $file }; it is deleted like other old copies.
uncertain = Not sent again, because they may have been sent since: { $count } (uncertain).
interrupted = Not answered automatically, because they may have been answered since: { $messages ->
    [one] { $messages } message
   *[other] { $messages } messages
} (interrupted).
as-it-was = Anything forgotten or changed after that copy is back as it was.

## Checking the records

damaged = ✗ { $count ->
    [one] { $count } thing was changed or damaged:
   *[other] { $count } things were changed or damaged:
}
damaged-fix = Stop the bot and run `glassmind restore`; it keeps the damaged file for inspection.
undamaged = ✓ Nothing was changed or damaged.
looked-at = Checked { $rows } rows, { $audit } audit entries and { $versions } versions.
no-key = ✗ secret.key is missing, so I cannot tell whether this bot signed both records.
audit-ends = The audit ends at row { $row } · { $hash }
versions-end = The versions end at row { $row } · { $hash }
note-the-ends = Write these ends down: an older copy put back later cannot match them.

## To a server and back

variable-not-set = --to: the variable { $variable } is not set.
moved = ✓ Copied { $rows } rows of { $tables } tables to { $place }, and compared every one.
word-search = The word search there has { $entries } new entries.
now-use-server = Now enter this in the configuration, and keep secret.key where it is: [store] url = { $url }
given-address = the address that you gave
now-use-folder = Now set bot.data_dir to its folder, and remove store.url from the configuration.

## Files of memories

name-one-file = Name one file: glassmind memory { $action } FILE.
file-exists = { $file } already exists; name another file.
exported = { $file }
    { $count ->
        [one] { $count } memory
       *[other] { $count } memories
    } with the whole history, signed.
imported = ✓ Added { $count }. In the chat, `memory rollback` removes them again.
nothing-imported = Nothing was added.
not-imported-yet = Nothing was added yet: stop the bot, and run this again with --yes.
