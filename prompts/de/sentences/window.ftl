### Was die Webseite außer ihren eigenen Vorlagen sagt.

private-chat = ein privater Chat
the-host = der Rechner selbst
request-changed = Das ist inzwischen eine andere Anfrage. Lade die Seite neu.
no-such-context = Einen solchen Kontext gibt es nicht. Diese haben einen Namen: { $names }.
no-such-message = { $typed } ist keine aufgezeichnete Nachricht.
changes-from-the-page = Änderungen von der Seite
between-sections = dazwischen
words-gone = die Worte sind weg
line = Zeile { $number }
