### Was ein Kürzel öffnet: einen Eintrag, in Zeilen.

withheld = [nicht gezeigt: Du kannst diesen Kanal selbst nicht lesen]
step-of = Ein Schritt von dem, was mit Nachricht { $handle } geschah:
called = rief { $call } auf, { $handle }
arguments-of = Argumente von { $tool }
call-of-turn = Aufruf { $number } von Turn { $handle }, Runde { $round }, begonnen { $time } UTC
what-came-of-it = was herauskam
talk-about = Ein privates Gespräch über { $channel }, begonnen { $time } UTC.
undone-by = rückgängig gemacht durch { $handle }
person = { $name } (ID { $user })
did = { $verb ->
    [forget-memory] { $what } vergessen
    [forget-memories] { $what } vergessen
    [restore-memory] { $what } zurückgeholt
    [restore-memories] { $what } zurückgeholt
    [save-memory] { $what } gespeichert
    [resume-channel] Pause beendet
    [set-mode] Modus geändert: { $what }
    [set-model] Modell geändert: { $what }
    [set-recording] Aufzeichnung geändert: { $what }
    [new-conversation] neues Gespräch begonnen
    [fresh-start] von vorn begonnen
    [switch-skill] Skill geschaltet: { $what }
    [switch-tool] Werkzeug geschaltet: { $what }
    [look] hineingesehen
    [export] { $what } exportiert
    [memory-import] Erinnerungen eingelesen: { $what }
    [owner-claimed] wurde Besitzer
    [invitation-accepted] nahm eine Einladung an
    [send-again] noch einmal gesendet: { $what }
   *[other] { $action } { $what }
}
on-its-way = unterwegs
outcome = { $outcome ->
    [replied] beantwortet
    [skipped] geschwiegen
    [gated] aufgehalten
    [stored_only] nur mitgelesen
    [command] Befehl
    [superseded] ersetzt
    [failed] gescheitert
    [cancelled] abgebrochen
    [interrupted] unterbrochen
    [uncertain] ungewiss
   *[other] { $outcome }
}
stage = { $stage ->
    [arrived] angekommen
    [gates] { $verdict ->
        [passed] durch alle Gates
       *[other] an einem Gate aufgehalten
    }
    [queued] eingereiht
    [coalesced] mit anderen zusammengelegt
    [turn] ein Turn begann
    [assembled] { $verdict ->
        [failed] die Anfrage ist nicht wie aufgezeichnet
       *[other] Anfrage gebaut
    }
    [requested] Modell gefragt
    [tool] { $verdict ->
        [passed] Werkzeug aufgerufen
        [stopped] Werkzeuge nicht aufgerufen
       *[other] Werkzeug gescheitert
    }
    [decided] { $verdict ->
        [passed] entschieden
        [stopped] gegen eine Antwort entschieden
       *[other] gescheitert
    }
    [outbox] { $verdict ->
        [passed] bereitgelegt
       *[other] beim Senden vermerkt
    }
    [delivered] { $verdict ->
        [passed] zugestellt
        [failed] nicht zugestellt
        [stopped] Zustellung aufgehalten
       *[other] bei der Zustellung vermerkt
    }
    [compacted] Gespräch zusammengefasst
    [afterwards] später
   *[other] { $stage }, { $verdict }
}
number = { $name ->
    [messages] { $count ->
        [one] { $count } Nachricht
       *[other] { $count } Nachrichten
    }
    [parts] { $count ->
        [one] { $count } Teil
       *[other] { $count } Teile
    }
    [turns] { $count ->
        [one] { $count } Turn
       *[other] { $count } Turns
    }
    [round] Runde { $next }
    [order] Aufruf { $next }
    [tokens] { $counted ->
        [estimate] ≈{ $count } von { $window } Token
        [exact] { $count } von { $window } Token
       *[other] höchstens { $count } von { $window } Token
    }
    [ms] { $count } ms
    [blocked_ms] { $count } ms lang lief nichts anderes
    [dropped] { $count } weggelassen
    [dropped_turns] { $count ->
        [one] { $count } Turn weggelassen
       *[other] { $count } Turns weggelassen
    }
    [message_id] Nachricht { $plain }
   *[other] { $label }: { $plain }
}
value = { $name ->
    [model] { $value }
    [kind] { $value }
    [delivery] { $value }
    [part] Teil { $value }
    [digest] Prüfsumme { $value }
    [message_id] Nachricht { $value }
    [into] bis { $value }
    [sign] wegen { $value }
    [waited] wartete { $value }
    [began_again] der Turn begann von vorn
    [told_by] laut { $value }
    [by] von { $value }
    [needs] braucht { $value }
    [has] wer fragt, ist { $value }
   *[other] { $label }: { $value }
}
after-time = nach { $time }
its-words = der Wortlaut
tool-call = { $tool }: { $ended ->
    [ok] ok
   *[failed] gescheitert
}, { $ms } ms
words-not-kept = Die Worte wurden nicht gespeichert; sha256 { $hash }.
from = von { $who }, Nachricht { $message }
author = { $name } (ID { $user }, { $kind })
quoted = zitiert
quoted-by = zitiert, von { $name } (ID { $user })
id-unknown = unbekannt
triggers = beantwortet: { $handles } · Runden: { $rounds }
none = keine
turn = Turn ({ $kind }), { $time } UTC, { $status }
no-answer-recorded = keine Antwort aufgezeichnet
answered-in = beantwortet in { $time }
failed = gescheitert: { $fault }
request = Runde { $round } · { $model } · { $outcome } · { $handle }
request-searched = Runde { $round } · { $model } · { $outcome } · nur gesendet, um zu finden, was der Filter ablehnt · { $handle }
sent = gesendet { $time } UTC · { $messages ->
    [one] { $messages } Nachricht
   *[other] { $messages } Nachrichten
}, { $tools ->
    [one] { $tools } Werkzeug
   *[other] { $tools } Werkzeuge
} · ≈{ $used } von { $window } Token
wire = so gesendet: { $bytes } Bytes, sha256 { $hash }, Encoder { $encoder }
sections = Abschnitte, in Token: { $sections }
attempt = Versuch { $number }: { $fault }, { $error }
thought = dachte { $tokens } Token lang nach
stopped-with = hörte auf mit { $words }
words-too-old = Die Worte sind älter als retention.requests_days und wurden gelöscht.
words-for-room = Die Worte wurden um { $time } UTC gelöscht, um das Journal klein zu halten (retention.journal_mb).
words-of-vectors = Es ging um Vektoren von Erinnerungen oder einer Frage an sie. Ihre Worte sind hier nicht noch einmal gespeichert.
words-unrecorded = Im Kanal war die Aufzeichnung aus: Ich habe Prüfsummen und Größen gespeichert, keine Worte (`record`).
words-erased = geschwärzt: Worte darin wurden auf Wunsch gelöscht, { $time } UTC; die Prüfsummen sind die des Gesendeten.
delivery = { $kind }, Teil { $part } von { $parts } · { $state }
platform-message = Plattform-Nachricht { $message }
attempts = { $count ->
    [one] { $count } Versuch
   *[other] { $count } Versuche
}
answers = beantwortet { $handle }
answers-nothing = beantwortet keine Nachricht
summary-of = Fasst { $count ->
    [one] { $count } Nachricht
   *[other] { $count } Nachrichten
} zusammen ({ $messages })
sources-wiped = { $count ->
    [one] { $count } der Quellen ist gelöscht; es lässt sich nicht rückgängig machen
   *[other] { $count } der Quellen sind gelöscht; es lässt sich nicht rückgängig machen
}
missing-in-it = Namen, IDs und Zahlen aus den Quellen, die darin fehlen

## Arbeit: Branches und Worker

at-work = { $place }: { $running } bei der Arbeit, die neuesten { $count }
nothing-handed-out = { $place }: Hier wurde noch keine Arbeit vergeben.
work = { $kind } „{ $name }“ { $state } · { $calls ->
    [one] { $calls } Aufruf
   *[other] { $calls } Aufrufe
}
after = { $state } nach { $time }
at-work-for = seit { $time } bei der Arbeit
for-in-private = für { $name } privat
result-not-said = das Ergebnis wurde noch nicht mitgeteilt
process = { $handle } { $kind }: { $state }, { $calls ->
    [one] { $calls } Werkzeugaufruf
   *[other] { $calls } Werkzeugaufrufe
}, vergeben von Turn { $turn } für { $name } (ID { $user })
began = begann { $time } UTC · noch bei der Arbeit: `cancel` hält es an
began-ended-said = begann { $time } UTC · endete { $ended } UTC · mitgeteilt { $said } UTC
began-ended-unsaid-private = begann { $time } UTC · endete { $ended } UTC · dem Auftraggeber noch nicht mitgeteilt
began-ended-unsaid = begann { $time } UTC · endete { $ended } UTC · im Kanal noch nicht mitgeteilt
why-ended = warum es endete: { $why }
what-it-did = was es tat
what-it-was-shown = was ihm gezeigt wurde, und warum
what-was-typed = die Nachricht, auf die es zurückgeht
handed-over = übergebene Dateien, in Byte

## Werkzeuge eines Kanals

tools-of = { $place }: Werkzeuge
switched-off = hier ausgeschaltet: { $names } · `fix tool on <name>`
tool-unusable = { $group }: { $tool } ist nicht verfügbar: { $why }
always = { $kind }, immer: { $names }
on-demand = nur bei Bedarf: { $names }
is-on-demand = { $name } (nur bei Bedarf)
group = { $group }: { $names } · { $state }
closed = zu: { $why }
cannot-be-used = nicht benutzbar: { $why }
open-for = offen für { $who }
of-plugin = { $tool } (Plugin { $plugin })
