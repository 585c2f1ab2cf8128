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

## Für den Doktor

counts = seit dem Start: { $done } gelungen, { $failed } gescheitert, { $freed } Token frei geworden
off = abgeschaltet: Alte Turns fallen ungelesen weg
left-alone = { $channel } bleibt bis { $time } UTC in Ruhe, nach { $failures ->
    [one] { $failures } Fehlschlag
   *[other] { $failures } Fehlschlägen
}: { $why }{ $more ->
    [0] {""}
    [one] {" "}(und { $more } weiterer Kanal)
   *[other] {" "}(und { $more } weitere Kanäle)
}
left-alone-fix = Sieh dort `!cortex compactions` an; mit einem anderen compaction.summarization_model klappt es vielleicht.
