### Why an answer came without some words: the service's filter refused what was said before.

verdict = { $place }: answered without some words
filter-refused = The service's filter refused what was
filter-refused-more = said before, not the message itself.
left-out = Left out of requests: { $names }{ $more ->
    [0] .
   *[other] {" "}and { $more } more.
}
request = request as sent, without them
undo = `undo { $handle }` shows it to models again; left out since { $time }.
