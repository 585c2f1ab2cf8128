### The picture of where a memory went.

elsewhere = elsewhere
other-places = { $count } others
workers = { $count ->
    [one] { $count } worker
   *[other] { $count } workers
}
branches = { $count ->
    [one] { $count } branch
   *[other] { $count } branches
}
compactions = { $count ->
    [one] { $count } compaction
   *[other] { $count } compactions
}
among-it = including { $named }
