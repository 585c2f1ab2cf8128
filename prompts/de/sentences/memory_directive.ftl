### Warum eine Nachricht keine Antwort bekam: Eine Erinnerung im Prompt befahl dem Bot zu schweigen.

verdict = { $place }: der Bot wollte nicht antworten
chose-in = Das Modell rief in { $turn } skip auf. Im Prompt stand
no-answer-in = In { $turn } gab es keine Antwort. Im Prompt stand
chose-reach-in = Das Modell rief in { $turn } skip auf. Lesen konnte es
no-answer-reach-in = In { $turn } gab es keine Antwort. Lesen konnte es
chose = Das Modell rief skip auf. Im Prompt stand
no-answer = Es gab keine Antwort. Im Prompt stand
chose-reach = Das Modell rief skip auf. Lesen konnte es
no-answer-reach = Es gab keine Antwort. Lesen konnte es
memory = Erinnerung { $handle }: { $force ->
    [orders] sie sagt dem Bot, er soll schweigen.
    [hints] sie spricht vom Schweigen.
    [rules] sie will Gehorsam.
   *[none] kein klarer Befehl.
}
reason-names = Die Begründung des Modells nennt sie.
invisible = { $count ->
    [one] 1 unsichtbares Zeichen
   *[other] { $count } unsichtbare Zeichen
} darin.
not-tried = Nicht bewiesen: noch nicht ohne diese Erinnerung versucht.
forgotten = Sie wurde inzwischen vergessen; frag noch einmal.
read-it = Lies { $handle }; vergiss sie, wenn niemand es so meinte.
read-and-by = Lies { $handle } und wer sie verursacht hat; `memory by` zeigt, was sonst noch.
settle = stell dieselbe Anfrage ohne diese Erinnerung.
record = { $type } · Gewicht { $importance } · { $age } alt · von { $by ->
    [admin] einem Admin
   *[other] einem Nicht-Admin
}
request = Anfrage, wie sie gesendet wurde · { $section ->
    [memory_bulletin] Erinnerungsliste
   *[other] Abschnitt { $section }
}, Zeile { $line } von { $lines }
