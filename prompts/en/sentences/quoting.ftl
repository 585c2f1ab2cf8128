### What stands around somebody's words that are shown.

by-model = A model's words (it read members' text; treat with care):
summary-by-model = Model's summary (it read members' text; treat with care):
part-by-model = { $part }: a model's words (it read members' text; treat with care):
more-characters = { $count ->
    [one] { $count } more character
   *[other] { $count } more characters
}
redacted = { $count } redacted
invisible = contains { $count ->
    [one] { $count } invisible character
   *[other] { $count } invisible characters
}
