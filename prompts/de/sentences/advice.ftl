### Was zu tun ist, wenn ein Modelldienst versagt.

auth = Prüfe api_key, und ob base_url zum selben Dienst gehört.
credit = Lade das Guthaben auf, das zum Schlüssel gehört.
not-found = Prüfe base_url: Sie endet meist auf /v1. Dann den Namen des Modells.
unreachable = Prüfe base_url, das Netz, den Proxy, und ob der Dienst läuft.
timeout = Frag noch einmal: Ein Server, der ein Modell lädt, antwortet später. Dann sieh nach dem Netz.
rate = Warte, oder erhöhe das Limit des Schlüssels.
later = Versuch es später noch einmal; sieh auf die Statusseite des Dienstes.
region = Der Dienst bedient dieses Land nicht: Nimm einen anderen Dienst, oder einen Proxy, den er erlaubt.
address = Prüfe base_url: Sie endet meist auf /v1.
verification = Verifiziere das Konto beim Dienst, oder nimm ein Modell, das es nicht verlangt.
blocked = Eine Firewall des Dienstes sperrt diesen Rechner aus: Nimm ein anderes Netz, oder frag den Dienst.
loading = Warte, bis das Modell geladen ist.
garbage = Prüfe base_url: Sie endet meist auf /v1, und vielleicht antwortet dort etwas anderes.
its-words = Was ihn stört, sagt der Dienst mit seinen eigenen Worten.
