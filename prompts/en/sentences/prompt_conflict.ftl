### Why the bot answers oddly, or not: its prompt contradicts itself, or says the same again and again.

contradicts = { $place }: its prompt contradicts itself
persona-tells = The persona (section identity) tells it to
persona-tells-more = answer only when addressed; the rules of
rules-ask-more = { $where ->
    [dm] private chats
   *[channel] this channel's mode (active)
} ask for more. It called skip.
mention-it = Mention the bot, or tell the operator: its persona and the channel's mode contradict each other.
out-of-persona = Take that out of the persona: the mode decides when to answer (`active`, `mention`).
settle-persona = ask the same without that sentence of the persona.
repeats = { $place }: its prompt repeats itself
twice-in = The same paragraph is in section { $section } twice:
in-two = The same paragraph is in { $one } and { $other }:
beginning = { $count } characters, beginning
told-twice = Tell the operator: the bot is told the same thing twice, which costs money and weighs too much.
reword-persona = Reword the persona (bot.persona, or the channel's own), and restart.
grows = { $place }: same text in every message
repeat-it = { $count } of the newest { $of } messages repeat it,
share = { $percent } % of their words, and every request
begins = grows by it. It begins
look-for-it = Find what adds it (a hook, a bridge, a signature) and take it out there.
persona-once = If the bot has to know it, put it into the persona, where it is sent once.
settle-new = start over (`!new`) without it, and compare the sizes of two requests.
request = request as sent, with all its parts
