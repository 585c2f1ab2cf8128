### Der erste Besitzer eines neuen Bots, und das Schweigen, das er gezeigt bekommt.

## Der Code aus dem Terminal

claim-by-link = Öffne { $link }, sobald er läuft, und drück auf Start: Dann gehört er dir. Der Link gilt einmal, { $hours } Stunden lang; zeig ihn niemandem.
claim-by-invite = Füg ihn einem Server hinzu: { $link }. Schreib ihm privat, sobald er läuft: !start { $code }. Dann gehört er dir. Der Code gilt einmal, { $hours } Stunden lang; zeig ihn niemandem.
claim-by-code = Schreib ihm privat, sobald er läuft: /start { $code }. Dann gehört er dir. Der Code gilt einmal, { $hours } Stunden lang; zeig ihn niemandem.
seen-by-others =
    Andere können den Code hier lesen, deshalb gilt er nicht mehr. `glassmind init --force` macht einen neuen:
    Bring ihn in unseren privaten Chat.
owned = Ich habe schon einen Besitzer. Es wurde nichts geändert.
wrong-code = Das ist nicht der Code, auf den ich warte. Es wurde nichts geändert.
seen-by-others-of-several =
    Andere können den Code hier lesen, deshalb gilt er nicht mehr. Deine Id, die /whoami zeigt, macht dich zu meinem Besitzer:
    Trag sie in { $file } bei owner_ids von [platforms.{ $platform }] ein und starte mich neu.
expired = Dieser Code ist abgelaufen. Mit `glassmind init --force` bekommst du einen neuen.
expired-of-several =
    Dieser Code ist abgelaufen. Deine Id, die /whoami zeigt, macht dich zu meinem Besitzer:
    Trag sie in { $file } bei owner_ids von [platforms.{ $platform }] ein und starte mich neu.
not-written =
    Der Code stimmt, aber ich kann { $file } nicht ändern: { $why }
    Trag die Zeile dort selbst ein und starte mich neu.

## Danach

yours = Ab jetzt gehöre ich dir. Nur du kannst mich fragen, warum ich etwas getan habe: /why, hier oder in jedem Kanal.
yours-after-restart = Ich gehöre dir, sobald ich neu gestartet bin: Deine ID steht in der Konfiguration.
show-a-silence = Soll ich dir ein Schweigen zeigen? Es dauert eine halbe Minute, hier, mit erfundenen Leuten.
show = Zeig es mir
begins = Es geht gleich los.
plays-already = Ich zeige es gerade schon.

## Das Stück

play-begins = Das ist ein Theaterstück. Ein zweiter Bot spielt es an einem eigenen Ort, mit einem simulierten Modell. Kein echter Chat ist beteiligt.
a-member-is-ignored = Vor zwei Stunden hat James in { $place } eine Erinnerung eingeschmuggelt. Jetzt bekommt Ann eine Antwort, James nicht:
the-rules-say = Der Admin fragt privat nach dem Warum. Zuerst antworten Regeln, ohne Modell:
it-is-forgotten = Der Admin drückt „Vergessen“, bestätigt, und James bekommt wieder eine Antwort:
not-played = Ich konnte es nicht spielen. Warum, steht in meinem Log; `glassmind demo` spielt es auf meinem Rechner.
play-ends = Das war das Schweigen. Wenn ich in einem echten Kanal schweige, frag mich dort mit /why: Die Antwort kommt hierher.
