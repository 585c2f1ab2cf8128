### Why a message waits: what is before it does not move.

verdict = { $place }: the queue is stuck
verdict-tool = { $place }: a tool took too long
takes-too-long = One answer has taken { $age } so far; the limit is { $limit }.
waits-for-model = It has waited for { $model } since { $time }.
is-at = Doing now: { $what }
let-in-waits = Accepted { $age } ago. It is waiting; nothing picks it up.
let-in-nowhere = Accepted { $age } ago, but in no queue and not being answered.
let-in-outside = Accepted { $age } ago, no result so far;
not-visible = the queue cannot be seen from here.
waiting = { $count } waiting, the oldest for { $age }.
ran-out-at-tool = The model had answered; then a tool used up the time.
slowest = Slowest: { $tool }, { $seconds } s.
calls = the turn, { $count ->
    [one] 1 tool call
   *[other] { $count } tool calls
}
running-turn = the running turn
say-stop = Say `stop` to the bot in the channel: the others get their turn; then ask the stopped question again.
stop-then-look = `stop` in the channel ends the turn; if it happens again, find out what hangs: tool or provider.
ask-again = Ask again; if it happens again, tell the operator which tool it is.
look-at-tool = Find out what that tool waits for; model.turn_timeout is how long a turn may take.
settle = ask the running bot, in a chat.
