### Die Geschichte einer Erinnerung: von wem sie stammt, wo, wann sie nachgeschlagen wurde und was daraus wurde.

forgotten = Vor { $age } vergessen.
kind = Eine Erinnerung: { $type }, Wichtigkeit { $importance }.
known = Bekannt { $scope ->
    [channel] in diesem Kanal
    [user] bei einer Person
    [guild] auf dem ganzen Server
   *[global] überall
}, Version { $version }.
known-often = Bekannt { $scope ->
    [channel] in diesem Kanal
    [user] bei einer Person
    [guild] auf dem ganzen Server
   *[global] überall
}, Version { $version }, { $times }-mal gesagt.
known-often-last = Bekannt { $scope ->
    [channel] in diesem Kanal
    [user] bei einer Person
    [guild] auf dem ganzen Server
   *[global] überall
}, Version { $version }, { $times }-mal gesagt, zuletzt vor { $age }.
caused-by = Stammt von { $name } (ID { $user }), { $rank },
ago-in = vor { $age } in { $place }.
ago-in-message = vor { $age } in { $place }, durch Nachricht { $handle }.
ago-in-unrecorded = vor { $age } in { $place }, durch eine Nachricht, die ich nicht aufgezeichnet habe.
origins = Sie { $counts }.
about = Über { $people }.
id = ID { $user }
looked-up = { $times ->
    [one] { $times }-mal
   *[other] { $times }-mal
} nachgeschlagen, zuletzt vor { $age }.
never-looked-up = Kein Werkzeug hat sie je nachgeschlagen.
told-in = Dem Modell gesagt in { $count ->
    [one] { $count } Anfrage
   *[other] { $count } Anfragen
}: { $handles }
told-in-more = Dem Modell gesagt in mehr als { $count ->
    [one] { $count } Anfrage
   *[other] { $count } Anfragen
}: { $handles }
never-told = Keine aufgezeichnete Anfrage hat dem Modell davon erzählt.
flagged = ⚑ Nicht von einem Admin und über { $subjects }.
related = Beziehung: { $relation }
related-passive = Beziehung: { $relation }
may-merge = `memory merge { $handles }` macht aus beiden eine; Moderatoren schlagen es vor: `memory propose merge`.
