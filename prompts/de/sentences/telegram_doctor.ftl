### Was der Doktor zu Telegram sagt: das Konto, der Webhook, der Abruf, ein Chat.

unknown-token = Telegram kennt das Token nicht
account = { $name } antwortet; der Gruppen-Datenschutz ist { $privacy ->
    [on] an
   *[off] aus
}
business = jemand hat es mit seinem Business-Konto verbunden (letzte Nachricht { $time }): Dieser Bot antwortet niemandem im Namen anderer
no-business = @BotFather: Bot Settings, Business Mode, aus. Oder wer es verbunden hat: Einstellungen, Telegram Business, Chatbots.
no-webhook = kein Webhook; { $waiting ->
    [one] { $waiting } Update wartet
   *[other] { $waiting } Updates warten
}
webhook = ein Webhook ist auf { $host } gesetzt; { $waiting ->
    [one] { $waiting } Update wartet
   *[other] { $waiting } Updates warten
} auf ihn
webhook-fails = { $webhook }; dort scheitert es: { $error }
nothing-changed = Nichts wurde geändert. { $fix }
state = { $state ->
    [up] läuft
    [starting] startet
    [degraded] eingeschränkt
    [conflict] Konflikt
    [down] aus
    [disabled] abgeschaltet
   *[other] { $state }
}
state-because = { $state }: { $detail }
last-poll = { $state }; letzter guter Abruf: { $time }
never-polled = { $state }; letzter guter Abruf: nie
other-program = { $state }; ein anderes Programm hat um { $time } mit diesem Token abgerufen
private-open = der Privatchat ist offen
press-start = Drück im Privatchat des Bots auf Starten.
add = Füge den Bot dem Chat hinzu.
not-in = der Bot ist nicht darin
banned = der Bot wurde entfernt und ist gesperrt
unban = Nimm den Bot von der Liste der entfernten Nutzer (Gruppe verwalten, Berechtigungen) und füge ihn wieder hinzu.
may-send = der Bot ist { $status ->
    [member] Mitglied
    [administrator] Admin
    [creator] Ersteller
    [restricted] eingeschränkt
   *[other] { $status }
} und darf senden
may-not-send = der Bot darf nicht senden: { $why }
admins-post = in einem Kanal schreiben nur Admins mit dem Recht Nachrichten posten
post = Kanal verwalten, Administratoren, der Bot: Nachrichten posten einschalten.
restricted = ein Admin hat den Bot eingeschränkt
restricted-until = ein Admin hat den Bot bis { $time } eingeschränkt
lift = Gruppe verwalten, Berechtigungen, Ausnahmen: die Einschränkung des Bots aufheben; oder mach ihn zum Admin.
members-mute = Mitglieder dürfen nichts senden
everybody = Gruppe verwalten, Berechtigungen: Mitglieder senden lassen; oder mach den Bot zum Admin.
costs = eine Nachricht kostet { $stars ->
    [one] { $stars } Stern
   *[other] { $stars } Sterne
}
paid = Mach den Bot zum Admin, oder lass Mitglieder kostenlos schreiben (Gruppe verwalten, Berechtigungen).
slow-mode = Slow Mode: eine Nachricht in { $age }
slow = Mach den Bot zum Admin, den der Slow Mode nicht bremst, oder schalte ihn ab (Gruppe verwalten, Berechtigungen).
lacks = er darf nicht senden: { $kinds }
privacy = der Gruppen-Datenschutz hält fern, was nicht an ihn gerichtet ist
privacy-fix = Schreib @BotFather: /setprivacy, Disable; dann nimm den Bot aus der Gruppe und füge ihn wieder hinzu. Oder mach ihn zum Admin. Befehle und Antworten an ihn kommen auf jeden Fall an.
polls-as-text = Umfragen kommen als Text: Mitglieder dürfen keine Umfragen senden
unheard-reactions = der Bot ist hier kein Admin und sieht keine Reaktionen: Mit 🤔 kann man nichts fragen
