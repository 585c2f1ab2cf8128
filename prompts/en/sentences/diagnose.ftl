### What a report says around its cause: what became of the message, what is set now, what could not be looked at.

## The message

subject = { $which ->
    [newest] Newest message { $handle }
    [newest_unanswered] Newest unanswered message { $handle }
    [your_newest_unanswered] Your newest unanswered message { $handle }
    [newest_failed_work] The bot's own work { $handle }
    [replied_to] The message you replied to ({ $handle })
    [result] Result { $handle }
   *[message] Message { $handle }
}
no-message = No message from a person is on record here.
not-delivered = If somebody wrote, the platform did not deliver it: try `doctor`.
being-sent = { $subject } has its answer, which is being sent
in-progress = { $subject } is in progress: turn { $turn }, { $age }
waiting = { $subject } is in progress: waiting { $age }
waiting-behind = { $subject } is in progress: waiting { $age } behind a turn of { $running }
answered = { $subject } was answered at { $time }
answered-as = { $subject } was answered at { $time } · { $handle }
gated = { $gate ->
    [edited] { $subject } was edited; the bot does not answer edits
    [unknown] { $subject } was kept and not answered
   *[other] { $subject } was stopped: gate { $gate }
}
was-command = { $subject } was a command, carried out at { $time }
superseded = { $subject } was replaced: { $reason ->
    [none] edited or joined with a later one
   *[other] { $reason }
}
sent-once-more = { $subject } was answered; the bot sent the answer once more on request
sent-once-more-as = { $subject } was answered; the bot sent the answer once more on request · { $handle }
cancelled = { $subject } was stopped on request at { $time }
ended = { $subject } ended at { $time }: { $outcome ->
    [failed] failed
    [skipped] the model chose silence
    [interrupted] interrupted
    [uncertain] the answer may not have arrived
   *[other] { $outcome }
}

## The model that it waits for

asked-at = The bot asked { $model } at { $time } UTC ({ $age } ago); no word yet.
may-load = Its service is local and may still be loading the model, which can take minutes.
waits-until = The bot waits for it until { $time } UTC.

## What the bot itself had to do

work-done = The turn was about the result of { $kind } { $handle }.
work-ended = The turn was about { $kind } { $handle }, which { $state ->
    [failed] failed
    [timeout] ran out of time
    [cancelled] was stopped
   *[running] still runs
}{ $reason ->
    [none] .
   *[other] : { $reason }.
}
own-work = { $place }, own work{ $rest }
over-now = { $place }, over now{ $rest }
over-now-whole = Over now: { $verdict }
was-so = { $answered ->
    [one] It was so { $begun ->
        [same] at { $ended }
       *[other] from { $begun } to { $ended }
    }; since then 1 message was answered.
   *[other] It was so { $begun ->
        [same] at { $ended }
       *[other] from { $begun } to { $ended }
    }; since then { $answered } messages were answered.
}
if-again = If it happens again: { $what }

## What was done with the request

not-recorded = Not recorded here: digests and sizes only.
not-recorded-since = Not recorded here since { $time }, by { $role ->
    [owner] an owner
    [admin] an admin
    [moderator] a moderator
   *[other] somebody
} (id { $id }): digests and sizes only.
erased = The words of the request were erased on request.
told-in-words = { $model } takes no tools: the bot describes them in text, and it calls them that way.
no-tools = { $model } takes no tools: it runs without them.
too-many-calls = { $count ->
    [one] 1 tool call of one answer was
   *[other] { $count } tool calls of one answer were
} too many, and did not run.
searched = { $tokens ->
    [none] { $count ->
        [one] 1 request only looked for what the filter refuses.
       *[other] { $count } requests only looked for what the filter refuses.
    }
   *[other] { $count ->
        [one] 1 request only looked for what the filter refuses ({ $tokens } tokens in).
       *[other] { $count } requests only looked for what the filter refuses ({ $tokens } tokens in).
    }
}
left-out = Left out of requests: { $names }{ $more ->
    [0] ,
   *[other] {" "}and { $more } more,
} since { $time }: the service's filter refused it.
undo-left-out = → `undo { $handle }` shows it to models again.

## What people did

reacted = People reacted to the answer: { $reactions }.

## How things are now

platform-says = The platform says now: { $words }.
but-a-message = But a message came { $age } ago: ask again in a minute.
privacy = Group privacy is on: plain talk never reaches the bot here; commands and replies to it do.
privacy-fix = → @BotFather: /setprivacy, Disable, then add it to the group again. Or make it an admin there.
blind = Messages arrive empty here: the message content intent is off. Mentions work.
blind-fix = → Developer Portal, Bot, Privileged Gateway Intents: Message Content; then restart the bot.
paused-since = Paused now, since { $time }.
observes = It only listens now.
cooling = After failures, a model is on a break for another { $age }.
cooling-background = Background work is leaving a model alone for another { $age }; conversations are not.

## What could not be looked at

own-part = a part of this report
one-check = one of the checks
