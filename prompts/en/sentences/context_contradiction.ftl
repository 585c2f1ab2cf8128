### Why an answer is wrong: two lines that the model was told exclude each other.

verdict = { $place }: it was told two versions
contradicts = What it was told contradicts itself:
both = { $one } and { $other }:
differ = { $difference ->
    [negation] one says no
    [figure] another time or number
   *[value] another value
}. The answer used one.
one-of-two = one of the two
the-other = the other
request = request as sent, with both
forget-wrong = Have the bot forget the wrong one, or tell it which is right.
reword = Forget the wrong memory, or reword bot.persona.
settle = which of the two is right?
