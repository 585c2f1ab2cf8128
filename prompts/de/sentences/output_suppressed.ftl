### Warum eine Antwort kürzer ist als das, was das Modell schrieb: Ein Teil wurde nicht gesendet.

verdict = { $place }: Worte blieben zurück
written = Das Modell schrieb { $count } Zeichen, die nicht hinausgingen:
text-after-reply = der Bot sendet keinen Text nach einem `reply`.
has-words = Es sind { $count ->
    [one] 1 Wort
   *[other] { $count } Wörter
}; die Anfrage zeigt sie.
request = die letzte Anfrage, und was geschrieben wurde
sent = was gesendet wurde
ask-for-rest = Bitte um den Rest, oder frag noch einmal nach einer Antwort in einem Stück.
other-model = Die Worte stehen in der Anfrage. Passiert das oft, hält sich ein anderes Modell besser an die Regeln.
