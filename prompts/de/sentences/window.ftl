### Was die Webseite außer ihren eigenen Vorlagen sagt.

private-chat = ein privater Chat
the-host = der Rechner selbst
request-unreadable = Diese Anfrage kann ich nicht lesen.
request-too-large = Diese Anfrage ist zu groß.
too-many-at-once = Zu viele Anfragen auf einmal. Versuch es noch einmal.
took-too-long = Das hat zu lange gedauert. Versuch es noch einmal.
request-changed = Das ist inzwischen eine andere Anfrage. Lade die Seite neu.
no-such-context = Einen solchen Kontext gibt es nicht. Diese haben einen Namen: { $names }.
no-such-message = { $typed } ist keine aufgezeichnete Nachricht.
changes-from-the-page = Änderungen von der Seite
between-sections = dazwischen
words-gone = die Worte sind weg
line = Zeile { $number }
