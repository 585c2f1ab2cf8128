### Die Knöpfe eines Beweises.

go-on = Weiter
both = { $one } und { $other }
named = { $more ->
    [0] { $parts }
   *[other] { $parts } und { $more } weitere
}
