### Was ein Bericht um seine Ursache herum sagt: was aus der Nachricht wurde, was jetzt gilt, was nicht zu sehen war.

## Die Nachricht

subject = { $which ->
    [newest] Die neueste Nachricht { $handle }
    [newest_unanswered] Die neueste Nachricht ohne Antwort { $handle }
    [your_newest_unanswered] Deine neueste Nachricht ohne Antwort { $handle }
    [newest_failed_work] Die eigene Arbeit des Bots { $handle }
    [replied_to] Die Nachricht, auf die du geantwortet hast ({ $handle }),
    [result] Das Ergebnis { $handle }
   *[message] Die Nachricht { $handle }
}
no-message = Hier ist keine Nachricht von Menschen vermerkt.
not-delivered = Wenn jemand geschrieben hat, kam es von der Plattform nicht an: Versuch `doctor`.
being-sent = { $subject } ist beantwortet, die Antwort wird gerade gesendet
in-progress = { $subject } ist in Arbeit: Turn { $turn }, { $age }
waiting = { $subject } ist in Arbeit: wartet { $age }
waiting-behind = { $subject } ist in Arbeit: wartet { $age } hinter einem Turn von { $running }
answered = { $subject } wurde um { $time } beantwortet
answered-as = { $subject } wurde um { $time } beantwortet · { $handle }
gated = { $gate ->
    [edited] { $subject } wurde bearbeitet; darauf antwortet der Bot nicht
    [unknown] { $subject } wurde aufgehoben und nicht beantwortet
   *[other] { $subject } wurde nicht eingelassen: Gate { $gate }
}
was-command = { $subject } war ein Befehl, um { $time } ausgeführt
superseded = { $subject } wurde ersetzt: { $reason ->
    [none] bearbeitet oder mit einer späteren verbunden
   *[other] { $reason }
}
sent-once-more = { $subject } wurde beantwortet; auf Wunsch sandte der Bot die Antwort noch einmal
sent-once-more-as = { $subject } wurde beantwortet; auf Wunsch sandte der Bot die Antwort noch einmal · { $handle }
cancelled = { $subject } wurde um { $time } auf Wunsch abgebrochen
ended = { $subject } endete um { $time }: { $outcome ->
    [failed] gescheitert
    [skipped] das Modell wollte schweigen
    [interrupted] unterbrochen
    [uncertain] die Antwort kam vielleicht nicht an
   *[other] { $outcome }
}

## Das Modell, auf das sie wartet

asked-at = Der Bot fragte { $model } um { $time } UTC (vor { $age }); noch kein Wort.
may-load = Sein Dienst ist lokal und lädt das Modell vielleicht noch; das kann Minuten dauern.
waits-until = Der Bot wartet darauf bis { $time } UTC.

## Was der Bot selbst zu tun hatte

work-done = Es ging um das, was { $kind } { $handle } zurückbrachte.
work-ended = Es ging um { $kind } { $handle }: { $state ->
    [failed] gescheitert
    [timeout] zu lange gebraucht
    [cancelled] abgebrochen
   *[running] läuft noch
}{ $reason ->
    [none] .
   *[other] , { $reason }.
}
own-work = { $place }, eigene Arbeit{ $rest }
over-now = { $place }, jetzt vorbei{ $rest }
over-now-whole = Jetzt vorbei: { $verdict }
was-so = { $begun ->
    [same] So war es { $ended }
   *[other] So war es von { $begun } bis { $ended }
}; seitdem { $answered ->
    [one] wurde 1 Nachricht
   *[other] wurden { $answered } Nachrichten
} beantwortet.
if-again = Wenn es wieder passiert: { $what }

## Was mit der Anfrage geschah

not-recorded = Hier nicht aufgezeichnet: nur Prüfsummen und Größen.
not-recorded-since = Hier seit { $time } nicht aufgezeichnet, durch { $role ->
    [owner] einen Besitzer
    [admin] einen Admin
    [moderator] einen Moderator
   *[other] jemanden
} (ID { $id }): nur Prüfsummen und Größen.
erased = Die Worte der Anfrage wurden auf Wunsch gelöscht.
told-in-words = { $model } nimmt keine Werkzeuge: Der Bot beschreibt sie in Worten, und so ruft es sie auf.
no-tools = { $model } nimmt keine Werkzeuge: Es läuft ohne sie.
too-many-calls = { $count ->
    [one] 1 Werkzeugaufruf einer Antwort war
   *[other] { $count } Werkzeugaufrufe einer Antwort waren
} zu viel und lief nicht.
searched = { $tokens ->
    [none] { $count ->
        [one] 1 Anfrage suchte nur, was der Filter ablehnt.
       *[other] { $count } Anfragen suchten nur, was der Filter ablehnt.
    }
   *[other] { $count ->
        [one] 1 Anfrage suchte nur, was der Filter ablehnt ({ $tokens } Token hinein).
       *[other] { $count } Anfragen suchten nur, was der Filter ablehnt ({ $tokens } Token hinein).
    }
}
left-out = Aus Anfragen weggelassen: { $names }{ $more ->
    [0] ,
   *[other] {" "}und { $more } weitere,
} seit { $time }: Der Filter des Dienstes lehnte es ab.
undo-left-out = → `undo { $handle }` zeigt es Modellen wieder.

## Was Leute taten

reacted = Leute haben auf die Antwort reagiert: { $reactions }.

## Wie es jetzt ist

platform-says = Die Plattform sagt jetzt: { $words }.
but-a-message = Aber vor { $age } kam eine Nachricht: Frag in einer Minute noch einmal.
privacy = Der Gruppen-Datenschutz ist an: Normale Gespräche erreichen den Bot hier nie; Befehle und Antworten an ihn schon.
privacy-fix = → @BotFather: /setprivacy, Disable, dann füge ihn wieder zur Gruppe hinzu. Oder mach ihn dort zum Admin.
blind = Nachrichten kommen hier leer an: Die Berechtigung für Nachrichteninhalte ist aus. Erwähnungen gehen.
blind-fix = → Developer Portal, Bot, Privileged Gateway Intents: Message Content; dann starte den Bot neu.
paused-since = Jetzt pausiert, seit { $time }.
observes = Er hört jetzt nur zu.
cooling = Ein Modell wird noch { $age } nicht gefragt, nach Fehlern.
cooling-background = Hintergrundarbeit fragt ein Modell noch { $age } nicht; Gespräche schon.

## Was nicht anzusehen war

own-part = ein Teil dieses Berichts
one-check = eine der Prüfungen
