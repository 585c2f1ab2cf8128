### Why a message got no answer: no person wrote it.

verdict-no-person = { $place }: not written by a person
written-by = { $author ->
    [self] The bot itself wrote it;
    [bot] Another bot wrote it;
    [webhook] A webhook wrote it;
    [channel_post] A channel posted it, not a person;
    [anonymous_admin] An anonymous admin wrote it;
   *[person] It may not be a person who wrote it;
}
not-answered-here = the bot does not answer those here.
record = gate { $gate }
let-a-person-ask = Have a person ask, or ask the operator to allow bots.
allow-bots = To answer bots that address it, set allow_bots = true and restart.
verdict-loop = { $place }: too many bot messages in a row
loop = Bots seemed to answer each other:
loop-count = { $row } messages by bots in a row, the limit is { $limit }.
let-a-person-write = It ends when a person writes. Keep the other bot from answering this one.
raise-limit = Raise limits.loop_guard_messages, or set allow_bots = false, and restart.
