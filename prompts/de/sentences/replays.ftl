### Turns, nach denen noch einmal gefragt wird: Läufe, Prüffälle und Bündel.

no-turns = Es gibt keinen Turn zum Durchspielen.
stopped-by-you = du hast es abgebrochen
progress = { $done } von { $planned }
both-prices = Gib --price-input und --price-output zusammen an.
name-a-model = { $why }. Schreib --model provider/model, oder richte [providers.{ $provider }] ein.
price-needed = --most-cost braucht den Preis von { $models }, und den kenne ich nicht. Gib --price-input und --price-output an, in US-Dollar je Million Token.
too-expensive = Es würde etwa { $cost } kosten, mehr als { $most }. Erhöhe --most-cost oder nimm mit --last weniger Turns.
check-price-needed = --most-cost braucht einen Preis. Gib --price-input und --price-output an.
check-too-expensive = Es könnte { $cost } kosten, mehr als { $most }. Erhöhe --most-cost.
left-out = { $count }: { $why }
changed-model = das Modell ist { $model }
changed-without = ohne { $name }
changed-persona = die Persona kommt aus { $file }
runs-not-kept = Ich konnte die Läufe nicht speichern: { $why }.
runs-kept = Die Läufe, ohne die Worte von irgendwem: { $file }

## Ein Bündel

checked-seal = das Siegel der Datei
checked-sections = Abschnitte: { $count }
checked-parts = Teile: { $count }
checked-request = die Anfrage, neu zusammengesetzt aus ihren Teilen
checked-bytes = ihre Bytes, noch einmal geschrieben
checked-sent = dieselben Bytes, die gesendet wurden
checked-runs = Läufe: { $count }
more-wrong = { $count } weitere
not-run = Ich habe es nicht laufen lassen, weil es verändert wurde.
decided = { $decision }: { $count } von { $runs } (95-%-Intervall { $low } bis { $high })
it-cost = Es hat { $cost } gekostet.
