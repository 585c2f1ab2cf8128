### Warum eine Nachricht keine Antwort bekam: Der Bot kann ihre Form nicht lesen.

verdict = { $place }: der Bot konnte es nicht lesen
delivered = { $name } lieferte es { $time },
form = in einer Form, die der Bot nicht lesen kann ({ $what }).
kind = und der Bot kennt die Art nicht ({ $what }).
plain-text = Sag es noch einmal als reinen Text.
update = Aktualisiere den Bot: Eine neuere Version kennt die Form vielleicht. Der Fehler steht im Log.
not-supported = { $place }: nicht unterstützt
business = Es ging an ein Geschäftskonto,
own-name-only = und dieser Bot antwortet nicht im Namen anderer.
write-to-bot = Schreib dem Bot selbst.
business-off = @BotFather: Business Mode, aus; oder trenne ihn (Telegram Business, Chatbots).
