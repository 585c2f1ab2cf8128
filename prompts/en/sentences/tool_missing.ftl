### Why an answer invents something about a tool: the model was not offered it.

verdict = { $place }: it lacked a tool
called = The model called { $tool }{ $more ->
    [0] ,
   *[other] {" "}and { $more } more,
}
nameless = a tool without a name
spoken-of = { $who ->
    [answer] The answer
   *[message] The message
} speaks of { $tool },
not-offered = which is not among the { $count } it was offered.
turn = the turn, with its calls
request = request as sent, with its tools
invented = What the answer says about that tool is the model's invention: it was never there.
open-it = Open it, or say in bot.persona that the bot cannot do it here: what the model invents about it is not true.
say-cannot = Say in bot.persona what the bot cannot do here; what the model invents about it is not true.
settle = what the answer says of it, in the request.
call-has-to-say = A call has to say which tool it is for.
nobody-has-it = Nothing in the bot has a tool of that name.
not-known = Nothing here tells what has such a tool.
closed-here = There is one, but { $reason }.
closed-there = The { $process } has it, but { $reason }.
needs-authority = It needs the authority { $authority }.
only-there = Only the { $process } has it.
