### Eine Zusammenfassung in Zeilen.

by-model = { $time } UTC, von { $model }, { $requests ->
    [one] { $requests } Anfrage
   *[other] { $requests } Anfragen
} · der Kontext war zu { $percent } % voll ({ $level })
by-model-unknown = { $time } UTC, von { $model } · der Kontext war zu { $percent } % voll ({ $level })
by-rules = { $time } UTC, durch Regeln, kein Modell gefragt · der Kontext war zu { $percent } % voll ({ $level })
decided = { $state } um { $time } UTC: { $reason }
written-in = geschrieben in { $handle }
took = { $turns ->
    [one] { $turns } Turn
   *[other] { $turns } Turns
}, { $messages ->
    [one] { $messages } Nachricht
   *[other] { $messages } Nachrichten
}
size = { $before } auf { $after } Token
lacks = { $count ->
    [one] { $count } Name oder eine Zahl fehlt darin
   *[other] { $count } Namen oder Zahlen fehlen darin
}
