### Warum eine Antwort zu wenig weiß: Niemand weiß, wie viel das Modell lesen kann, oder es liest weniger, als es bekam.

verdict-part = { $place }: nur ein Teil wurde gelesen
sent = Der Bot sandte ≈ { $sent } Token; der Dienst
read = sagt, er habe { $read } gelesen, ohne Fehler.
half = Die Hälfte eines Fensters von { $window }, wie Ollama kürzt.
no-more = Das ist ein Fenster von { $window }, und nicht mehr.
usage = Anfrage, wie sie gesendet wurde, und der Verbrauch
cuts-off = Sag es dem Betreiber: Der Server des Modells schneidet ab, was ihm zu lang ist, das Älteste zuerst.
more-room = Gib dem Server mehr Platz (Ollama: num_ctx, oder OLLAMA_CONTEXT_LENGTH), oder setze model.context_window kleiner.
settle = sagt sein Log `truncating input prompt`?
verdict-guess = { $place }: das Fenster ist geschätzt
not-known = Niemand weiß, wie viel { $model ->
    [none] das Modell
   *[other] { $model }
} lesen kann;
assumed = der Bot nimmt { $window } Token an.
left-out = Dafür ließ er { $count ->
    [one] 1 alten Turn
   *[other] { $count } alte Turns
} weg.
too-small = Das war zu klein für das, was er senden musste.
request = Anfrage, wie sie gesendet wurde, und was wegblieb
has-to-guess = Sag es dem Betreiber: Der Bot muss schätzen, wie viel dieses Modell lesen kann.
set-window = Setze model.context_window auf das, was das Modell wirklich fasst, und starte neu.
