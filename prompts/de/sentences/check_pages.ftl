### Knöpfe, mit denen ein Admin sagt, was richtig war.

as-it-did = Wie geschehen: { $did }
should-answer = Er soll antworten
should-be-silent = Er soll schweigen
