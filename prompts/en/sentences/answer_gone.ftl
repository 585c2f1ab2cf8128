### Why no answer is to be seen: it was delivered, and somebody deleted it.

verdict = { $place }: answered, then deleted
went-out = { $parts ->
    [whole] The answer
   *[other] { $parts } of { $of } parts of the answer
} went out at { $time },
deleted-after = and was deleted { $age } later.
by-program = { $name }'s audit log names no person: a bot did it.
by = { $name }'s audit log names { $who }.
by-unknown-fast = { $name } does not say who did it; that fast, it was a program.
by-unknown = { $name } does not say who did it.
record = the answer that was deleted
ask-moderators = Ask the moderators here, or look in the moderation bot's log; then ask again.
leave-alone = Let the server's moderation (its bots, its rules) leave this bot's messages alone.
