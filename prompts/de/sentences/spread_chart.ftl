### Das Bild davon, wohin eine Erinnerung ging.

elsewhere = anderswo
other-places = { $count } andere
workers = { $count ->
    [one] { $count } Worker
   *[other] { $count } Worker
}
branches = { $count ->
    [one] { $count } Branch
   *[other] { $count } Branches
}
compactions = { $count ->
    [one] { $count } Zusammenfassung
   *[other] { $count } Zusammenfassungen
}
among-it = darunter { $named }
