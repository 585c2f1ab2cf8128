### What is stored of people: not recording a channel, forgetting a person.

by-configuration = the configuration says so
since-by = since { $time } UTC, by { $role } (id { $user })
not-recorded = { $since ->
    [none] This was not recorded here when it was sent:
   *[other] Nothing is recorded here ({ $since }):
} I keep digests and sizes of requests, and no words. `context` shows what would be sent next, `why` what became of messages.
configuration-decides = The configuration says `record = false` for this channel; only the operator can change it.
only-an-admin = Only an admin can do that.
no-admin-there = You are no longer an admin there.
is-recorded = Requests of this channel are recorded. `record off` stores only sizes and digests of new ones.
is-not-recorded = This channel is not recorded ({ $since }). I store digests and sizes of new requests, and no words.
nothing-on-platform = Nothing is stored about id { $user } on { $platform }.
nothing-in-your-channels = Nothing is stored about id { $user } in the channels you look after.
takes-out = This deletes:
takes-out-in-yours = In the channels you look after, this deletes:
removed-files = Removed: { $files }.
removed-files-more = Removed: { $files } and { $more } more.
is-forgotten = ✓ id { $user } is forgotten · { $handle }
nothing-to-take-out = There was nothing to delete.
requests-are-marked = Requests are marked `{ $mark }`; digests, times and their numeric id stay until their time is up.
new-backup = I made and checked a new backup, and removed { $count ->
    [one] { $count } older one
   *[other] { $count } older ones
}.
backups-may-hold = { $count ->
    [one] { $count } backup may still hold some of it, because I could not make and check a new one. It goes when its time is up.
   *[other] { $count } backups may still hold some of it, because I could not make and check a new one. They go when their time is up.
}
backups-may-hold-until = { $count ->
    [one] { $count } backup may still hold some of it, because I could not make and check a new one. It goes by { $time } UTC.
   *[other] { $count } backups may still hold some of it, because I could not make and check a new one. They go by { $time } UTC.
}
you-are-forgotten = ✓ You (id { $user }) are forgotten.
your-files-went = { $count ->
    [one] { $count } file with your words is deleted too.
   *[other] { $count } files with your words are deleted too.
}
