### Skills: warum einer ausgelassen ist, und was dagegen hilft. Es steht hinter dem Namen der Datei.

## Der Kopf seiner Datei

head-missing = sie hat keinen Kopf: Schreib in die ersten Zeilen `---`, `name: …`, `description: …` und `---`
head-not-closed = ihr Kopf hört nicht auf: Schreib eine Zeile `---` darunter
key-twice = `{ $at }` steht zweimal in ihrem Kopf
line-without-key = Zeile { $at } ihres Kopfes ist nicht `key: value`
quotes-open = die Anführungszeichen von `{ $at }` in ihrem Kopf gehen nicht zu
no-name = in ihrem Kopf fehlt `name:`
bad-name = ihr Name ist „{ $name }“: Nimm Kleinbuchstaben und Ziffern mit einzelnen Bindestrichen dazwischen, höchstens { $most } Zeichen
no-description = in ihrem Kopf fehlt `description:`; daran erkennt das Modell, wann es nachschlagen soll
description-too-long = ihre Beschreibung ist { $count } Zeichen lang, mehr als { $most }
nothing-below = unter ihrem Kopf steht nichts
name-taken = { $other } heißt auch { $name }: Gib einem einen anderen Namen, oder entferne ihn

## Die Datei selbst

too-many = es gibt mehr als { $most } Skills
no-folder = ein Skill braucht einen eigenen Ordner: Verschieb diese Datei nach { $path }
rename = benenne { $name } in { $wanted } um
no-file = in ihrem Ordner fehlt { $wanted }
link-circle = sie ist ein Link, der auf sich selbst zeigt
link-out = sie ist ein Link auf eine Datei außerhalb des Skill-Ordners: Leg die Datei selbst hinein
not-ordinary = sie ist keine gewöhnliche Datei
too-large = sie ist größer als { $kb } kB (skills.file_kb): Kürze sie
not-utf8 = sie ist kein UTF-8 (Byte { $byte }): Speichere sie als UTF-8
file-unreadable = ich kann sie nicht lesen: { $why }
folder-unreadable = ich kann diesen Skill-Ordner nicht lesen: { $why }

## Eine andere Datei eines Skills, nach der das Modell gefragt hat

other-not-inside = sie gehört nicht zu diesem Skill. Seine Dateien: { $files }
other-not-there = diese Datei gibt es nicht. Die Dateien: { $files }
other-unreadable = sie lässt sich nicht lesen. Die Dateien: { $files }
other-too-large = sie ist größer als { $kb } kB (skills.file_kb)
other-no-text = sie ist kein Text: Nur UTF-8 lässt sich lesen
