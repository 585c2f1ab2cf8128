### Why somebody, or a place, gets no answer: the lists of who may and who may not.

verdict-dms-off = { $place }: direct messages are off
verdict-opted-out = { $place }: the sender opted out
verdict-blocked = { $place }: the { $what ->
    [server] server
    [channel] channel
   *[sender] sender
} { $over ->
    [yes] was
   *[no] is
} blocked
verdict-not-allowed = { $place }: the { $what ->
    [server] server
    [channel] channel
   *[sender] sender
} { $over ->
    [yes] was
   *[no] is
} not allowed
dms-off = allow_dms is off for this platform.
opted-out = They sent `optout`: the bot neither keeps
opted-out-more = nor answers what they write.
on-list = The { $what }'s id { $over ->
    [yes] was
   *[no] is
} on { $list }:
not-on-list = The { $what }'s id { $id } { $over ->
    [yes] was
   *[no] is
} not on
not-on-list-more = { $list } ({ $entries }).
lists-changed = The lists were changed since.
count = { $count } messages in the last 24 h got no answer because of this.
ask-again = Ask again: it is allowed now.
only-they-can = Only they can undo it, with `optout off`.
tell-operator-wrong = If that is a mistake, tell the operator: only the configuration can change it.
tell-operator-allow = Ask the operator to allow that id: only the configuration can.
allow-dms = To allow direct messages, set allow_dms = true and restart.
take-off = If that is a mistake, remove the id from { $list } and restart.
add-to = Add the id to { $list }, or remove { $list } to allow everyone, then restart.
look-at-record = Open the record below for what was compared.
record = gate { $gate }
