### Why there are two answers, or one that the bot did not give: a second program uses its account, or it sent one twice.

one-process = Stop the other program: one process for each token. If you know of none, revoke the token.
second-program = Tell the operator: a second program uses the bot's account.
verdict-first = { $place }: answered by another program
was-first = A second program with the bot's account was first
was-first-more = with its answer; the bot did not post its own at { $time }.
own-answer = the bot's own answer
verdict-changed = { $place }: the answer was changed
was-changed = At { $time } another program changed its words with
was-changed-more = the bot's own account; this bot did not.
as-sent = the answer as it was sent
verdict-two = { $place }: two programs answer as the bot
spoke = The bot's account spoke { $count ->
    [one] once
   *[other] { $count } times
} after the message,
spoke-first = first at { $time }; this bot sent none of that.
you-ask = You are asking process { $pid }, of instance { $instance }.
not-by-us = said with the bot's account, not by this bot
settle = compare the two messages in the channel.
verdict-twice = { $place }: the answer was sent twice
same-words = Two deliveries for one message hold the same words;
second-at = the second went out at { $time }.
the-first = the first
the-second = the second
delete-one = Delete one of the two; tell the operator if it happens again.
open-turn = Open the turn: a tool may repeat what the answer says, or the model repeats itself.
