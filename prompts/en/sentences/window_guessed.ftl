### Why an answer knows too little: nobody knows how much the model can read, or it reads less than it was sent.

verdict-part = { $place }: it read only part of it
sent = The bot sent ≈ { $sent } tokens; the service
read = says that it read { $read }, without an error.
half = Half of a window of { $window }, as Ollama cuts.
no-more = That is a window of { $window }, and no more.
usage = request as sent, and the usage
cuts-off = Tell the operator: the model's server cuts off what is too long for it, and the oldest goes first.
more-room = Give the server more room (Ollama: num_ctx, or OLLAMA_CONTEXT_LENGTH), or set model.context_window to less.
settle = does its log say `truncating input prompt`?
verdict-guess = { $place }: the window is a guess
not-known = Nobody knows how much { $model ->
    [none] the model
   *[other] { $model }
} can read;
assumed = the bot assumes { $window } tokens.
left-out = It left out { $count ->
    [one] 1 old turn
   *[other] { $count } old turns
} because of that.
too-small = That was too small for what it had to send.
request = request as sent, and what was left out
has-to-guess = Tell the operator: the bot has to guess how much this model can read.
set-window = Set model.context_window to what the model really holds, and restart.
