### Why the bot knows nothing of before: the conversation goes on in another place.

verdict = { $place }: it begins without history
own-conversation = Each is a separate conversation here.
answered-before = The bot answered the same person shortly before
answered-in = in { $name }, which this thread belongs to.
nth-thread = This is thread { $count } for the same person
one-question = within half an hour, with one question each.
request = request as sent, with no earlier turn
answered-other = answered { $time }, in the other one
go-on-parent = Continue where it was said, or tell it here what it needs to know; `context` shows what it was told.
go-on-thread = Continue in one thread, or tell it here what it needs to know; `context` shows what it was told.
settle = what did the answer lack?
