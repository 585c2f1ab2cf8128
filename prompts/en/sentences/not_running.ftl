### Why nobody is answered: the bot is not running, or stopped while it worked on a message.

verdict-dead = The bot is not running
never-ran = No bot has ever run with this data directory.
ended = It ended; last sign of life
vanished = It stopped without recording why; last sign of life
last-sign = { $time } (process { $pid }).
reason = Reason: { $words }
start-it = Start it: glassmind run. Its log and the service manager say why it ended.
tell-operator = Tell the operator: this can only be fixed on the host.
turn = the turn, { $status ->
    [running] still running
    [replied] answered
    [skipped] ended in silence
    [failed] failed
    [cancelled] stopped
   *[interrupted] interrupted
}
verdict-off = { $platform } is switched off
not-enabled = The configuration enables no platform named { $key }.
enable-it = Set enabled = true under [platforms.{ $key }] and start the bot again.
verdict-down = The { $platform } connection is { $state ->
    [disabled] switched off
   *[down] down
}
nothing-since = Nothing has arrived here since { $time }.
run-doctor = Run `glassmind doctor`: it asks the platform.
verdict-restarted = { $place }: the bot restarted
stopped-at-it = The bot stopped while working on the { $what ->
    [result] result
   *[message] message
}.
stopped-each-time = The bot stopped every time it worked on the { $what ->
    [result] result
   *[message] message
},
gave-up = so it gave up on it.
runs-again = It has been running again since { $time }.
ask-otherwise = Ask in other words: this very { $what ->
    [result] result
   *[message] message
} may be what stops it. Tell the operator.
ask-again = Ask again: the bot will not try this { $what ->
    [result] result
   *[message] message
} a second time.
why-it-ended = Find out why the process ended: exit reason, log, service manager.
verdict-silent = { $place }: its process is silent
has-the-channel = { $process } has this channel
last-heard = and was last heard from { $span } ago.
waits = { $count ->
    [one] 1 message waits
   *[other] { $count } messages wait
} to be taken up.
verdict-untaken = { $place }: no process has it
waits-since = The oldest has waited for { $span }.
wait-for-another = Wait a moment: another process takes the channel and answers.
look-at-that-machine = Look at that machine. If no other worker runs, start one: glassmind run --role worker.
