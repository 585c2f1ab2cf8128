### Warum eine Antwort nicht hinausging: Die Plattform sagte, was sie daran stört.

## Was los ist, und was hilft

too-long = { $place }: die Antwort ist zu lang
shorter = Bitte um eine kürzere Antwort, oder um eine in Teilen.
markup = { $place }: Formatierung abgelehnt
plain-text = Frag noch einmal, nach reinem Text.
flood = { $place }: soll langsamer senden
flood-wait-advice = Warte: Sie geht von selbst hinaus. Es hilft, hier weniger auf einmal zu schreiben.
flood-fix = Sie geht von selbst hinaus. Wenn es wieder passiert, setze limits.sends_per_second (0.3 passt für eine volle Gruppe) und starte neu.
flood-given-up = Frag später noch einmal, wenn hier weniger los ist: Was der Bot aufgab, sendet er nicht mehr.
slow-mode = { $place }: Slow Mode bremst den Bot
no-slow-mode = Mach den Bot dort zum Admin, oder schalte den Slow Mode aus; `!cortex doctor` zeigt beides.
dm-closed = { $place }: zu für den Bot
open-chat = Für wen sie ist, muss den Bot schreiben lassen (Start drücken, Direktnachrichten erlauben oder ihn entsperren) und noch einmal fragen.
only-they-can = Auf dem Rechner hilft nichts: Nur diese Person kann den Chat öffnen oder den Bot entsperren.
migrated = { $place }: die Gruppe hat eine neue ID
ask-in-group = Frag noch einmal in der Gruppe; wenn es wieder passiert, sag es dem Betreiber.

## Warum

refused-long = { $name } lehnte sie als zu lang ab.
characters = Sie hat { $count } Zeichen.
refused-marks = { $name } lehnte ihre Formatierung ab,
refused-plain = und den reinen Text auch.
no-writing = { $name } lässt den Bot dort nicht schreiben:
no-shared-server = Es gibt keinen gemeinsamen Server.
never-opened = nie geöffnet, blockiert oder weg.
lost = Verloren: { $what ->
    [cortex] eine Antwort des Cortex
   *[answer] die Antwort
}.
became-supergroup = Sie wurde zur Supergruppe; ihre alte ID gilt nicht mehr.
flood-gave-up = { $name } bat den Bot immer wieder zu warten;
flood-attempts = nach { $count ->
    [one] 1 Versuch
   *[other] { $count } Versuchen
} gab er auf.
flood-until = { $name } bat den Bot zu warten, bis { $time } ({ $left });
flood-now = { $name } bat den Bot zu warten; er versucht es jetzt wieder;
flood-tried = bisher { $count ->
    [one] ein Versuch
   *[other] { $count } Versuche
}.
slow-line = Slow Mode: eine Nachricht in { $age }, außer für Admins.
only-beginning = Nur ihr Anfang steht da.

## Eine Antwort ohne ihre Formatierung

unadorned = { $place }: Antwort ohne Formatierung
unadorned-why = { $name } lehnte die Formatierung ab, also sandte der Bot
unadorned-more = reinen Text. Kein Wort fehlt.
unadorned-record = ohne Formatierung gesendet
unadorned-advice = Lies sie, wie sie ist, oder frag noch einmal.
unadorned-fix = Der Bot hat sie falsch formatiert: Melde { $delivery ->
    [none] die Zustellung
   *[other] { $delivery }
}.
