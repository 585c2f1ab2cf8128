### Warum normale Gespräche einer Gruppe keine Antwort bekommen: Telegram liefert nur einen Teil davon.

verdict = { $place }: { $name } liefert nicht alles
no-admin = Der Gruppen-Datenschutz ist an, und der Bot ist kein Admin.
for-this-bot = Der Gruppen-Datenschutz ist für diesen Bot an.
still-works = Slash-Befehle, Antworten an den Bot und DMs kommen an.
never-came = Von dort kam noch nie eine Nachricht.
no-plain-talk = { $count ->
    [one] Die letzte Nachricht war kein normales Gespräch.
   *[other] Von den letzten { $count } war keine ein normales Gespräch.
}
came-last = zuletzt kam: { $kind ->
    [command] ein Slash-Befehl
    [reply] eine Antwort an den Bot
    [mention] eine Erwähnung
   *[event] ein Ereignis
}
make-admin = Mach den Bot zum Admin der Gruppe, oder nimm Slash-Befehle und Antworten an ihn.
set-privacy = @BotFather: /setprivacy, Disable; dann entferne den Bot aus der Gruppe und füge ihn wieder hinzu.
settle-mention = erwähne den Bot dort, dann sieh in `ledger` nach.
settle-doctor = `doctor` fragt die Plattform.
