### What a turn that ended in silence is called.

skipped = { $category ->
    [none] chose silence
   *[other] chose silence ({ $category })
} · { $rounds ->
    [one] 1 round
   *[other] { $rounds } rounds
}
ended = { $status ->
    [running] still running
    [replied] replied
    [skipped] chose silence
    [failed] failed
    [cancelled] stopped
   *[interrupted] interrupted
} · { $rounds ->
    [one] 1 round
   *[other] { $rounds } rounds
}
took = { $what } · { $seconds } s
