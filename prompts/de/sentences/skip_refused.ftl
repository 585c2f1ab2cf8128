### Warum eine Nachricht keine Antwort bekam: Das Modell wollte schweigen, durfte es nicht, und schrieb dann nichts.

verdict = { $place }: es wollte schweigen
called-skip = Das Modell rief skip auf{ $category ->
    [none] ,
   *[other] {" "}({ $category }),
}
tool-refused = und das Werkzeug nahm das nicht an. Gebeten,
wrote-nothing = doch zu antworten, schrieb es nichts.
refused-call = der abgelehnte Aufruf von skip, mit der Begründung des Modells
request = Anfrage, wie sie gesendet wurde, und die Antwort
open-call = Öffne den Aufruf und lies, warum es schweigen wollte; dann frag mit anderen Worten noch einmal.
look-for-it = Öffne den Aufruf: Was es schweigen ließ, steht in der Persona, den Erinnerungen oder im Gespräch.
