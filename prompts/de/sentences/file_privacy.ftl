### Wer eine Datei des Betreibers sonst noch lesen oder ändern könnte und was dagegen hilft.

anybody = jeder auf diesem Rechner
group = die Gruppe { $name }
user = Benutzer { $number }
can-read = { $who } kann sie lesen (Modus { $mode }). Starte: chmod 600 { $file }
can-change-secret = { $who } kann sie ändern (Modus { $mode }). Starte: chmod 600 { $file }
can-change = { $who } kann sie ändern (Modus { $mode }). Starte: chmod go-w { $file }
belongs-to = sie gehört { $owner }, und damit kann { $owner } sie ändern. Starte: chown { $us } { $file }
planted = { $file } gehört { $owner } und kann von dort jeden Inhalt bekommen haben. Wenn du dem traust, starte: chown { $us } { $file }
can-replace-file = { $who } kann eine andere Datei an ihre Stelle setzen. Starte: chmod go-w { $folder }
can-replace-folder = { $who } kann einen anderen Ordner an seine Stelle setzen. Starte: chmod go-w { $folder }

## Was sich nicht als Datei lesen lässt

not-a-file = es ist { $kind ->
    [pipe] eine Pipe
    [socket] ein Socket
    [device] ein Gerät
    [folder] ein Ordner
   *[other] nichts Gewöhnliches
}, keine Datei
too-large = sie ist größer als { $size }
not-utf-8 = sie ist kein UTF-8-Text (Byte { $byte })
