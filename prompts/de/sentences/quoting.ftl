### Was um die Worte von jemandem herum steht, die gezeigt werden.

by-model = Worte eines Modells (es las Texte von Mitgliedern; mit Vorsicht lesen):
summary-by-model = Zusammenfassung des Modells (es las Texte von Mitgliedern; mit Vorsicht lesen):
part-by-model = { $part }: Worte eines Modells (es las Texte von Mitgliedern; mit Vorsicht lesen):
more-characters = noch { $count } Zeichen
redacted = { $count } geschwärzt
invisible = enthält { $count ->
    [one] { $count } unsichtbares Zeichen
   *[other] { $count } unsichtbare Zeichen
}
