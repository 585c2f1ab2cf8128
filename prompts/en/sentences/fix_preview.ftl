### What a fix would do, before it is done.

## What it changes is called

a-line = a line
a-memory = a memory
the-recording = the recording
a-worker = a worker
a-proof = a proof
a-replay = a replay
memories-by = { $count ->
    [one] { $count } memory
   *[other] { $count } memories
} by id { $user }

## Buttons

forget = Forget { $what }
restore = Restore { $what }
stop = Stop { $what }
undo-compaction = Undo { $what }
redo-compaction = Shorten again as { $what }
send-again = Show models again: { $what }
remember = Remember it in { $place }
resume = Resume { $place }
send-worker = Send a worker for { $place }
prove = Prove it
ask-again = Ask it again
post = { $more ->
    [0] Post it in { $place }
   *[other] Post it in { $place } and { $more } more
}
merge = Merge { $count ->
    [one] { $count } memory
   *[other] { $count } memories
}
split = Separate { $count ->
    [one] { $count } memory
   *[other] { $count } memories
}
take-back = Take back { $what }
forget-for-good = Forget id { $user } for good
record = Record { $place }
stop-recording = Stop recording { $place }

## What recording means

records = From now on requests are stored word for word, until they expire.
records-no-words = From now on I store only sizes, times and digests of requests, answers and tool calls, not their words.
talk-not-kept = Talk that isn't addressed to me is not stored and not shown to the model.
said-to-it-stays = What people say to me stays in the conversation until it expires or somebody says `new`: I need it to answer.
why-knows-less = `why` will show less, and `context last` will show nothing. Earlier records stay.

## A memory

new-memory = { $type } · importance { $importance } · scope { $scope } · { $by ->
    [model] proposed by a model
   *[person] as it was said
}
memory = { $type } · importance { $importance } · scope { $scope } · { $age } old · by { $author }
memory-confirmed = { $type } · importance { $importance } · scope { $scope } · { $age } old · confirmed { $times } times · by { $author }
forgotten-ago = { $line } · forgotten { $age } ago
author = { $name } (id { $user }), { $rank }
someone = someone
counts-as = counts as { $rank }, like the least trusted person whose words it may have: { $sources }
an-admin = an admin
not-an-admin = not an admin
words-of-others = with words of others

## The last day of a channel

no-messages = Last 24 h here: no messages.
last-day = Last 24 h here: { $total ->
    [one] { $total } message
   *[other] { $total } messages
}{ $parts }.
answered = { $count } answered
skipped = { $count } left unanswered by the model
failed = { $count } failed
stopped-by-pause = { $count } stopped by the pause
stopped-otherwise = { $count } stopped by other rules
not-paused = The channel is not paused.
paused-by = Paused at { $time } UTC by { $role ->
    [owner] an owner
    [admin] an admin
    [moderator] a moderator
   *[other] { $role }
} (id { $user }), message { $handle }.
unknown-message = unknown

## Whether it can be undone

posted-stays = This cannot be undone: everyone there reads it.
cannot-undo = This cannot be undone.
stopped-stays = This cannot be undone. What it has found so far is kept; the channel is not told.
worker-stays = This cannot be undone. `cancel` stops the worker; what it did by then stays done.
only-asks = This posts nothing, saves no memory and runs no tool; its requests are recorded as usual.
left-out-again = If the model service refuses it again, it is left out again.
answer-stays = This cannot be undone: people will have read the answer.
left-alone-again = If it fails again, it gets another break.
reload-stays = This cannot be undone: it only reads what is there now.
summary-undo = This can be undone: the summary has its own button.
can-undo = This can be undone for { $hours } h.
memories-and-compactions = { $memories ->
    [one] { $memories } memory
   *[other] { $memories } memories
} and { $compactions ->
    [one] { $compactions } compaction
   *[other] { $compactions } compactions
}
