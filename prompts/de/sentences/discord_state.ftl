### Wie es der Verbindung zu Discord geht, und was zu tun ist.

unknown-token = Discord kennt das Token nicht
no-such-shard = Discord kennt diesen Shard nicht
too-few-shards = der Bot ist auf zu vielen Servern für so wenige Shards
old-version = Discord spricht nicht mehr mit dieser Version
no-such-intents = Discord kennt diese Intents nicht
intents-refused = Discord lehnt die Intents ab
stalled = vom Gateway kam eine Weile nichts, nicht einmal die Antwort auf einen Heartbeat: Der Bot verbindet sich neu
store = der Bot kann nicht speichern, was ankommt, und behält es im Arbeitsspeicher
backlog-full = der Bot kann nicht speichern, was ankommt, und der Platz dafür im Arbeitsspeicher ist voll: Er hört wieder zu, sobald er speichern kann
content-intent = Message Content Intent ist aus: Discord lässt den Text von Nachrichten weg, die den Bot nicht erwähnen
ended = cut: Das Gateway hat die Verbindung beendet (Code { $code })
unreadable = answer: Was das Gateway sagte, ist nicht lesbar ({ $error })
hard-of-hearing = Erwähn mich oder nimm einen Befehl: Den Rest kann ich nicht lesen
sessions-short = heute sind noch { $left } von { $total } Sitzungen übrig: die nächste in { $time }

## Was zu tun ist

fix-token = Trag bei platforms.discord.token das Token ein, das das Developer Portal unter Bot zeigt, und starte neu.
fix-network = Prüfe das Netz, den Proxy, rest_url und gateway_url.
fix-stalled = Prüfe das Netz und den Proxy.
fix-store = Schaffe Platz auf der Festplatte; was ankommt, bleibt im Arbeitsspeicher, und nach einem Neustart liest der Bot es bei Discord nach.
fix-internal = Sieh ins Log.
fix-content-intent = Schalte Message Content Intent im Developer Portal ein (deine Anwendung, Bot, Privileged Gateway Intents) und starte neu; oder setze message_content = false.
fix-intents = Das ist ein Fehler im Programm: Bitte melde ihn.
fix-shards = Pass shard_count und shard_ids den anderen Prozessen an, oder entferne beide: Dann sagt Discord, wie viele es sind.
fix-api-version = Aktualisiere das Programm: Discord spricht nicht mehr mit dieser Version.
fix-session-limit = Jetzt nichts: Zur genannten Zeit verbindet er sich. Finde heraus, warum er sich so oft verbindet.
