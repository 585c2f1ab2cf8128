### Warum niemand eine Antwort bekam: Der Bot erreicht den Modelldienst nicht.

verdict = { $place }: Dienst nicht erreichbar
name-not-found = Sein Name wird nicht gefunden (DNS).
name-not-found-fix = Prüfe base_url von { $key } und die Namensauflösung des Rechners.
tls-fails = Die TLS-Verbindung scheitert.
tls-fails-fix = Prüfe Uhr und Zertifikate des Rechners, und was dazwischen steht.
proxy-fails = Der Proxy ist nicht erreichbar oder lehnt ab.
proxy-fails-fix = Prüfe proxy von { $key }, oder lass es leer.
no-connection = Unter seiner Adresse antwortet niemand.
no-connection-fix = Prüfe, ob er läuft; prüfe base_url von { $key }, Firewall, IPv6.
unreachable = Der Bot erreicht ihn nicht.
unreachable-fix = Prüfe Netz, Proxy und base_url von { $key }; `doctor` versucht, ihn zu erreichen.
service-at = Der Dienst ist { $provider } auf { $host }.
service-at-host = Der Dienst ist { $provider } auf { $host },
through-proxy = über den Proxy { $proxy }.
service-by-proxy = Der Dienst ist { $provider }, über den Proxy { $proxy }.
tried = { $count ->
    [one] Einmal
   *[other] { $count }-mal
} versucht, zuletzt { $time }.
last-good = Zuletzt antwortete ein Modell { $time }.
platform-reachable = { $platform } ist erreichbar, das Netz steht also.
request = Anfrage, mit jedem Versuch
tell-operator = Sag es dem Betreiber: Der Bot erreicht den Modelldienst nicht.
