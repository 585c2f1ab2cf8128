### Why an answer knows less than before: what was said once is not told to the model any more.

verdict = { $place }: it sees less than before
said-by = the message that said it
took-it-out = what removed it, and what was lost
settle = put it back, or have the bot remember it, and ask again.
not-told = { $count ->
    [one] The model no longer sees 1 message from people.
   *[other] The model no longer sees { $count } messages from people.
}
said-in = It was said in { $handle }, which the model no longer sees.
fresh-chat = { $who ->
    [none] Somebody
   *[other] { $who }
} started a fresh chat at { $time }.
emergency = Emergency cut { $handle } removed it at { $time },
without-summary = without a summary{ $failed ->
    [0] .
    [one] , after a summary that failed.
   *[other] , after { $failed } summaries that failed.
}
summed-up = Compaction { $handle } summed it up at { $time }.
lacks = Its summary lacks { $things }{ $more ->
    [0] .
   *[other] {" "}and { $more } more.
}
undo-new = `/new undo` brings the old chat back within 24 hours.
undo-compaction = `compactions undo { $handle }` puts it back; or have the bot remember it.
remember = Have the bot remember it: what was cut cannot be put back.
