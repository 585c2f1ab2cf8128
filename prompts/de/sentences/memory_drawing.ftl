### Worte in den Bildern, wer den Bot wie viel lehrte, und wohin eine Erinnerung ging.

role = { $role ->
    [owner] Besitzer
    [admin] Admin
    [moderator] Moderator
   *[member] Mitglied
}
forgotten = vergessen
held-it = enthielt sie
came-of-it = kam davon
