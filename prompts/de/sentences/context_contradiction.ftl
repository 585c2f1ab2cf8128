### Warum eine Antwort falsch ist: Zwei Zeilen, die das Modell bekam, schließen einander aus.

verdict = { $place }: ihm wurde zweierlei gesagt
contradicts = Was ihm gesagt wurde, widerspricht sich:
both = { $one } und { $other }:
differ = { $difference ->
    [negation] eines sagt nein
    [figure] andere Zeit oder Zahl
   *[value] ein anderer Wert
}. Die Antwort nahm eines davon.
one-of-two = eines der beiden
the-other = das andere
request = Anfrage, wie sie gesendet wurde, mit beiden
forget-wrong = Lass das Falsche vergessen, oder sag dem Bot, was stimmt.
reword = Vergiss die falsche Erinnerung, oder ändere bot.persona.
settle = was von beiden stimmt?
