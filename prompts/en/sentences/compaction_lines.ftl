### A compaction in lines.

by-model = { $time } UTC, by { $model }, { $requests ->
    [one] { $requests } request
   *[other] { $requests } requests
} · the context was { $percent } % full ({ $level })
by-model-unknown = { $time } UTC, by { $model } · the context was { $percent } % full ({ $level })
by-rules = { $time } UTC, by rules, no model used · the context was { $percent } % full ({ $level })
decided = { $state } at { $time } UTC: { $reason }
written-in = written in { $handle }
took = { $turns ->
    [one] { $turns } turn
   *[other] { $turns } turns
}, { $messages ->
    [one] { $messages } message
   *[other] { $messages } messages
}
size = { $before } to { $after } tokens
lacks = { $count ->
    [one] { $count } name or number is not in it
   *[other] { $count } names or numbers are not in it
}

## For the doctor

counts = { $done } done, { $failed } failed, { $freed } tokens freed since the bot started
off = switched off: old turns are left out unread
left-alone = { $channel } is left alone until { $time } UTC after { $failures ->
    [one] { $failures } failure
   *[other] { $failures } failures
}: { $why }{ $more ->
    [0] {""}
    [one] {" "}(and { $more } more channel)
   *[other] {" "}(and { $more } more channels)
}
left-alone-fix = See `!cortex compactions` there; another compaction.summarization_model may do better.
