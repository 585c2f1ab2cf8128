### Which event changed what a model is told.

different-channels = the two are of different channels
no-record = no record explains it

## Model, mode, configuration

last-round = the last round of a turn may call no tool
usual-model-failed = the usual model had failed
another-stood-in = another one had filled in
somebody-set-it = somebody set it
model-reload = the model, read again by a reload
model-start = the model, read at a start
keys-reload = { $keys }, read again by a reload
keys-while-running = { $keys }, read again while the bot ran
keys-start = { $keys }, read at a start
mode-set = somebody set { $mode }
mode-reload = the usual mode, read again by a reload
mode-start = the usual mode, read at a start
channel-met = the bot met a channel of this server, or one has another name

## The program

section-order = the program lists its sections in another order
written-for-newest = written again for each message
its-template = its template comes with the program
tools-with-program = tools come with the program
skill-switched = somebody switched a skill
skill-changed = { $name } { $how ->
    [added] added
    [gone] gone
   *[changed] changed
}: { $file }
skill-tool = it is there while a skill is on in the channel
on-demand-gone = it is on demand, and its use is no longer in the history
on-demand-opened = it is on demand, and was opened in this conversation
other-asker = tools depend on the rights of the person who asks, and that is another person

## Memories

restored = { $memory } brought back
forgotten-by-admin = { $memory } forgotten by an admin
forgotten = { $memory } forgotten
brought-up-to-date = a newer one brings { $memory } up to date
saved = { $memory } saved
saved-because = { $memory } saved because of { $message }

## The conversation

next-message = the next message, not written yet
the-asking-message = the message that asks
summary = { $type ->
    [tool_calls] tool calls
    [half] half
    [goal_batch] goal batch
   *[emergency] emergency
}, for { $count ->
    [one] 1 message
   *[other] { $count } messages
}
summary-undone = { $summary }, undone
edited = its author changed it
begun-again = somebody started the conversation over
older-talk = older talk that was not meant for the bot made room for newer
turns-do-not-fit = { $count ->
    [one] 1 old turn does not fit any more
   *[other] { $count } old turns do not fit any more
}
turn-still-runs = { $turn } still runs: it is not part of the history
turn-ended = { $turn } ended as { $status }: it is not part of the history
calls-and-results = tool calls and their results
said-since = said since then
answered-since = answered since then
turns-fit-again = old turns fit again

## What kind of event it was

kind = { $kind ->
    [config] config
    [memory_saved] memory saved
    [memory_forgotten] memory forgotten
    [memory_restored] memory restored
    [memory_replaced] memory replaced
    [skill] skill
    [model] model
    [mode] mode
    [tool_added] tool added
    [tool_removed] tool removed
    [compaction] compaction
    [restart] restart
    [reset] fresh start
    [edit] edit
    [trigger] the message it answers
    [talk] new messages
    [round] tool round
    [lost] turn not kept
    [rights] the sender's rights
    [window] window
    [channels] channels of the server
   *[unknown] unknown
}
before-newest = the blocks before the newest message: { $name }
block-tool = tool { $name }
block-message = message { $number }, { $by }
