### Why nothing happened although the answer says so: the bot claims what it did not do.

verdict = { $place }: it claims what it did not do
says = The answer says { $claim };
call-failed = its call of { $tool } failed in turn { $turn }.
no-call = it called no tool in turn { $turn }.
only-called = in turn { $turn } it only called { $tool }{ $more ->
    [0] .
   *[other] {" "}and { $more } more.
}
answer = the answer, with its claim
turn = the turn, with its calls
failed-call = the call that failed
settle-call = what that call came back with.
settle-others = whether somebody else did it, or an earlier turn.
no-tool = It has no tool for that: do not rely on it.
do-again = Ask it to do it again, and do not rely on what it said.
say-it-cannot = The bot has no tool for that; say in bot.persona that it cannot.
open-call = Open the call to read why it failed, then ask the bot to do it again.
other-model = Ask it to do it again; if a model does this often, use another one.

## what an answer claims, behind "the answer says"
claims-to-remember = it will remember
claims-saved = something was saved
claims-deleted = something was deleted
claims-sent = something was sent
claims-to-remind = it will remind somebody
claims-file = a file was made
claims-changed = something was changed
claims-looked-up = something was looked up
claims-moderated = somebody was muted or removed
claims-set-up = something was set up or pinned
claims-done = it was done
