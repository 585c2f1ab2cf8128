### Was der Bot in einem Kanal auf Discord darf, wer ihm ein Recht nahm, und wo man das ändert.

may-all = der Bot darf dort lesen und schreiben
cards-as-text = Karten kommen als Text, weil ihm { $right } fehlt
polls-as-text = Umfragen kommen als Text, weil ihm { $right } fehlt
may-not-view = der Bot darf den Kanal nicht sehen ({ $why })
may-not-connect = der Bot darf sich nicht mit dem Sprachkanal verbinden und deshalb dessen Chat nicht nutzen ({ $why })
hidden = Discord zeigt ihn dem Bot nicht: View Channel fehlt, oder es ist ein privater Thread anderer Leute
show = Lass den Bot den Kanal sehen; in einen privaten Thread holen ihn Mitglieder, indem sie ihn erwähnen.
lacks = dem Bot fehlt: { $rights } ({ $count ->
    [one] {""}
   *[other] { $first }:{" "}
}{ $why })
locked = der Thread ist gesperrt
unlock = Entsperr den Thread, oder gib dem Bot Manage Threads.
archived = der Thread ist archiviert; die nächste Nachricht öffnet ihn wieder
forum = es ist ein Forum: Der Bot hört und antwortet in dessen Beiträgen
post = Frag in einem seiner Beiträge, oder eröffne einen: Dort hört der Bot.
timed-out = der Bot ist bis { $time } im Timeout
end-timeout = Beende den Timeout des Bots (sein Profil, Timeout entfernen), oder warte.
pending = der Bot hat die Mitgliederprüfung des Servers nicht bestanden
approve = Schalte den Bot unter Mitglieder frei, oder schalte die Mitgliederprüfung aus; geht beides nicht, lade ihn noch einmal ein.
quarantined = AutoMod hat den Bot wegen seines Namens in Quarantäne gesetzt
rename = Gib dem Bot einen anderen Namen oder Spitznamen: Mit diesem lässt AutoMod ihn nichts tun.

## Wer ein Recht nahm

no-role-grants = keine Rolle des Bots gibt es ihm
taken-away = im Kanal oder seiner Kategorie verweigert; von wem, sagt Discord nicht
denied = verweigert für { $who ->
    [bot] den Bot selbst
    [everyone] @everyone
   *[role] die Rolle { $role }
} in { $where ->
    [category] der Kategorie { $category }
   *[channel] diesem Kanal
}
switch-on-in-role = Servereinstellungen, Rollen, { $who ->
    [role] die Rolle { $role }
   *[unnamed] die Rolle des Bots
}: { $right } einschalten; oder in den Berechtigungen des Kanals.
switch-on-in-channel = { $where ->
    [category] Kategorie bearbeiten ({ $category })
   *[channel] Kanal bearbeiten
}, Berechtigungen, { $who ->
    [role] die Rolle { $role }
    [bot] der Bot
   *[unnamed] die Rolle des Bots
}: { $right } einschalten.
look-at-roles = Kanal oder Kategorie bearbeiten, Berechtigungen: { $right } für { $who ->
    [role] die Rolle { $role }
   *[unnamed] die Rolle des Bots
} einschalten; sieh auch nach bei { $roles }.

## Was Leute vom Schreiben abhält

slow-mode = Slow Mode: Leute dürfen einmal in { $age } schreiben (Bots bremst das nicht)
age-restricted = mit Altersbeschränkung: Nur wer sein Alter bestätigt hat, sieht ihn
verified = ohne Rolle brauchen Leute { $level ->
    [1] eine bestätigte E-Mail-Adresse
    [2] eine bestätigte E-Mail-Adresse und ein fünf Minuten altes Konto
    [3] zehn Minuten auf dem Server
   *[4] eine bestätigte Telefonnummer
}, bevor sie schreiben dürfen
