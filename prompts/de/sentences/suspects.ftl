### Was eine Zeile einer Anfrage verdächtig macht.

sign = { $sign ->
    [names_asker] nennt den Fragenden
    [about_asker] handelt vom Fragenden
    [reason] passt zu seinem Grund
    [own_skip] ein früheres Schweigen
    [silence] spricht vom Schweigen
    [treats] sagt, wie andere behandelt werden
    [new] neu seit der letzten Antwort
   *[non_admin] von jemandem, der kein Admin ist
}
