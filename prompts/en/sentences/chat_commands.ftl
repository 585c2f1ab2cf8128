### Commands in a chat: what help says about each (at most 100 characters), and what they answer.

you-may-use = You may use:
keep-the-slash = In a group, keep the slash: it shows that you mean me.
help = this list
start = a greeting
whoami = your ids, to copy into the configuration
privacy = what I store, how long, and who else reads it
mydata = what I store about you
forgetme = [now] delete what I store about you
optout = [off] store and answer nothing of yours
timezone = [place | off] what time it is for you
language = [code | off] the language I talk to you in
status = what is set here, what is waiting, what was ignored
usage = tokens and cost here in the last 24 h
new = [undo] start over (I forget this chat); undo brings it back
stop = cancel the answer being written
active = answer every message here
mention-only = answer only when addressed
quiet = listen and say nothing
pause = [reason | off] ignore everything here
resume = end a pause
model = [provider/name | default] show or set the model
skills = [enable | disable name] what I can look up here
cortex = [why | memory | question] why I did what I did, in private
own-why = why your message got no answer
menu-why = why I am silent here, in private
menu-why-message = Why?
only-in-private = I answer that only in private. Open your direct messages for me (or start me there), and ask there.
denied = { $command } is for { $tier }s and above. You may use: { $commands }
denied-here = { $command } here is for { $tier }s and above. You may use: { $commands }
went-wrong = Something went wrong inside me. It is on record as { $handle }; tell an admin.
went-wrong-why = Something went wrong: { $why }. It is on record as { $handle }.
stopped-before-done = the bot was stopped before this was done

## Who you are

you-are = You are { $name }, tier: { $tier }.
user-id = user id: { $id } (owner_ids, admin_ids, moderator_ids, allowed_users, blocked_users)
channel-id = channel id: { $id } (allowed_channels, blocked_channels)
server-id = server id: { $id } (allowed_guilds)
lies-in = part of: { $id } (allowed_channels)
agent = agent: { $agent } (agents.{ $agent }.channels)
hello-opted-out = Hello, I am { $name }. You opted out, so I store and answer nothing. { $command } off ends that.
hello-private = Hello, I am { $name }. Just write to me. { $help } lists my commands.
hello-group = Hello, I am { $name }. Mention me, reply to me, or say my name: { $name }. { $help } lists my commands.
not-open-private = Hello, I am { $name }. Sorry, I'm not set up to answer you. An admin can change that (your id: { $user }).
not-open-person = Hello, I am { $name }. Sorry, I'm not set up to answer you. An admin can change that (your id: { $user }, this channel's id: { $channel }).
not-open-here = Hello, I am { $name }. Sorry, I'm not set up to answer here. An admin can change that (your id: { $user }, this channel's id: { $channel }).

## How it is here

status-active = { $place }: answers every message
status-mention-only = { $place }: answers when addressed
status-observe = { $place }: listens silently
status-agent = agent { $agent }
paused-since = Paused since { $time } UTC by { $role ->
    [owner] an owner
    [admin] an admin
    [moderator] a moderator
   *[other] { $role }
}, no reason given
paused-since-for = Paused since { $time } UTC by { $role ->
    [owner] an owner
    [admin] an admin
    [moderator] a moderator
   *[other] { $role }
}: { $words }
disk-full = The disk has been almost full since { $time } UTC: I only take commands from those in charge.
queue-waiting = { $count } waiting, the oldest for { $time }
queue-empty = no one is waiting
queue-running = { $what } for { $time }
queue-idle = nothing is running
queue = Queue: { $waiting }; { $running }
last-turn = Last turn: { $status }
last-turn-ago = Last turn: { $status }, { $age } ago
nothing-ignored = No message was ignored here in the last 24 h.
ignored = { $count ->
    [one] { $count } message ignored here in the last 24 h: { $why }
   *[other] { $count } messages ignored here in the last 24 h: { $why }
}
ignored-author = { $count } from bots
ignored-place = { $count } in a place that is not allowed
ignored-sender = { $count } from people not allowed
ignored-pause = { $count } while paused
ignored-mode = { $count } while listening
ignored-addressing = { $count } not addressed to me
ignored-rate = { $count } over the rate limit
ignored-budget = { $count } over today's budget
ignored-loop = { $count } of bots talking to each other
platform-is = { $platform }: { $state }
platform-event = { $platform }: { $state }, last event { $age } ago
nothing-used = No model was asked anything here in the last 24 h.
used = Used here in the last 24 h:
no-price = Cost: not known, no price is configured.
usage-row = { $day } { $kind }, { $model }: { $requests ->
    [one] { $requests } request
   *[other] { $requests } requests
}, { $input } tokens in ({ $cached } cached), { $output } out
usage-row-cost = { $day } { $kind }, { $model }: { $requests ->
    [one] { $requests } request
   *[other] { $requests } requests
}, { $input } tokens in ({ $cached } cached), { $output } out, { $cost }

## Changing how it is here

dm-always = In a private chat I always answer; modes are for groups.
stopped-on-command = stopped on command
audit-answer = stopped an answer
audit-work = stopped { $count } in the background
audit-answer-and-work = stopped an answer and { $count } in the background
stopped-with-work = Stopped, along with { $count } in the background.
stopped = Stopped.
nothing-runs = Nothing is running here.
new-how = { $command } starts over; { $command } undo brings the old chat back.
now-active = I answer every message here now.
now-mention-only = I answer here when somebody addresses me.
now-quiet = I'm listening but won't reply here until { $active } or { $mention }.
ends-it = { $line }. { $command } ends it.
and-paused = { $line } { $paused }; { $command } ends that.
paused-until = Paused: I won't answer here until { $command }.
not-paused = This channel is not paused.
resumed = Resumed. ({ $line })
model-set-here = Model here: { $model } (set here).
model-configured = Model here: { $model } (as configured).
model-how = To change it: { $command } provider/name.
model-back = { $command } default goes back to the usual one.
model-unknown = I cannot ask { $model }. Write provider/name, with one of: { $known }; or default.

## What I store about you

ambient-kept = the newest { $count } per channel, { $time }
ambient-not-kept = not stored
at-most-mb = { $time }, at most { $megabytes } MB in all
no-backups = none are made
and-more = and { $count } more
forgetme-how = Send { $command } to see what would be deleted, { $command } now to do it.
forgetting-already = I am deleting it already, and will tell you here when it is done.
forgetting = I am deleting it now, and will tell you here when it is done.
optout-how = Send { $command } or { $command } off.
listens-again = I'm listening to you again.
not-opted-out = You had not opted out.
opted-out = From now on I store nothing you write, show it to no model, and don't answer it; of each message I note only when it came. Commands still work: { $optout } off ends this, { $forgetme } deletes what I have stored already.
withheld-memory = [withheld: told by somebody else]
days = { $days ->
    [one] { $days } day
   *[other] { $days } days
}
hours = { $hours ->
    [one] { $hours } hour
   *[other] { $hours } hours
}
for-ever = for ever
too-often = That was too often. Ask again in a minute; until then I won't answer it.

## Time zones

local-time = { $day ->
    [monday] Monday
    [tuesday] Tuesday
    [wednesday] Wednesday
    [thursday] Thursday
    [friday] Friday
    [saturday] Saturday
   *[sunday] Sunday
} { $time }
direct-messages = direct messages
your-zone = Your time zone is { $zone }: it is { $time }.
no-zone = You have not told me a time zone.
zone-forgotten = I forgot your time zone.
zone-here = Times here are in { $zone }.
zone-how = { $command } sets yours.
zone-how-off = { $command } sets yours, { $off } off forgets it.
no-zones = I know no time zones; the operator can fix that, `doctor` says how.
zone-unknown = { $words } { $problem }. Send { $command }.
reports-keep = The model uses it. Times in my reports follow your app's clock.

## Skills

skills-how = Write { $command }, or { $command } enable|disable and the name of one.
skills-bad = { $count ->
    [one] { $count } skill is left out because something is wrong with it. `!cortex skills` says what.
   *[other] { $count } skills are left out because something is wrong with them. `!cortex skills` says what.
}
no-skills = There are no skills here. Each is a folder with a SKILL.md, in `skills` of the data directory.
skills-on = Skills here: { $on } of { $all } on.
skill-on = ✓ { $name } (on): { $about }
skill-on-here = ✓ { $name } (on, set here): { $about }
skill-off = ○ { $name } (off): { $about }
skill-off-here = ○ { $name } (off, set here): { $about }
more-skills = … and { $count } more: { $names }
no-such-skill = There is no skill { $name } here. Skills: { $names }.
none = none
skill-on-already = { $name } is on here already.
skill-off-already = { $name } is off here already.
skill-now-on = { $name } is on in this channel from now on. { $command } disable { $name } undoes that.
skill-now-off = { $name } is off in this channel from now on. { $command } enable { $name } undoes that.
