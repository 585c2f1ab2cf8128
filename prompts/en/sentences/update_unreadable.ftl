### Why a message got no answer: the bot cannot read its form.

verdict = { $place }: the bot could not read it
delivered = { $name } delivered it at { $time },
form = in a form that the bot cannot read ({ $what }).
kind = and the bot does not know its kind ({ $what }).
plain-text = Say it again as plain text.
update = Update the bot: a newer version may know this form. The log has the fault.
not-supported = { $place }: not supported
business = It was written to somebody's business account,
own-name-only = and this bot answers nobody in other people's names.
write-to-bot = Write to the bot itself.
business-off = @BotFather: Business Mode, off; or disconnect it (Telegram Business, Chatbots).
