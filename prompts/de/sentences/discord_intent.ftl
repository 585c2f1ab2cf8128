### Warum normale Nachrichten keine Antwort bekommen: Discord liefert sie ohne Text.

verdict = { $place }: Nachrichten kommen leer an
still-works = Slash-Befehle, Erwähnungen und DMs kommen an.
not-asked = Der Bot ist so eingestellt, dass er keinen Inhalt verlangt.
is-off = Die Berechtigung für Nachrichteninhalte ist aus.
may-be-off = Die Berechtigung für Nachrichteninhalte ist vielleicht aus.
counted = Von den letzten { $of } ohne Erwähnung { $empty ->
    [one] war 1
   *[other] waren { $empty }
} leer.
record = Gate content = leer
use-commands = Nimm Slash-Befehle oder erwähne den Bot, und sag es dem Betreiber.
ask-for-it = Setze message_content = true in [platforms.{ $key }], und starte neu.
switch-on = Developer Portal, Bot, Privileged Gateway Intents: Schalte Message Content ein; dann starte den Bot neu.
settle-doctor = `doctor` fragt die Plattform nach der Berechtigung.
settle-mention = erwähne den Bot dort, dann sieh in `ledger` nach.
