### What a version changed, in few words.

mode-active = every message
mode-mention-only = when addressed
mode-observe = only listens
by-button = with a button
by-branch = by a branch
by-worker = by a worker
id = id { $user }
done-by = { $what } by { $who }
found = there when versions began
saved = saved
confirmed = confirmed
forgotten = forgotten
evicted = forgotten to make room
restored = brought back
wiped = words wiped
erased = erased with its person
moved = moved with its channel
merged = merged with another
split = merge undone
imported = imported
set = set
summarised = summarised
undone = undone
stands = back in force
rolled-back = rolled back
from-own-file = came in a file of { $instance }, which this bot signed:
from-file = came in a file of { $instance }, which nobody here can check:
earlier = { $count } earlier
past = { $what }, { $age } ago
past-by = { $what } by { $who }, { $age } ago
new-memory = { $type }, importance { $importance }
said-times = said { $times ->
    [one] { $times } time
   *[other] { $times } times
}
changed = { $before } → { $after }
counts-again = counts again
is-forgotten = forgotten
setting = { $part }: { $before } → { $after }
skill = skill { $name }
tool = tool { $name }
the-channel = the channel
recording = recording
paused = paused
not-paused = not paused
usual = usual
on = on
off = off
let-in = let in
as-lists-say = as the lists say
left-out = left out
shown = shown
