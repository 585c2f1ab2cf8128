### Why a message got no answer: a memory in the prompt told the bot to be silent.

verdict = { $place }: the bot chose not to answer
chose-in = The model called skip in turn { $turn }. The prompt had
no-answer-in = It gave no answer in turn { $turn }. The prompt had
chose-reach-in = The model called skip in turn { $turn }. It could read
no-answer-reach-in = It gave no answer in turn { $turn }. It could read
chose = The model called skip. The prompt had
no-answer = It gave no answer. The prompt had
chose-reach = The model called skip. It could read
no-answer-reach = It gave no answer. It could read
memory = memory { $handle }: { $force ->
    [orders] it tells the bot not to answer.
    [hints] it mentions silence.
    [rules] it wants to be obeyed.
   *[none] not a plain order.
}
reason-names = The model named this memory in its reason.
invisible = { $count ->
    [one] 1 invisible character
   *[other] { $count } invisible characters
} in it.
not-tried = Not proven: nobody has tried it without this memory yet.
forgotten = It has been forgotten since; ask again.
read-it = Read { $handle }; forget it if nobody meant it that way.
read-and-by = Read { $handle } and who caused it; `memory by` lists what else they caused.
settle = ask the same request without that memory.
record = { $type } · importance { $importance } · { $age } old · by { $by ->
    [admin] an admin
   *[other] a non-admin
}
request = request as sent · { $section ->
    [memory_bulletin] the memory list
   *[other] section { $section }
}, line { $line } of { $lines }
