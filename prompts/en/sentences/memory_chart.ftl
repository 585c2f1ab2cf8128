### Who taught the bot how much, and when.

server = The server of { $place }
others = { $count ->
    [one] { $count } other
   *[other] { $count } others
}
who = who
saved = saved
gone = gone
role = { $role }
forgotten-since = { $count } of them forgotten since
none-forgotten = none forgotten
title = { $place }: who taught it
one-bar = { $span }, one bar { $step ->
    [0] an hour
    [1] a day
    [7] a week
   *[other] for { $step } days
} (UTC)
in-that-time = remembered in that time
amount = { $count }, { $forgotten } forgotten
older = { $count ->
    [one] { $count } more is older
   *[other] { $count } more are older
}
roles-now = roles as they are now
from = from { $day }
more-kinds = { $kinds }, { $count } more
span = { $unit ->
    [hour] { $count ->
        [one] { $count } hour
       *[other] { $count } hours
    }
    [day] { $count ->
        [one] { $count } day
       *[other] { $count } days
    }
   *[week] { $count ->
        [one] { $count } week
       *[other] { $count } weeks
    }
} to { $until }
