### The buttons of a proof.

go-on = Go on
