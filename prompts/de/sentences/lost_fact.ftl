### Warum eine Antwort weniger weiß als früher: Was einmal gesagt wurde, erfährt das Modell nicht mehr.

verdict = { $place }: es erfährt weniger als früher
said-by = die Nachricht, die es sagte
took-it-out = was es herausnahm, und was dabei verloren ging
settle = hol es zurück, oder lass es merken, und frag noch einmal.
not-told = { $count ->
    [one] 1 Nachricht von Leuten erfährt das Modell nicht mehr.
   *[other] { $count } Nachrichten von Leuten erfährt das Modell nicht mehr.
}
said-in = Es stand in { $handle }; die erfährt das Modell nicht mehr.
fresh-chat = { $who ->
    [none] Jemand
   *[other] { $who }
} hat { $time } einen neuen Chat angefangen.
emergency = Notschnitt { $handle } nahm es { $time } heraus,
without-summary = ohne Zusammenfassung{ $failed ->
    [0] .
    [one] , nachdem eine gescheitert war.
   *[other] , nachdem { $failed } gescheitert waren.
}
summed-up = Kürzung { $handle } fasste es { $time } zusammen.
lacks = In der Zusammenfassung fehlt { $things }{ $more ->
    [0] .
   *[other] {" "}und { $more } weitere.
}
undo-new = `/new undo` holt den alten Chat innerhalb von 24 Stunden zurück.
undo-compaction = `compactions undo { $handle }` holt es zurück; oder lass es den Bot merken.
remember = Lass es den Bot merken: Was abgeschnitten wurde, kommt nicht mehr zurück.
