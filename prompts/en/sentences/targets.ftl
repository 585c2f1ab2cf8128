### What is meant: a channel, a message or a record, and why it cannot be found.

usable-handles = a message (i…), a step (g…), a turn (t…), a request (r…) or a delivery (d…)
is-memory = { $handle } is a memory. In a chat, `!cortex memory show { $handle }` and `!cortex memory forget { $handle }` take it.
is-audit = { $handle } is an audit entry. In a chat, `!cortex open { $handle }` and `!cortex undo { $handle }` take it.
is-call = { $handle } is a tool call. In a chat, `!cortex open { $handle }` takes it.
is-session = { $handle } is a private talk. In a chat, `!cortex open { $handle }` takes it.
takes-channel-or = { $what } This command takes a channel, or { $handles }.
no-request = No recorded request belongs to { $name }. Ask `why` about it.
no-request-ended = No recorded request belongs to { $name }. What became of it: { $outcome }. Ask `why` about it.
no-message = { $name } did not come from a person's message. `context { $name }` shows it.
message = message { $message }
lost-message = I know { $channel } ({ $id }), but no { $message } there: it never reached me, or it is older than what I store. Name the channel alone.
no-direct-message = I know no direct message { $message }.
no-record = There is no record { $handle }.
no-such-message = There is no message { $message }.
name-a-channel = Name a channel that I know: { $channels }
there-is-none = there is none
cannot-ask-platform = I could not ask the platform about it: { $why }
could-not-ask = I could not ask the platform: { $why }
not-shown = No platform shows me a place of that name: I don't see the names of channels I may not view. Let my role view it (Edit Channel, Permissions), or give me its link or id.
ambiguous = { $count ->
    [one] { $count } channel is called { $name }. Give the id: { $channels }
   *[other] { $count } channels are called { $name }. Give the id: { $channels }
}
