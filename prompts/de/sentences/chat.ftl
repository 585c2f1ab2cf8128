### Ein Gespräch mit einem Admin in einem Thread.

choice-pressed = Du hast „{ $choice }“ gesagt.
no-answer = Das Modell gab keine Antwort: { $why }
rules-need-none = Die Regeln brauchen kein Modell. Sie sagen:
no-record-named = Keinen Eintrag gibt es mit diesem Namen: { $names }.
