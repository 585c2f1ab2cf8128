### Welche Werkzeugaufrufe und welche Arbeit eines Turns hängen, lange dauern, scheiterten oder abgelehnt wurden.

a-call = ein Aufruf
call-runs = { $name } läuft seit { $time } ({ $took }).
call-slow = { $name } brauchte { $took }, ab { $time }.
call-failed = { $name } { $how ->
    [refused] wurde { $time } abgelehnt
   *[failed] scheiterte { $time }
}{ $took ->
    [none] {""}
   *[other] {" "}nach { $took }
}{ $words ->
    [none] {""}
   *[other] : { $words }
}
work-runs = { $kind ->
    [branch] Nebengespräch
    [worker] Worker
   *[other] { $kind }
} { $handle } läuft seit { $time } ({ $took }){ $words ->
    [none] {""}
   *[other] : { $words }
}
work-ended = { $kind ->
    [branch] Nebengespräch
    [worker] Worker
   *[other] { $kind }
} { $handle } { $how ->
    [timeout] brauchte zu lange, { $time }
    [cancelled] wurde { $time } abgebrochen
   *[failed] scheiterte { $time }
} nach { $took }{ $words ->
    [none] {""}
   *[other] : { $words }
}
