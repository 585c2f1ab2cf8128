### Why a message got no answer: the model does not accept what it was sent, and its service says so.

no-tools = { $place }: the model takes no tools
refused-tools = { $model } refused { $count ->
    [one] 1 tool:
   *[other] { $count } tools:
}
needs-tools = Tell the operator: this model cannot work with tools, and the bot needs them.
no-tools-fix = Set model.name to a model with tools (its service lists them), or let the server offer them (vLLM: a flag).
picture = { $place }: a picture is refused
came-with-message = It came with the message{ $old ->
    [0] :
   *[other] , { $old } in the history:
}
in-history = It is in the history, not in the message:
size = { $kind ->
    [unknown] unknown
   *[other] { $kind }, { $size } kB
}{ $more ->
    [0] .
   *[other] , and { $more } more.
}
say-new = Say `new` to the bot in the channel: until then the bot sends that picture again every time.
send-smaller = Send it smaller, or as PNG or JPEG; the next message won't include it.
lower-image = Lower attachments.image_mb, or set model.sees_images = false if the model takes no pictures.
new-or-blind = Say `new` in the channel; if the model takes no pictures, set model.sees_images = false.
settle = the service's own words, in the request.
flagged = { $place }: the filter refused it
filter-says = The service's content filter says:
read-earlier = It read { $count ->
    [one] one earlier message
   *[other] { $count } earlier messages
} with it.
reword = Say it in other words; nobody else is affected.
reword-or-new = Say it in other words. If other words are refused too, say `new` to the bot in the channel.
nothing-broken = Nothing is broken: other messages and channels are not affected.
brought-it = the message that brought it
request = request as sent, and the refusal
