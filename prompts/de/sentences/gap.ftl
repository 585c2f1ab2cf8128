### Was davon nur eine Seite hat: kurz, hinter der Anzahl.

on-its-way = unterwegs
tries = { $count ->
    [one] 1 Versuch
   *[other] { $count } Versuche
}
