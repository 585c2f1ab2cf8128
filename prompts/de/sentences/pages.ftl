### Seiten, die ein Admin öffnet: eine Anfrage, der Cache, gesuchte Worte, Dateien.

## Die Anfrage hinter einer Antwort

how-to-ask = Antworte auf eine Nachricht mit `!cortex this`, oder nenne eine: `this <Link>`, `this <Kürzel>`.
unknown-message = Von dieser Nachricht weiß ich nichts: Sie hat mich nie erreicht, ist nicht von mir oder älter als das, was ich speichere.
no-model = Das hat kein Modell geschrieben ({ $kind }, { $handle }), also steht keine Anfrage dahinter.
no-answer = Hier ist keine Antwort, die ich zurückverfolgen kann: Antworte auf eine von mir mit `!cortex sources`.
requests-gone = Das wurde in Turn { $handle } gesagt, dessen Anfragen nicht mehr gespeichert sind.
what-happened = Was damit geschah:
unanswered = Diese Nachricht bekam keine Antwort. Was damit geschah:
last-request = Die letzte Anfrage ihres Turns ist { $handle }.
request-behind = { $place }: die Anfrage dahinter
turn = Turn { $handle }
turn-round = Turn { $handle }, Runde { $round } von { $rounds }
no-turn = kein Turn
model = Modell { $model }
answered-by = { $model } (beantwortet von { $other })
sent = Gesendet { $time } UTC, { $outcome }
no-answer-recorded = keine Antwort aufgezeichnet
failed = gescheitert: { $fault }
answered-in = beantwortet in { $time }
answered-in-counted = beantwortet in { $time } · { $in } hinein, { $out } heraus
from-cache = { $line }, { $tokens } aus dem Cache
used = { $used } von { $window } Token ({ $percent } %), { $counted }
sections = { $count ->
    [one] { $count } Abschnitt: { $names }
   *[other] { $count } Abschnitte: { $names }
}
posted = { $tools ->
    [one] { $tools } Werkzeug
   *[other] { $tools } Werkzeuge
} · { $messages ->
    [one] { $messages } Nachricht
   *[other] { $messages } Nachrichten
} · { $bytes } Bytes wie gesendet
answers = Beantwortet { $handle }
sent-as = Gesendet als { $handle }
answers-sent-as = Beantwortet { $inbound } · gesendet als { $delivery }

## Der Cache des Anbieters

all-shared = ✓ { $place }: die ganze vorige Anfrage konnte aus dem Cache kommen
most-shared = ✓ { $place }: { $percent } dieser Anfrage konnten aus dem Cache kommen
shared-ends = ✗ { $place }: der Cache endet bei { $where }
shared = Gemeinsam { $tokens } von { $all } Token ({ $percent })
shared-blocks = in { $blocks ->
    [one] { $blocks } Block
   *[other] { $blocks } Blöcken
}, davon { $messages } Nachrichten; { $bytes } Bytes Text
same-bytes = Die Anfragen beginnen mit denselben { $same } von { $all } Bytes
ends-as-expected = Es endet, wo vorher die neueste Nachricht stand: Dort stehen Uhr, Status und Leute und ändern sich
ends-at = Es endet bei { $where }
ends-at-now = Es endet bei { $where }; jetzt steht dort { $now }
nothing = nichts
same-characters = { $count ->
    [one] Das erste Zeichen davon ist gleich
   *[other] Die ersten { $count } Zeichen davon sind gleich
}
cause = Ursache · { $cause }
no-cache-told = Der Anbieter sagte nichts über seinen Cache
provider-read = Der Anbieter las { $cached } von { $all } aus seinem Cache ({ $share })
so-far = Bisher hier: { $percent } von { $tokens } gelesenen Token aus dem Cache

## Gesuchte Worte

two-places = { $first } und { $second }
last-one = die letzte Anfrage { $handle }
other-one = die { $which ->
    [next] nächste Anfrage
   *[other] Anfrage { $which }
}
places-hidden = { $count ->
    [one] { $count } Stelle wird dir nicht gezeigt und wurde nicht durchsucht.
   *[other] { $count } Stellen werden dir nicht gezeigt und wurden nicht durchsucht.
}
words-nowhere = Diese Worte stehen in nichts, was dem Modell von { $place } gesagt wird: { $where }.
places = { $count ->
    [one] { $count } Stelle
   *[other] { $count } Stellen
} in dem, was dem Modell von { $place } gesagt wird: { $where }
more = ({ $count } weitere)
more-below = … und { $count } weitere unten

## Fakten einer Antwort

was-told = was ihm gesagt wurde
contradicts = was sich widerspricht
told-no-more = was ihm nicht mehr gesagt wird
said-before = was es vorher sagte
not-told-any-more = nicht mehr gesagt
a-message = eine Nachricht
put-back = Zurückholen…
remember = Merken…
forget = { $handle } vergessen…
show = { $handle } zeigen

## Die neuesten Nachrichten, was nur eine Seite weiß

newest = { $place }: die neuesten { $count } Nachrichten (UTC)
no-messages = { $place }: keine Nachricht aufgezeichnet.
only-last-turns = Nur die letzten { $count } Turns werden verglichen, und { $handle } gehört nicht dazu. `open { $handle }` zeigt ihn.
no-turn-behind = Zu { $name } gehört kein Turn. `gap` allein vergleicht die neuesten.
only-model-reads = nur das Modell liest, in jedem Turn: { $sections } (in Token; gezählt: { $counted })

## Kontexte verglichen

no-request-answered = Keine gespeicherte Anfrage dieses Kanals hat zu einer Antwort geführt.
nothing-before = Vor dieser Anfrage wurde von dort nichts gesendet, also konnte kein Cache etwas davon haben.
the-same = = { $place }: gleich
differences = ≠ { $place }: { $count ->
    [one] { $count } Unterschied
   *[other] { $count } Unterschiede
}
tokens-grew = { $before } → { $after } Token ({ $change })
tokens-otherwise = { $before } → { $after } Token (verschieden gezählt)
hidden-compared = { $count ->
    [one] { $count } Stelle wird dir nicht gezeigt: Sie wird dem Namen nach verglichen
   *[other] { $count } Stellen werden dir nicht gezeigt: Sie werden dem Namen nach verglichen
}
export-writes = `export sent { $handle }` schreibt es heraus, `open` zeigt einen Eintrag
same-parts = Gleich: { $parts }
more-differences = und { $count } weitere Unterschiede

## Dateien, die mitgehen

no-file-here = Hier kann ich keine Datei anhängen; sie liegt nur unter diesem Pfad.
too-large-packed = Sie ist { $size } groß, und hier gehen höchstens { $most }, also ist sie gepackt (gzip).
too-large = Sie ist { $size } groß, und hier gehen höchstens { $most }, also liegt sie nur unter diesem Pfad.
too-large-even-packed = Sie ist { $size } groß, und hier gehen höchstens { $most }, also liegt sie nur unter diesem Pfad (auch gepackt noch { $packed }).
stays = Die Datei bleibt dort, bis du sie entfernst.
stays-message-goes = Die Datei bleibt dort, bis du sie entfernst. Diese Nachricht wird nach { $hours } h gelöscht.
redactions = redactions: { $redactions }, withheld: { $withheld }, exact: false
not-written = Ich konnte den Export nicht schreiben: { $what }. Nichts ist liegen geblieben. { $advice }
disk-full = die Platte von { $folder } ist voll
disk-full-fix = Schaffe Platz und frag noch einmal.
read-only = { $folder } ist nur lesbar
read-only-fix = Mach es beschreibbar (`doctor` prüft es auch).
no-right = der Bot darf nicht in { $folder } schreiben
no-right-fix = Gib den Ordner dem Benutzer, unter dem der Bot läuft; `doctor` sagt mehr.
folder-gone = { $folder } ist weg, und ich kann es nicht anlegen
folder-gone-fix = Stell es wieder her und frag noch einmal.
write-failed-fix = `doctor` prüft das Datenverzeichnis.
is-link = { $path } ist ein Link, und Links folge ich nicht
is-link-fix = Vielleicht hat ihn jemand dort hingelegt: Prüfe, wohin er führt, entferne ihn und frag noch einmal.
not-a-folder = { $path } ist kein Ordner
not-a-folder-fix = Räum es weg und frag noch einmal.
not-a-folder-look = Prüfe es und frag noch einmal.
pictures-off = Kein Bild: Sie sind in meinen Einstellungen aus (`picture` unter `[cortex]`).
no-pictures = Bilder kann ich hier nicht zeichnen. Um sie zu haben, { $how }.
install-charts = installiere das Extra (pip install 'glassmind[charts]')
no-file-for-picture = Kein Bild: Hier kann ich keine Dateien senden.
no-picture = Kein Bild: { $why }
nothing-shortened = Hier wurde noch nichts gekürzt.
compactions = Zusammenfassungen
ago = { $line } · vor { $age }
undo = { $handle } rückgängig machen

## Wo der Bot ist

servers = Wo ich aktiv bin:
server-is = { $name }: { $state }, seit { $age }
server-starting = startet
server-up = verbunden
server-degraded = verbunden, mit Problemen
server-conflict = anderswo verbunden
server-down = nicht verbunden
server-disabled = abgeschaltet
server-with-one = { $name }, benutzt vor { $age } ({ $id })
server-with-channels = { $name } und andere, { $count } Kanäle, benutzt vor { $age } ({ $id })
servers-more = … und { $count } weitere
servers-left = { $count } lange nicht benutzte Kanäle sind nicht aufgeführt.
tool-servers = { $count ->
    [0] MCP-Server: keine
   *[other] MCP-Server: { $count }
}
parts-counted = { $what ->
    [section] { $count ->
        [one] { $count } Abschnitt
       *[other] { $count } Abschnitte
    }
    [tool] { $count ->
        [one] { $count } Werkzeug
       *[other] { $count } Werkzeuge
    }
   *[message] { $count ->
        [one] { $count } Nachricht
       *[other] { $count } Nachrichten
    }
}
