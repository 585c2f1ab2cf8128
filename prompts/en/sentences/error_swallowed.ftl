### Why a message got no answer: an error, or an answer that was not delivered.

program-fault = This is a bug in the program: find the error in the log at this time, and report it.
told = The bot told the channel that it failed.
not-told = Nobody in the channel was told.
uncertain = { $place }: an answer may be lost
unconfirmed = The bot sent it, but the platform did not
unconfirmed-more = confirm it; the bot does not send it twice.
broke = The bot failed while it sent the answer:
if-not-there = If the answer is not there, ask again.
look = look at the channel.
overdue = { $place }: an answer isn't going out
written-new = Written { $age } ago, and still waiting:
written-sending = Written { $age } ago, and still being sent:
no-word = the platform has said neither yes nor no.
connection-hangs = Tell the operator: the connection to the platform hangs.
restart-reconnects = Run `doctor`; a restart opens a new connection.
waits = { $place }: the answer is waiting
kept = Written { $age } ago, and kept:
token-rejected = { $name } rejects the bot's token.
unreachable = { $name } is unreachable.
attempts = { $count ->
    [one] 1 attempt
   *[other] { $count } attempts
} so far; it goes out by itself.
wait = Wait: the bot sends it once that is over, up to a day after it was written.
undelivered = { $place }: answer was not delivered
whole-not-sent = Written, not sent: { $state ->
    [new] waiting
    [sending] being sent
    [uncertain] may have arrived
   *[dead] given up
} after { $count ->
    [one] 1 attempt
   *[other] { $count } attempts
}.
parts-not-sent = { $lost } of { $parts } parts not sent: { $state ->
    [new] waiting
    [sending] being sent
    [uncertain] may have arrived
   *[dead] given up
} after { $count ->
    [one] 1 attempt
   *[other] { $count } attempts
}.
platform-said = The platform said: { $words }
check-rights = Check what the bot may do in this channel (see, write, attach); then ask again.
ask-later = The platform failed each time: ask again later.
words-say = The platform's words say what is wrong; `doctor` checks what the bot may do there.
status-page = Look at the platform's status page, and at `doctor`; then ask again.
raised = { $place }: an error ended it
no-answer = The bot hit an error and ended without an answer.
recorded = Recorded: { $words }
ask-meanwhile = Tell the operator; ask again meanwhile.
