### Warum eine Antwort von einer Datei nichts weiß: Die Datei wurde nicht gelesen.

verdict = { $place }: eine Datei blieb ungelesen
not-shown = { $unread ->
    [only] Das Modell bekam die Datei nicht zu sehen;
   *[other] Das Modell bekam { $unread } von { $files } Dateien nicht zu sehen;
}
kind-size = { $kind ->
    [unknown] Art unbekannt
   *[other] { $kind }
}, { $size ->
    [unknown] Größe unbekannt
   *[other] { $size } kB
}:
takes-no-pictures = das Modell nimmt keine Bilder
request = Anfrage, wie sie gesendet wurde: was sie von der Datei sagt
describe = Sag in Worten, was das Bild zeigt: Das Modell dieses Kanals sieht keine Bilder.
send-smaller = Schick sie kleiner, oder in Teilen.
send-as-text = Schick sie als reinen Text oder als Bild (PNG, JPEG, GIF, WebP).
send-again = Schick sie mit der Frage noch einmal: Links zu Dateien laufen ab.
sees-images = Wenn das Modell sehen kann, setze model.sees_images = true; sonst nenn eines, das es kann.
raise = Erhöhe attachments.{ $key }, wenn das Fenster des Modells mehr fasst.
raise-per-message = Erhöhe attachments.per_message.
set-above-zero = Setze attachments.text_kb und image_mb über 0.
see-log = Im Log steht `attachment_not_fetched` mit den Worten der Plattform.
