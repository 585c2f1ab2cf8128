### Warum sich etwas nicht lesen ließ, und was hilft.

no-reason = ohne Angabe eines Grundes
too-slow = es dauerte zu lange
too-slow-fix = Frag noch einmal; wenn es wieder passiert, sieh nach Last und Platte des Rechners.
no-library = eine Bibliothek lässt sich nicht laden: { $what }
install-again = Installiere den Bot mit seinen Abhängigkeiten neu, dann starte ihn neu.
damaged = { $file } ist beschädigt (Zeile { $line })
no-memory = der Speicher reicht nicht
more-memory = Schaff freien Speicher, oder gib dem Bot mehr.
a-file = eine Datei
file-said = { $file }: { $words }
check-file = Prüfe, ob die Datei da ist und der Bot sie lesen darf.
unknown = im Bot ist etwas schiefgegangen ({ $name })
in-the-log = Es steht im Log; melde es, wenn es wieder passiert.
