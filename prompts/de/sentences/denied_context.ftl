### Warum eine Antwort falsch ist: Sie sagt, sie wisse nicht, was im Prompt stand.

verdict = { $place }: er leugnet Gesagtes
does-not-know = Die Antwort sagt, dass sie es nicht weiß,
but-told = aber { $what } sagt es.
was-told = was ihm gesagt wurde
request = Anfrage, wie sie gesendet wurde: { $where }
answer = die Antwort, die es leugnet
ask-with-word = Frag noch einmal mit einem Wort dieser Zeile, oder sag es dem Betreiber.
shorten = Das Modell hat es übersehen: Kürze den Prompt, oder versuch ein anderes Modell.
settle = lies die Zeile: Beantwortet sie die Frage?
