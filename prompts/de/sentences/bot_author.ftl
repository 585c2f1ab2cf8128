### Warum eine Nachricht keine Antwort bekam: Kein Mensch hat sie geschrieben.

verdict-no-person = { $place }: nicht von einem Menschen
written-by = { $author ->
    [self] Der Bot selbst hat sie geschrieben;
    [bot] Ein anderer Bot hat sie geschrieben;
    [webhook] Ein Webhook hat sie geschrieben;
    [channel_post] Ein Kanal hat sie gepostet, kein Mensch;
    [anonymous_admin] Ein anonymer Admin hat sie geschrieben;
   *[person] Sie ist vielleicht nicht von einem Menschen;
}
not-answered-here = darauf antwortet der Bot hier nicht.
record = Gate { $gate }
let-a-person-ask = Lass einen Menschen fragen, oder bitte den Betreiber, Bots zuzulassen.
allow-bots = Sollen Bots, die ihn ansprechen, Antwort bekommen, setze allow_bots = true und starte neu.
verdict-loop = { $place }: zu viele Bot-Nachrichten
loop = Offenbar antworteten Bots einander:
loop-count = { $row } Nachrichten von Bots in Folge, erlaubt sind { $limit }.
let-a-person-write = Es endet, wenn ein Mensch schreibt. Sorg dafür, dass der andere Bot diesem nicht antwortet.
raise-limit = Erhöhe limits.loop_guard_messages, oder setze allow_bots = false, und starte neu.
