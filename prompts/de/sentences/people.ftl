### Wie von Leuten die Rede ist, wenn kein Name fällt.

by-role = { $role ->
    [owner] dem Besitzer
    [admin] einem Admin
    [moderator] einem Moderator
   *[other] jemandem
}
