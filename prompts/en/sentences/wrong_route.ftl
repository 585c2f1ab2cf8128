### Why no answer is to be seen: it went to another channel.

verdict = { $place }: answered elsewhere
addressed-to = The answer is addressed to { $channel },
not-here = not to the channel where it was asked.
there-now = It is there now.
not-sent-yet = It has not been sent yet.
answer = the answer, with its address
look-there = Look in the other channel; tell the operator, because an answer must never leave its channel.
report = This is a bug in the program: report { $handle }.
