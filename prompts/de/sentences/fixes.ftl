### Tun, was angeboten wurde: was daraus wurde.

done = Erledigt.
done-already = Schon erledigt.
done-already-at = Schon um { $time } UTC erledigt.
undone = Rückgängig gemacht.
posted = Geschrieben.
stopped = Angehalten.
sent = Geschickt.
kept = Bleibt so. Es wurde nichts geändert.
nothing-changed = Es wurde nichts geändert: { $why }
may-not-change = Du darfst diesen Kanal gerade nicht ändern. Es wurde nichts geändert.
offer-expired = Dieses Angebot ist abgelaufen. Es wurde nichts geändert; frag nach einem neuen.
offer-stale = Was das geändert hätte, hat sich inzwischen geändert. Es wurde nichts getan; frag noch einmal.
declined = Abgelehnt. Es wurde nichts geändert.
declined-at = Um { $time } UTC abgelehnt. Es wurde nichts geändert.
nothing-to-undo = Da ist nichts von dir rückgängig zu machen.
undone-already = Das wurde schon rückgängig gemacht.
cannot-undo = Das lässt sich nicht rückgängig machen.
was-undone-already = Das wurde schon rückgängig gemacht.
too-old-to-undo = Das ist mehr als { $hours } h her.
being-asked = Ich frage jetzt; was herauskommt, steht dann hier.
being-done = Ich bin dabei; die Quittung kommt hierher.
undo = Rückgängig
undo-row = { $handle } rückgängig machen
tell = { $place } Bescheid sagen…

## Was im Thread gesagt wird

was-undone = ↩ { $handle } ist rückgängig gemacht ({ $undo }): { $what } ist wie vorher.
spread-undone-partly = ↩ { $handle } ist rückgängig gemacht ({ $undo }): Die Erinnerungen zählen wieder. { $left ->
    [one] { $left } Zusammenfassung lässt sich nicht wiederherstellen und bleibt rückgängig gemacht.
   *[other] { $left } Zusammenfassungen lassen sich nicht wiederherstellen und bleiben rückgängig gemacht.
}
channel-unreachable = { $place } ist gerade nicht erreichbar. Ich schreibe es, sobald es geht.
not-posted = Ich konnte es in { $place } nicht schreiben: { $why }.
posted-in = ✓ in { $place } geschrieben · { $handle }
posted-in-more = ✓ in { $place } und { $more } weiteren geschrieben · { $handle }
stopped-by-admin = von einem Admin angehalten
not-stopped-yet = { $handle } hat noch nicht aufgehört. `work` zeigt, wie es weitergeht.
work-is = ✓ { $work } ist { $state } · { $handle }
offer-used-up = { $why } Dieses Angebot ist verbraucht: Frag nach einem neuen.
at-work = ✓ { $work } arbeitet; ein Bericht folgt · { $handle }
setting = ✓ { $line } · { $handle }
forgotten = ✓ { $what } ist vergessen · { $handle }
counts-again = ✓ { $what } zählt wieder · { $handle }
not-in-prompts = Das Modell erfährt davon nichts mehr.
remembered = ✓ In { $place } gemerkt · { $handle }
resumed = ✓ { $place } ist nicht mehr pausiert · { $handle }
compaction-stands = ✓ { $what } gilt wieder · { $handle }
compaction-undone = ✓ { $what } ist rückgängig gemacht · { $handle }
history-is-back = Die zusammengefassten Nachrichten stehen wieder im Verlauf.
shown-again = ✓ { $what } wird Modellen wieder gezeigt · { $handle }
imported = ✓ { $what } importiert · { $handle }
recorded = ✓ { $place } wird wieder aufgezeichnet · { $handle }
not-recorded = ✓ { $place } wird nicht mehr aufgezeichnet · { $handle }
separated = ✓ { $names } zählen wieder einzeln · { $handle }
merged = ✓ { $kept } steht jetzt auch für { $names } · { $handle }
merged-line = Das Modell liest an ihrer Stelle eine Zeile.
several-forgotten = ✓ { $what } vergessen · { $handle }
several-not-in-prompts = Das Modell erfährt davon nichts mehr.
several-count-again = ✓ { $count ->
    [one] { $count } Erinnerung zählt wieder
   *[other] { $count } Erinnerungen zählen wieder
} · { $handle }
restored = ✓ { $what } wiederhergestellt · { $handle }
taken-back = ✓ { $what } zurückgenommen · { $handle }
memories-not-in-prompts = Das Modell erfährt von den Erinnerungen nichts mehr.
shortened-is-back = Der zusammengefasste Verlauf ist wieder Wort für Wort da.

## Was der laufende Bot tut

starts-over = ✓ { $place } fängt neu an · { $handle }
can-undo-day = Das lässt sich 24 h lang rückgängig machen.
shortening = ✓ { $place } wird gekürzt; das Ergebnis kommt hierher · { $handle }
not-left-alone = { $model } hat keine Pause mehr. Es wurde nichts geändert.
asked-again = ✓ { $model } wird ab jetzt wieder gefragt · { $handle }
reloading = ✓ Werkzeuge, Skills und MCP-Server werden neu gelesen; das Ergebnis kommt hierher · { $handle }
reloaded = ✓ { $time } UTC: neu gelesen · { $handle }
reload-same = Es hat sich nichts geändert: { $tools } Werkzeuge, { $skills } Skills.
reload-tools-came = { $count ->
    [one] 1 neues Werkzeug: { $names }
   *[other] { $count } neue Werkzeuge: { $names }
}
reload-tools-went = { $count ->
    [one] 1 Werkzeug ist weg: { $names }
   *[other] { $count } Werkzeuge sind weg: { $names }
}
reload-tools-changed = { $count ->
    [one] 1 Werkzeug ist anders beschrieben: { $names }
   *[other] { $count } Werkzeuge sind anders beschrieben: { $names }
}
reload-skills-came = { $count ->
    [one] 1 neuer Skill: { $names }
   *[other] { $count } neue Skills: { $names }
}
reload-skills-went = { $count ->
    [one] 1 Skill ist weg: { $names }
   *[other] { $count } Skills sind weg: { $names }
}
reload-skills-changed = { $count ->
    [one] 1 Skill hat sich geändert: { $names }
   *[other] { $count } Skills haben sich geändert: { $names }
}
reload-failed = ✗ { $what }: { $why }
none-can-be-answered = Keine davon kann noch beantwortet werden, oder der Bot antwortet schon.
answering = ✓ Ich beantworte jetzt { $count ->
    [one] { $count } Nachricht
   *[other] { $count } Nachrichten
}; was daraus wird, steht dann hier · { $handle }
answering-some = ✓ Ich beantworte jetzt { $count ->
    [one] { $count } Nachricht
   *[other] { $count } Nachrichten
}; was daraus wird, steht dann hier · { $handle }. { $left ->
    [one] { $left } ging nicht.
   *[other] { $left } gingen nicht.
}
answered-of = { $mark } { $time } { $answered } von { $all } beantwortet · { $handle }
read-together = { $count ->
    [one] { $count } Nachricht wurde zusammen mit der nächsten gelesen.
   *[other] { $count } Nachrichten wurden zusammen mit der nächsten gelesen.
}
and-more = … und { $count } weitere
not-shortened = ✗ { $place } wurde nicht gekürzt · { $handle }
nothing-older = Es gibt nichts Älteres zusammenzufassen, oder es scheiterte: `compactions`.
undo-what = { $what } rückgängig machen…
shortened = ✓ { $time } { $place } ist um { $tokens } Token kürzer · { $what } · { $handle }

## Die nächste Antwort nach einer Änderung

next-answered = { $mark } { $time } einem Mitglied geantwortet, { $took } · { $handle }
next-silent = { $mark } { $time } der Bot wollte nicht antworten, { $took } · { $handle }
next-silent-why = { $mark } { $time } der Bot wollte nicht antworten: { $why }, { $took } · { $handle }
next-failed = { $mark } { $time } es kam keine Antwort, { $took } · { $handle }
next-failed-why = { $mark } { $time } es kam keine Antwort: { $why }, { $took } · { $handle }

## Nachrichten, die warten

went-unanswered = { $count ->
    [one] 1 Nachricht bekam keine Antwort: { $handle }, { $time } UTC. Jetzt beantworten?
   *[other] { $count } Nachrichten bekamen keine Antwort, die neueste um { $time } UTC ({ $handle }). Die neueste jetzt beantworten?
}
answer = { $handle } beantworten
answered-member = ✓ { $time } einem Mitglied geantwortet, { $took }
ended-as = ✗ { $handle } endete als { $outcome }, { $took }
ended-as-why = ✗ { $handle } endete als { $outcome } ({ $why }), { $took }
no-outcome-yet = ○ { $handle } ist nach { $time } noch offen. `why` sagt, wo es steckt.
nobody-waits = Auf dieser Liste wartet niemand mehr. Es wurde nichts getan.
answer-picked = { $count ->
    [one] { $count } Nachricht
   *[other] { $count } Nachrichten
} beantworten…

## Noch einmal senden, was vielleicht nicht ankam

button-expired = Dieser Knopf ist abgelaufen. Frag mich noch einmal.
sending-again = Ich sende es noch einmal.
on-its-way = Es ist schon unterwegs.
not-delivered = Ich konnte es nicht zustellen. Frag mich noch einmal.
uncertain-again = Ich habe es schon noch einmal gesendet, und wieder kam es vielleicht nicht an. Es gibt einen neueren Knopf.
sent-already = Ich habe es schon um { $time } UTC gesendet.
