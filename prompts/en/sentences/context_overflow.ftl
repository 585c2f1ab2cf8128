### Why a message got no answer: the prompt does not fit into the model's window.

verdict = { $place }: { $what ->
    [result] the result
    [message] the message
   *[context] the prompt
} is too long
request = request as sent, with all its parts
ask-for-less = Ask for less at once.
window-is-smaller = Tell the operator: the model's window is smaller than configured.
ask-in-parts = Ask for it again, in smaller parts.
send-in-parts = Send it in smaller parts.
not-the-channel = Tell the operator: what fills the window was not said in this channel.
say-new = Say `new` to the bot in the channel; what was said stays stored.
larger-window = Ask for less at once, or use a model with a larger window.
set-window-to = Set model.context_window = { $limit } (the service says so), and restart.
set-window = Set model.context_window to what the service says (open the request), and restart.
ask-in-parts-fix = Ask for it in smaller parts, or use a model with a larger window.
send-in-parts-fix = Have it sent in smaller parts, or use a model with a larger window.
shorten = Shorten the largest part, lower max_output_tokens, or use a model with a larger window.
settle = the service's own words, in the request.
tools-brought = What the model's tools returned did not fit.
numbers = { $about ->
    [yes] ≈ { $total }
   *[no] { $total }
} tokens and { $answer } for the
numbers-before = Before it: { $about ->
    [yes] ≈ { $total }
   *[no] { $total }
} tokens and { $answer } for the
numbers-window = answer, of a window of { $window }.
window-is-wrong = By our count it fits: the window we assume is wrong.
over = The next request is { $rough ->
    [yes] ≈ { $count }
   *[no] { $count }
} tokens too long.
left-out = It did not fit even after the bot left out
left-out-more = everything it can leave out.
characters = It has { $count } characters.
window = The model's window is { $window } tokens,
taken = { $rough ->
    [yes] ≈ { $count }
   *[no] { $count }
} of them are taken without it.
largest = Largest: { $block ->
    [tools] the tools
    [history] the history
   *[section] the part { $name }
}, { $tokens } tokens.
