### What the buttons of fixes say, and what they change is called.

messages = { $count ->
    [one] { $count } message
   *[other] { $count } messages
}
memories = { $count ->
    [one] { $count } memory
   *[other] { $count } memories
}

## What is changed

the-pause = the pause
the-mode = the mode
the-model = the model
the-channel = the channel
skill = skill { $name }
tool = tool { $name }
id = id { $user }
the-history = the history
the-conversation = the conversation
the-rollback = the rollback
changes-since = everything changed since { $time } UTC
changes-since-by = everything id { $user } changed since { $time } UTC
memories-of-file = { $count ->
    [one] { $count } memory from a file
   *[other] { $count } memories from a file
}

## Buttons

pause-on = Pause { $place }
pause-off = Resume { $place }
mode-active = Answer every message in { $place }
mode-mention-only = Answer only when addressed in { $place }
mode-observe = Only listen in { $place }
use-model = Use { $model } in { $place }
use-usual-model = Use the usual model in { $place }
skill-as-usual = Skill { $name } as usual in { $place }
switch-skill = Turn skill { $name } { $on ->
    [on] on
   *[off] off
} in { $place }
switch-tool = Turn tool { $name } { $on ->
    [on] on
   *[off] off
} in { $place }
let-person-in = Let id { $user } in
leave-person = Leave id { $user } to the lists
answer-place = Answer in { $place }
leave-place = Leave { $place } to the lists
import-memories = Import { $count ->
    [one] { $count } memory
   *[other] { $count } memories
} from a file
undo-rollback = Undo the rollback
roll-back = Undo { $count ->
    [one] { $count } change
   *[other] { $count } changes
}
answer-messages = Answer { $count ->
    [one] { $count } message
   *[other] { $count } messages
}
ask-model-again = Ask { $model } again
the-tools = the tools
reload-tools = Reload tools
shorten = Shorten { $place } now
start-over = Start over in { $place }
bring-back = Bring the old one back

## What holds now

paused = { $place } is paused.
resumed = { $place } is resumed.
answers-all = The bot answers every message there.
answers-addressed = The bot answers there when addressed.
answers-nothing = The bot answers nothing there.
model-answers = { $model } answers there from now on.
usual-model-answers = The usual model answers there from now on.
skill-configured = Skill { $name } is as the configuration has it.
skill-is = Skill { $name } is { $on ->
    [on] on
   *[off] off
} there.
tool-is = Tool { $name } is { $on ->
    [on] on
   *[off] off
} there.
person-let-in = Id { $user } is let in there.
person-left = Id { $user }: the lists decide again.
place-let-in = { $place } is let in, whatever the lists say.
place-left = { $place }: the lists decide again.
rolled-back = undone: everything changed since { $time } UTC
rolled-back-by = undone: everything id { $user } changed since { $time } UTC
rollback-undone = the rollback is undone
