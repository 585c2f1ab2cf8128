### Was der Doktor zur Datenbank und ihren Kopien sagt.

version = Version { $version }
ends = { $name ->
    [versions] Fassungen
   *[other] Audit-Einträge
} enden bei Zeile { $row } · { $hash }
holds = Prüfsummen der Zeilen, Texte, Audit und Fassungen stimmen
holds-with-pages = Seiten, Prüfsummen der Zeilen, Texte, Audit und Fassungen stimmen
damaged-row = { $table } { $row } ({ $what })
damaged-table = { $table }: { $what }
damage = { $kind ->
    [altered] verändert
    [rows-altered] veränderte Zeilen: { $said }
    [chain-broken] hier ist die Kette gerissen
    [dangling] etwas, das sie nennt, fehlt
    [missing] fehlt
    [differs] anders, als ihre neueste Fassung sagt
    [no-version] hat keine Fassung
   *[unreadable] { $said }
}
restore = Stoppe den Bot und starte `glassmind restore`; die beschädigte Datei bleibt zum Ansehen erhalten.
restore-a-backup = Stell eine Sicherung wieder her.
newest-hold = { $told }; die neuesten { $rows } Zeilen jeder Tabelle stimmen jetzt
ask-later = Lass den Bot laufen: Er sieht von selbst alles durch, alle zehn Sekunden ein wenig. Dann frag noch einmal.
copies-off = abgeschaltet (retention.backups_hours = 0)
no-copy = noch keine Kopie
copy = { $name }, { $age } alt, { $size }, beim Anlegen geprüft
copy-failed = vor { $age } entstand keine: { $why } Die neueste: { $newest }
copy-again = Der Bot versucht es beim nächsten Durchgang wieder.
room = { $free } frei in { $folder }; die Datenbank belegt { $takes }
room-inside = { $free } frei in { $folder } und { $inside } in der Datenbank; sie belegt { $takes }
free-space = Schaffe Platz; bis dahin wird nichts Neues aufgenommen.
never-checked = etwa { $rows } Zeilen, noch nie ganz geprüft
first-check = etwa { $rows } Zeilen, noch nie ganz geprüft: { $percent } % der ersten Prüfung, begonnen vor { $age }
last-check = zuletzt vor { $age } ganz geprüft, 100 % ({ $rows } Zeilen)
next-check = zuletzt vor { $age } ganz geprüft, 100 % ({ $rows } Zeilen); die nächste Prüfung ist bei { $percent } %
