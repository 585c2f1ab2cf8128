### The buttons of a proof.

go-on = Go on
both = { $one } and { $other }
named = { $more ->
    [0] { $parts }
   *[other] { $parts } and { $more } more
}
