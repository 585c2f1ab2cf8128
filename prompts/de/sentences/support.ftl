### Die Datei, die man an die Meldung eines Problems hängt.

written =
    { $file } geschrieben.
    Darin stehen Versionen, Einstellungen, die Zeilen des Doktors und wie die neuesten Nachrichten eines Kanals endeten.
    Kein Geheimnis, keine Nachricht, kein Name. Lies sie, bevor du sie weitergibst.
title = Glassmind-Support
about = Kein Geheimnis, keine Worte einer Nachricht, keine Namen oder IDs: Von Texten steht nur die Länge da, von Listen die Anzahl.
versions = Versionen
configuration = Einstellungen, die jemand vorgenommen hat
problems = Schlüssel, die nicht gehen
doctor = Doktor
messages = Wie die neuesten Nachrichten eines Kanals endeten (UTC)
no-doctor = Der Doktor konnte nicht nachsehen: { $why }.
characters = ({ $count } Zeichen)
entries = ({ $count ->
    [one] { $count } Eintrag
   *[other] { $count } Einträge
})
