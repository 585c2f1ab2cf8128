### Was `glassmind demo` um seine Szene herum erzählt.

intro =
    Glassmind-Demo: offline, ohne Schlüssel. DAS MODELL IST EINE SIMULATION: Es antwortet nach einfachen Regeln auf die Anfrage, die es bekommt.

    Ein Bot betreut #general. Vor zwei Stunden hat ihm jemand eine Erinnerung untergeschoben; seitdem übergeht er ein Mitglied.
two-hours-later = ... zwei Stunden später ...
not-seen = ✗ NICHT GESEHEN: { $what }
failed = Die Demo ist FEHLGESCHLAGEN: { $missing ->
    [one] 1 von { $steps } Schritten ist
   *[other] { $missing } von { $steps } Schritten sind
} nicht passiert: { $which }
all-happened = Alle { $steps } Schritte sind passiert. (Das Modell war eine Simulation.)
in-a-browser = Derselbe Fall im Browser: `glassmind demo --page`, nur auf diesem Rechner.
open-first = Öffne { $link }
then-open = dann { $link }
link-works-once = Der erste Link gilt einmal, zwei Minuten lang. Strg-C beendet die Demo.
ended = die Demo ist zu Ende

## Was zu sehen sein soll

planted = jemand hat eine Entscheidung mit Wichtigkeit 0.9 als Erinnerung untergeschoben
one-is-ignored = der Bot antwortet ann und übergeht james
rules-name-it = die Regeln nennen die Erinnerung, ohne ein Modell zu fragen
branch-found-it = die Untersuchung hat sie beim Lesen gefunden, und ihr Eintrag wurde geprüft
private-stays-private = nichts Privates steht in #general
proven = noch einmal mit und ohne sie gefragt, hat das Modell die Ursache bewiesen; dafür lief kein Werkzeug
proof-stays-private = nichts vom Beweis steht in #general
confirmed-first = vor der Bestätigung des Admins geschah nichts; dann war die Erinnerung vergessen
answered-again = james bekommt eine Antwort
undone = das Rückgängigmachen hat die Erinnerung zurückgebracht
