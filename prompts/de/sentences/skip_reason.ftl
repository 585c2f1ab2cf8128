### Wie ein Turn heißt, der in Schweigen endete.

skipped = { $category ->
    [none] wollte schweigen
   *[other] wollte schweigen ({ $category })
} · { $rounds ->
    [one] 1 Runde
   *[other] { $rounds } Runden
}
ended = { $status ->
    [running] läuft noch
    [replied] antwortete
    [skipped] wollte schweigen
    [failed] scheiterte
    [cancelled] angehalten
   *[interrupted] unterbrochen
} · { $rounds ->
    [one] 1 Runde
   *[other] { $rounds } Runden
}
took = { $what } · { $seconds } s
