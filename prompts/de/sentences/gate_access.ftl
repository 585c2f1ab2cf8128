### Warum jemand oder ein Ort keine Antwort bekommt: die Listen, wer darf und wer nicht.

verdict-dms-off = { $place }: Direktnachrichten sind aus
verdict-opted-out = { $place }: der Absender hat widersprochen
verdict-blocked = { $place }: { $what ->
    [server] der Server
    [channel] der Kanal
   *[sender] der Absender
} { $over ->
    [yes] war
   *[no] ist
} gesperrt
verdict-not-allowed = { $place }: { $what ->
    [server] der Server
    [channel] der Kanal
   *[sender] der Absender
} { $over ->
    [yes] war
   *[no] ist
} nicht zugelassen
dms-off = allow_dms ist für diese Plattform aus.
opted-out = Die Person hat `optout` gesendet: Der Bot speichert
opted-out-more = und beantwortet nicht, was sie schreibt.
on-list = Die ID ({ $what ->
    [server] Server
    [channel] Kanal
   *[sender] Absender
}) { $over ->
    [yes] stand
   *[no] steht
} in { $list }:
not-on-list = Die ID { $id } ({ $what ->
    [server] Server
    [channel] Kanal
   *[sender] Absender
}) { $over ->
    [yes] stand
   *[no] steht
} nicht in
not-on-list-more = { $list } ({ $entries }).
lists-changed = Die Listen wurden seitdem geändert.
count = { $count } Nachrichten in 24 h blieben deshalb ohne Antwort.
ask-again = Frag noch einmal: Jetzt ist es erlaubt.
only-they-can = Nur die Person selbst kann das mit `optout off` beenden.
tell-operator-wrong = Wenn das ein Versehen ist, sag es dem Betreiber: Das steht in der Konfiguration.
tell-operator-allow = Bitte den Betreiber, diese ID zuzulassen: Das steht in der Konfiguration.
allow-dms = Sollen Direktnachrichten erlaubt sein, setze allow_dms = true und starte neu.
take-off = Wenn das ein Versehen ist, nimm die ID aus { $list } und starte neu.
add-to = Nimm die ID in { $list } auf, oder entferne { $list }, um alle zuzulassen, und starte neu.
look-at-record = Öffne den Eintrag unten: Er sagt, was verglichen wurde.
record = Gate { $gate }
