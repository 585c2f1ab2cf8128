### Warum eine Einstellung nichts zu bewirken scheint: Sie wurde geändert, und der Bot läuft noch mit der alten.

verdict = { $place }: eine Änderung wirkt nicht
key = { $key }{ $more ->
    [0] {""}
   *[other] {" "}und { $more } weitere
}
new-value = hat in { $file } einen neuen Wert;
overruled = die Umgebung setzt einen anderen.
runs-with-old = der Bot nutzt noch den alten.
compared = Der Bot verglich die Nachricht mit dem alten.
answered = Der Bot antwortete mit dem alten.
silent = Mit dem alten wollte das Modell schweigen.
asked = Der Bot fragte das Modell mit dem alten.
request = Anfrage, wie sie gesendet wurde
tell-operator = Sag es dem Betreiber: Der Bot hat die geänderte Konfiguration noch nicht gelesen.
reload = Führe auf dem Rechner `systemctl reload glassmind` (SIGHUP) aus; dann frag noch einmal.
restart = Starte den Bot neu; dann frag noch einmal.
change-environment = Die Umgebung hat einen eigenen Wert (systemd? eine Shell?): Ändere ihn dort, und starte den Bot neu.
settle = lade oder starte neu, und frag noch einmal.
