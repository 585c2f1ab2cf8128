### Which tool calls and which work of a turn hang, took long, failed, or were refused.

a-call = a call
call-runs = { $name } has been running since { $time } ({ $took }).
call-slow = { $name } took { $took }, from { $time }.
call-failed = { $name } { $how ->
    [refused] was refused
   *[failed] failed
} at { $time }{ $took ->
    [none] {""}
   *[other] {" "}after { $took }
}{ $words ->
    [none] {""}
   *[other] : { $words }
}
work-runs = { $kind ->
    [branch] Branch
    [worker] Worker
   *[other] { $kind }
} { $handle } has been running since { $time } ({ $took }){ $words ->
    [none] {""}
   *[other] : { $words }
}
work-ended = { $kind ->
    [branch] Branch
    [worker] Worker
   *[other] { $kind }
} { $handle } { $how ->
    [timeout] ran out of time
    [cancelled] was stopped
   *[failed] failed
} at { $time } after { $took }{ $words ->
    [none] {""}
   *[other] : { $words }
}
