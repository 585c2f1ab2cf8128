### Was aus den Teilen einer Antwort wurde.

part = Teil { $part } von { $parts }, { $state ->
    [new] wartet
    [sending] wird gesendet
    [uncertain] kam vielleicht an
    [dead] aufgegeben
    [refused] abgelehnt
   *[sent] gesendet
}
