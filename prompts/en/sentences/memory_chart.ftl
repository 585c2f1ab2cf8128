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
kind = { $kind ->
    [identity] { $count ->
        [one] { $count } identity
       *[other] { $count } identities
    }
    [goal] { $count ->
        [one] { $count } goal
       *[other] { $count } goals
    }
    [human] { $count ->
        [one] { $count } about people
       *[other] { $count } about people
    }
    [decision] { $count ->
        [one] { $count } decision
       *[other] { $count } decisions
    }
    [todo] { $count ->
        [one] { $count } todo
       *[other] { $count } todos
    }
    [preference] { $count ->
        [one] { $count } preference
       *[other] { $count } preferences
    }
    [fact] { $count ->
        [one] { $count } fact
       *[other] { $count } facts
    }
    [event] { $count ->
        [one] { $count } event
       *[other] { $count } events
    }
    [observation] { $count ->
        [one] { $count } observation
       *[other] { $count } observations
    }
   *[other] { $count ->
        [one] { $count } { $kind }
       *[other] { $count } { $kind }
    }
}
date = { $number ->
   *[other] { $day } { $month }
}
month-of-year = { $number ->
   *[other] { $month } { $year }
}
