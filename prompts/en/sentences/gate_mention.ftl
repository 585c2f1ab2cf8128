### Why a message got no answer: nobody addressed the bot.

verdict = { $place }: not addressed to the bot
record = gate { $gate }
mentions = It mentions { $names }, not the bot.
mentions-more = It mentions { $names } and { $more } more, not the bot.
mentions-somebody = It mentions somebody else, not the bot.
replies-to-somebody = It replies to somebody else.
no-mention = It doesn't mention, name or reply to the bot.
held-role = A role mention only counts if the role is one of the bot's names.
mode-changed = The mode was changed since.
mention-only = This channel is on mention-only.
mention-only-since = This channel is on mention-only since { $time }.
count = { $count } such messages in 24 h.
ask-again = Ask again: it answers every message here now.
mention-it = Mention the bot or reply to it, or let it answer everything here with `active`.
say-active = Say `active` in the channel and it answers everything; set `names` to add names it answers to.
