### Die Knöpfe eines Beweises.

go-on = Weiter
