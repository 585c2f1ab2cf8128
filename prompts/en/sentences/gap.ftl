### Which of what only one side has: short, behind its count.

on-its-way = on its way
tries = { $count ->
    [one] 1 try
   *[other] { $count } tries
}
