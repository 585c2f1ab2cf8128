### Why an answer did not go out: the platform said what is wrong with it.

## What is wrong, and what helps

too-long = { $place }: the answer is too long
shorter = Ask for a shorter answer, or for one in parts.
markup = { $place }: its formatting is refused
plain-text = Ask again, for plain text.
flood = { $place }: told to send more slowly
flood-wait-advice = Wait: it goes out by itself. It helps to write fewer messages here at a time.
flood-fix = It goes out by itself. If it happens again, set limits.sends_per_second (0.3 suits a busy group) and restart.
flood-given-up = Ask again later, when less is written here: the bot does not resend what it gave up on.
slow-mode = { $place }: slow mode holds the bot back
no-slow-mode = Make the bot an admin there, or turn slow mode off; `!cortex doctor` shows both.
dm-closed = { $place }: closed to the bot
open-chat = The person it is for must let the bot write (press Start, allow direct messages, or unblock it) and ask again.
only-they-can = Nothing helps on the host: only that person can open the chat, or unblock the bot.
migrated = { $place }: the group has a new id
ask-in-group = Ask again in the group; if it happens again, tell the operator.

## Why

refused-long = { $name } refused it as too long.
characters = It has { $count } characters.
refused-marks = { $name } refused its formatting,
refused-plain = and the plain text too.
no-writing = { $name } does not let the bot write there:
no-shared-server = they share no server with it.
never-opened = never opened, blocked, or gone.
lost = Lost: { $what ->
    [cortex] an answer of the cortex
   *[answer] the answer
}.
became-supergroup = It became a supergroup; its old id no longer works.
flood-gave-up = { $name } asked the bot to wait again and again;
flood-attempts = it gave up after { $count ->
    [one] 1 attempt
   *[other] { $count } attempts
}.
flood-until = { $name } asked the bot to wait until { $time } ({ $left });
flood-now = { $name } asked the bot to wait; it tries again now;
flood-tried = it has tried { $count ->
    [one] once
   *[other] { $count } times
}.
slow-line = Slow mode: one message in { $age }, except for admins.
only-beginning = Only its beginning arrived.

## An answer that lost its formatting

unadorned = { $place }: answer lost its formatting
unadorned-why = { $name } refused the formatting, so the bot sent
unadorned-more = plain text. No word is missing.
unadorned-record = sent without its formatting
unadorned-advice = Read it as it is, or ask again.
unadorned-fix = The bot formatted it wrongly: report { $delivery ->
    [none] the delivery
   *[other] { $delivery }
}.
