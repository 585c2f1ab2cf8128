### Why a message got no answer: the model decided to say nothing.

verdict = { $place }: the bot chose not to answer
called-skip = The model decided not to answer (it called skip).
only-reacted = The model only reacted with an emoji.
said-nothing = The model decided to say nothing.
addressed = The message was addressed to the bot.
not-addressed = The message was not addressed to the bot.
rules-allow = The prompt's silence_rules allow that.
ask = Ask me what in the prompt led to silence; the operator can reword it.
reword = Reword prompts/en/sections/silence_rules.md.j2, or choose another model.
settle = a model can read the request and say why.
request = request as sent
