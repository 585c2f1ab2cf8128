### A memory's story: who caused it, where, when it was looked up, and what came of it.

forgotten = Forgotten { $age } ago.
kind = A memory: { $type }, importance { $importance }.
known = Used { $scope ->
    [channel] in that channel
    [user] with one person
    [guild] on the whole server
   *[global] everywhere
}, version { $version }.
known-often = Used { $scope ->
    [channel] in that channel
    [user] with one person
    [guild] on the whole server
   *[global] everywhere
}, version { $version }, said { $times } times.
known-often-last = Used { $scope ->
    [channel] in that channel
    [user] with one person
    [guild] on the whole server
   *[global] everywhere
}, version { $version }, said { $times } times, last { $age } ago.
caused-by = Saved because of { $name } (id { $user }), { $rank },
ago-in = { $age } ago in { $place }.
ago-in-message = { $age } ago in { $place }: message { $handle }.
ago-in-unrecorded = { $age } ago in { $place }, by a message I have no record of.
origins = It { $counts }.
about = About { $people }.
id = id { $user }
looked-up = Looked up { $times ->
    [one] { $times } time
   *[other] { $times } times
}, last { $age } ago.
never-looked-up = Never looked up with a tool.
told-in = Sent to the model in { $count ->
    [one] { $count } request
   *[other] { $count } requests
}: { $handles }
told-in-more = Sent to the model in more than { $count ->
    [one] { $count } request
   *[other] { $count } requests
}: { $handles }
never-told = No request on record told the model about it.
flagged = ⚑ Not from an admin, and about { $subjects }.
related = It { $relation }
related-passive = It is { $relation }
may-merge = `memory merge { $handles }` makes one of two; moderators propose it: `memory propose merge`.
