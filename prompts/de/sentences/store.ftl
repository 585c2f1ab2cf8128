### Warum sich die Datenbank oder ihr Verzeichnis nicht benutzen lässt, und was zu tun ist.

## Das Datenverzeichnis

unusable = Das Datenverzeichnis { $folder } lässt sich nicht benutzen: { $why }.
nothing-there = In { $folder } ist keine Datenbank: { $file } fehlt.
was-in-use = { $file } fehlt, obwohl dieses Verzeichnis schon benutzt wurde. Leg die Datei zurück, hol eine Kopie zurück (`glassmind restore` listet sie auf) oder fang mit einer leeren an: glassmind run --fresh.
is-empty-now = { $file } ist leer, obwohl dieses Verzeichnis schon benutzt wurde. Hol eine Kopie zurück (`glassmind restore` listet sie auf) oder fang mit einer leeren an: glassmind run --fresh.
cannot-make = { $file } lässt sich nicht anlegen: { $why }.
no-key = In { $folder } fehlt { $file }. Nenne das richtige Verzeichnis, oder leg den Schlüssel zurück, der dort war.
no-key-to-sign = { $file } fehlt: Ohne den Schlüssel lässt sich nichts signieren und keine Signatur prüfen.
key-damaged = { $file } ist beschädigt ({ $found } Bytes statt { $wanted }). Hol die Datei aus einer Sicherung zurück.
open-to-others = Andere können { $file } lesen, und ich kann das nicht ändern ({ $why }). Führe aus: chmod 600 { $file }
in-use = Das Datenverzeichnis { $folder } benutzt schon { $process ->
    [unknown] ein anderer Prozess
   *[other] Prozess { $process }
}. Beende ihn zuerst.
cannot-write-there = In das Datenverzeichnis { $folder } lässt sich nicht schreiben: { $why }. Behebe das (ist dort noch Platz?) und versuch es noch einmal.
cannot-write-file = In das Datenverzeichnis lässt sich nicht schreiben ({ $file }): { $why }.

## Die Datenbank

cannot-write = In das Datenverzeichnis lässt sich nicht schreiben{ $file }: { $why }. Nichts wurde gespeichert. Schaff Platz.
unreadable = Die Datenbank ist beschädigt{ $file }: Ihr Inhalt ist nicht lesbar. { $restore }
damaged = Die Datenbank ist beschädigt{ $file }: { $why }. { $restore }
altered = Ein anderes Programm hat die Datenbank verändert{ $file }: { $why }. { $restore }
restore-a-copy = Ich benutze sie nicht mehr. Hol eine Kopie zurück: `glassmind restore` listet sie auf.
locked = Ein anderes Programm hält die Datenbank gesperrt{ $file }: { $why }.
cannot-open = Die Datenbank lässt sich nicht öffnen{ $file }: { $why }. Prüfe Besitzer und Rechte des Datenverzeichnisses.
refused = Die Datenbank hat abgelehnt{ $file }: { $why }
read-only = Die Datenbank ist nur zum Lesen geöffnet.
closed = Die Datenbank ist geschlossen.
of-another-program = Die Datei ist die Datenbank eines anderen Programms. Nenne ein anderes Datenverzeichnis.
newer = Die Datenbank hat Schema { $version }, dieses Programm kennt { $newest }. Installiere wieder das neuere Glassmind, oder hol die Kopie zurück, die vor dem Umstieg entstand (backups/before-{ $next }-*.db).
older = { $version ->
    [none] Die Datenbank in { $place } ist leer.
   *[other] Die Datenbank in { $place } hat Schema { $version }, dieses Programm liest { $newest }.
} Starte den Bot einmal, dann bringt er sie auf den neuesten Stand.
not-newest = Die Datenbank hat Schema { $version }, dieses Programm liest { $newest }. Starte den Bot einmal.
other-tables = Die Datenbank ist beschädigt: Ihre Tabellen sind nicht mehr so, wie sie angelegt wurden. Stell eine Sicherung wieder her.
step-failed = Schritt { $number } des Schemas ist gescheitert, geändert wurde nichts: { $why }
instance-altered = Die Datenbank ist beschädigt: Der Name dieser Instanz wurde verändert. { $restore }
restore-a-backup = Hol eine Sicherung zurück (`glassmind restore` listet sie auf).
file-removed = { $file } wurde entfernt oder verschoben, während ich lief.
file-replaced = { $file } wurde durch eine andere Datei ersetzt, während ich lief.
file-cut = { $file } wurde abgeschnitten, während ich lief.
takes-nothing = { $problem } Ich nehme nichts mehr an.

## Was gespeichert ist

row-altered = Zeile { $row } der Tabelle { $table }{ $name ->
    [none] {""}
   *[other] {" "}({ $name })
} hat jemand an diesem Programm vorbei verändert; ich benutze sie nicht. Starte `glassmind doctor`; nennt er noch mehr Zeilen, hol eine Sicherung zurück.
chain-damaged = Die Kette { $table } ist beschädigt: { $why }. Starte `glassmind doctor`; `glassmind restore` zeigt die Kopien.
chain-end = Ihr Ende stimmt nicht
chain-mark-missing = Die Marke an ihrem Ende fehlt
chain-mark-altered = Ihre Marke wurde verändert
chain-row-altered = Zeile { $row } wurde an diesem Programm vorbei verändert
version-altered = Version { $number } von { $kind } { $row } wurde verändert
memory-words-altered = Der Text von Erinnerung { $row } wurde verändert
said-by-nobody = Eine Kürzung brächte eine Nachricht hinein, die niemand geschrieben hat; geändert wurde nichts.
summary-of-nothing = Eine Zusammenfassung stünde da, wo nichts herausgenommen wird; geändert wurde nichts.
no-such-turn = Einen Turn { $turn }, der zu beenden wäre, gibt es nicht.
request-not-rebuilt = Anfrage { $row } lässt sich nicht so wiederherstellen, wie sie gesendet wurde (Tabellen node, head).
no-system-prompt = Der Systemprompt einer Anfrage fehlt (Tabelle head, Zeile { $row }).
no-text = Ein Text einer Anfrage fehlt (Tabelle blob, Zeile { $row }). Starte `glassmind doctor`.
cannot-undo = Das lässt sich nicht rückgängig machen.

## Kopien

copy-removed = Die Kopie war nicht in Ordnung und wurde gelöscht: { $damage }.
copy-damaged = Die Kopie ist nicht in Ordnung, geändert wurde nichts: { $damage }.
cannot-restore = { $file } lässt sich nicht zurückholen, geändert wurde nichts: { $damage }
is-the-database = { $file } ist die Datenbank selbst. Nenne eine ihrer Kopien.
no-such-copy = Eine Kopie { $file } gibt es nicht. { $names ->
    [none] { $folder } enthält keine.
   *[other] Kopien in { $folder }: { $names }.
}
copy-empty = sie ist leer
