### Why nobody got an answer: the history has a tool call without its result, or a result without its call.

verdict = { $place }: its history is damaged
lack-half = { $count ->
    [one] A tool call lacks its other half:
   *[other] { $count } tool calls lack their other half:
}
service-says = The service says that a tool call
service-says-more = and its result do not belong together.
turns-failed = The last { $count } turns failed.
request = request as sent, and the refusal
say-new = Say `new` to the bot in the channel: until then no message gets an answer.
export-first = Say `new` in the channel; export the request before that and report it: a bug in the program.
settle = the service's own words, in the request.
