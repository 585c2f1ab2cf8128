### Why every channel waited: one step held up the whole bot.

verdict = { $place }: the whole bot froze
stood = For { $seconds } s, { $count ->
    [one] once
   *[other] { $count } times
}; last until { $time }.
tool-held = Tool { $tools } blocked it.
tool-ran = Tool { $tools } ran meanwhile.
two = { $one } and { $other }
stood-at = It froze at { $where }.
not-known = Nothing on record says where it froze.
nobody-answered = Meanwhile no channel got an answer, and `stop` was not heard.
turn = the turn
ask-again = Ask again; if it happens again, tell the operator which tool it is.
switch-off = Switch off { $what ->
    [none] what was changed last
   *[other] { $what }
}, or have it wait in a thread; the log says event_loop_blocked.
settle = the log has the tool and the time of each event_loop_blocked.
