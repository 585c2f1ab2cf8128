### Was an einer Datei mit Erinnerungen nicht stimmt, die jemand übernehmen will.

empty = Die Datei ist leer. { $how }
how = Solche Dateien schreibt `memory export`.
not-unpacked = Die Datei lässt sich nicht entpacken: { $why }. Kopiere sie noch einmal.
newer = Diese Datei hat ein neueres Glassmind geschrieben (Version { $version }, ich lese { $newest }). Bring mich auf den neuen Stand, dann versuch es noch einmal.
no-such-file = Das ist keine Datei mit Erinnerungen: In der ersten Zeile steht nichts davon. { $how }
too-many = In der Datei sind mehr als { $most } Erinnerungen; so viele nehme ich auf einmal. Übernommen habe ich nichts. Exportiere weniger auf einmal, einen Kanal nach dem anderen.
