### Warum niemand eine Antwort bekommt: Das Geld des Tages ist ausgegeben.

verdict = { $place }: Tageslimit erreicht
verdict-over = { $place }: Tageslimit war erreicht
spent-today = Heute ausgegeben: { $cost } von { $cap }.
spent-that-day = An dem Tag ausgegeben: { $cost } von { $cap }.
went-to = Letzte 24 h: { $work ->
    [channel] Antworten
    [branch] Nebengespräche
    [worker] Worker
    [compactor] Zusammenfassungen
    [cortex] Fragen an den Cortex
    [inspection] Untersuchungen
    [replay] Wiederholungen
    [embedding] Suche nach ähnlichen Erinnerungen
   *[other] { $work }
} { $cost }, { $tokens } Token.
record = Gate budget
ask-again = Frag noch einmal: Ein neuer Tag hat begonnen.
tomorrow = Morgen (UTC) antwortet er wieder. Sag es dem Betreiber.
cheaper-summaries = Nimm ein günstigeres compaction.summarization_model, oder erhöhe limits.daily_cost_usd und lade neu.
cheaper-cortex = Nimm ein günstigeres cortex.model, oder erhöhe limits.daily_cost_usd und lade neu.
prove-less = Mach weniger Beweise (jeder fragt das Modell oft), oder erhöhe limits.daily_cost_usd und lade neu.
look-at-work = Sieh mit `work` nach, was die Worker tun, oder erhöhe limits.daily_cost_usd und lade neu.
cheaper-model = Nimm ein günstigeres Modell, oder erhöhe limits.daily_cost_usd und lade neu.
