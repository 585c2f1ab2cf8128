### Wie es der Verbindung zu Telegram geht, und was zu tun ist.

unknown-token = Telegram kennt das Token nicht
second-poller = ein anderes Programm ruft mit diesem Token ab
stalled = seit einer Weile kam kein Abruf zurück: Der Bot verbindet sich neu, bis einer kommt
store = der Bot kann nicht speichern, was ankommt; es wartet bei Telegram
webhook = auf { $host } ist ein Webhook gesetzt: Was man diesem Bot schreibt, bekommt ein anderes Programm
webhook-somewhere = irgendwo ist ein Webhook gesetzt: Was man diesem Bot schreibt, bekommt ein anderes Programm
flood = zu viele Anfragen; noch { $seconds } s warten
piling = Abfragen kommen leer zurück, obwohl dort etwas wartet: Die Verbindung wird erneuert, bis es kommt

## Was zu tun ist

fix-token = Trag bei platforms.telegram.token das Token ein, das BotFather zeigt, und starte neu.
fix-webhook = Finde das Programm, das den Webhook gesetzt hat, und stoppe es; oder lass diesen Bot ihn entfernen: `glassmind run --take-over`, oder auf Dauer `take_over = true` in [platforms.telegram].
fix-conflict = Stoppe das andere Programm, das mit diesem Token abruft; wenn du keines kennst, widerrufe das Token bei BotFather.
fix-network = Prüfe das Netz, den Proxy und base_url.
fix-flood = Nichts: Telegram hat gebeten zu warten.
fix-stalled = Prüfe das Netz und den Proxy.
fix-piling = Prüfe den Proxy und base_url: Dort antwortet vielleicht etwas an Telegrams Stelle.
fix-store = Schaffe Platz auf der Festplatte; was ankommt, wartet einen Tag lang bei Telegram.
fix-internal = Sieh ins Log.
