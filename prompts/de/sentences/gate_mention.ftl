### Warum eine Nachricht keine Antwort bekam: Niemand hat den Bot angesprochen.

verdict = { $place }: der Bot war nicht gemeint
record = Gate { $gate }
mentions = Erwähnt wird { $names }, nicht der Bot.
mentions-more = Erwähnt werden { $names } und { $more } weitere, nicht der Bot.
mentions-somebody = Erwähnt wird jemand anderes, nicht der Bot.
replies-to-somebody = Es ist eine Antwort an jemand anderen.
no-mention = Keine Erwähnung, keine Antwort an den Bot, kein Name.
held-role = Eine Rolle des Bots ruft ihn nur, wenn sie heißt wie er.
mode-changed = Der Modus wurde seitdem geändert.
mention-only = Hier gilt mention-only.
mention-only-since = Hier gilt seit { $time } mention-only.
count = { $count } solche Nachrichten in 24 h.
ask-again = Frag noch einmal: Er antwortet hier jetzt auf alles.
mention-it = Erwähne den Bot oder antworte ihm, oder lass ihn hier mit `active` auf alles antworten.
say-active = Sag dem Bot im Kanal `active`, damit er auf alles antwortet; `names` ergänzt, worauf er hört.
