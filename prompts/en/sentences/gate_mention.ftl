### Why a message got no answer: nobody addressed the bot.

verdict = { $place }: not addressed to the bot
record = gate { $gate }
mentions = The message mentions { $names }, not the bot.
mentions-more = The message mentions { $names } and { $more } more, not the bot.
mentions-somebody = The message mentions somebody else, not the bot.
replies-to-somebody = The message replies to somebody else.
no-mention = The message doesn't mention, name or reply to the bot.
held-role = A role mention only counts if the role is one of the bot's names.
mode-changed = The mode was changed since.
mention-only = This channel is on mention-only.
mention-only-since = This channel is on mention-only since { $time }.
count = { $count } such messages in the last 24 h.
ask-again = Ask again: it answers every message here now.
mention-it = Mention the bot or reply to it, or let it answer everything here with `active`.
say-active = Say `active` to the bot in the channel and it answers everything; set `names` to add names it answers to.
