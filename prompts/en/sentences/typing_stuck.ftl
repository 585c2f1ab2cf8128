### Why the bot seems to write and nothing comes: the typing mark stays on by mistake.

verdict = { $place }: typing, yet nobody writes
shown-since = The bot has shown “typing” since { $time } ({ $age }).
nothing-runs = It is working on nothing here, and nothing waits.
not-let-go = Its connection to the platform does not end the mark.
do-not-wait = Do not wait for it: ask again. Nobody is writing an answer.
restart = Restart the bot to end the mark; if it happens again, look at the log and the network.
