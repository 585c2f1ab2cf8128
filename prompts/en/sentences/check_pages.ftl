### Buttons by which an admin says what was right.

as-it-did = As it did: { $did }
should-answer = It should answer
should-be-silent = It should stay silent
