### Why a message got no answer: nothing usable came back from the model.

rounds = { $place }: it used up its rounds
markup = { $place }: a tool call came as text
filtered = { $place }: the answer was filtered
only-thought = { $place }: it thought and said nothing
empty = { $place }: the answer was empty
kept-calling = The model kept calling tools and never
kept-calling-more = answered; { $count ->
    [one] 1 call
   *[other] { $count } calls
} in all.
call-as-words = Twice, the model wrote a tool call as
call-as-words-more = plain text. A server with a tool call
call-as-words-end = parser for this model would have read it.
no-text = The model answered without any text.
stopped-with = The model stopped with `{ $reason }`.
output = { $output } tokens of output{ $counted ->
    [no] .
    [about] , about { $reasoning } of them reasoning.
   *[yes] , { $reasoning } of them reasoning.
}
output-unknown = The service did not count its output{ $counted ->
    [no] .
    [about] ; about { $reasoning } tokens were reasoning.
   *[yes] ; { $reasoning } tokens were reasoning.
}
read-thoughts = Open the request to read its thoughts.
request = request as sent, and the answer
ask-again = Ask again, in other words or in smaller parts; if it happens again, tell the operator.
raise-rounds = Raise model.rounds, or look at the tool calls: do they repeat themselves?
start-parser = Start the model's server with its tool call parser (vLLM: --enable-auto-tool-choice --tool-call-parser; llama.cpp: --jinja), or use another model.
lower-output = Lower model.max_output_tokens or model.context_window: prompt and answer share the model's window.
raise-output = Raise model.max_output_tokens, or lower the model's reasoning effort.
filter-took-it = The provider's filter removed it; another model may answer.
other-model = Try another model: the bot asked this one twice and got nothing.
