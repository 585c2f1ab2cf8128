### Why an answer is shorter than what the model wrote: a part was not sent.

verdict = { $place }: words were held back
written = The model wrote { $count } characters that were not sent:
text-after-reply = the bot sends no text after a call of `reply`.
has-words = It has { $count ->
    [one] 1 word
   *[other] { $count } words
}; the request shows them.
request = the last request, and what was written
sent = what was sent
ask-for-rest = Ask it for the rest, or ask again for one answer in one piece.
other-model = The request has the words. If it happens often, another model follows the rules better.
