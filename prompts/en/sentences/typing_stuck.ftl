### Why the bot seems to write and nothing comes: the typing mark stays on by mistake.

verdict = { $place }: typing, but nobody is
shown-since = The bot has shown “typing” since { $time } ({ $age }).
nothing-runs = It isn't working on anything here, and nothing is waiting.
not-let-go = Its connection to the platform does not clear the mark.
do-not-wait = Do not wait for it: ask again. Nobody is writing an answer.
restart = Restart the bot to clear the mark; if it happens again, look at the log and the network.
