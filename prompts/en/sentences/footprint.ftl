### How much of one person is on record, in numbers.

messages = { $count ->
    [one] { $count } message
   *[other] { $count } messages
}
lines = { $count ->
    [one] { $count } conversation line, { $whose ->
        [yours] yours
       *[theirs] theirs
    } and the answers
   *[other] { $count } conversation lines, { $whose ->
        [yours] yours
       *[theirs] theirs
    } and the answers
}
answers = { $count ->
    [one] { $count } answer sent to { $whose ->
        [yours] you
       *[theirs] them
    }
   *[other] { $count } answers sent to { $whose ->
        [yours] you
       *[theirs] them
    }
}
requests = { $count ->
    [one] { $count } recorded request
   *[other] { $count } recorded requests
}
calls = { $count ->
    [one] { $count } tool call
   *[other] { $count } tool calls
}
memories = { $count ->
    [one] { $count } memory by or about { $whose ->
        [yours] you
       *[theirs] them
    }
   *[other] { $count } memories by or about { $whose ->
        [yours] you
       *[theirs] them
    }
}
work = { $count ->
    [one] { $count } task done for { $whose ->
        [yours] you
       *[theirs] them
    }
   *[other] { $count } tasks done for { $whose ->
        [yours] you
       *[theirs] them
    }
}
choices = { $count ->
    [one] { $count } time zone or language set by { $whose ->
        [yours] you
       *[theirs] them
    }
   *[other] { $count } time zones or languages set by { $whose ->
        [yours] you
       *[theirs] them
    }
}
quotations = { $count ->
    [one] { $count } message of others that quotes { $whose ->
        [yours] you
       *[theirs] them
    }
   *[other] { $count } messages of others that quote { $whose ->
        [yours] you
       *[theirs] them
    }
}
