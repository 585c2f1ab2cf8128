### Warum eine Nachricht keine Antwort bekam: Vom Modell kam nichts Brauchbares.

rounds = { $place }: alle Runden verbraucht
markup = { $place }: Werkzeugaufruf kam als Text
filtered = { $place }: die Antwort wurde gefiltert
only-thought = { $place }: es dachte nur und schwieg
empty = { $place }: die Antwort war leer
kept-calling = Das Modell rief immer weiter Werkzeuge auf
kept-calling-more = und antwortete nie; { $count ->
    [one] 1 Aufruf
   *[other] { $count } Aufrufe
} insgesamt.
call-as-words = Das Modell schrieb zweimal einen
call-as-words-more = Werkzeugaufruf als Text. Ein Server mit
call-as-words-end = Parser dafür hätte ihn verstanden.
no-text = Das Modell antwortete ganz ohne Text.
stopped-with = Das Modell hörte mit `{ $reason }` auf.
output = { $output } Token Ausgabe{ $counted ->
    [no] .
    [about] , davon etwa { $reasoning } zum Nachdenken.
   *[yes] , davon { $reasoning } zum Nachdenken.
}
output-unknown = Der Dienst zählte seine Ausgabe nicht{ $counted ->
    [no] .
    [about] ; etwa { $reasoning } Token waren Nachdenken.
   *[yes] ; { $reasoning } Token waren Nachdenken.
}
read-thoughts = Öffne die Anfrage, um seine Gedanken zu lesen.
request = Anfrage, wie sie gesendet wurde, und die Antwort
ask-again = Frag anders oder in kleineren Teilen noch einmal; wenn es wieder passiert, sag es dem Betreiber.
raise-rounds = Erhöhe model.rounds, oder sieh dir die Werkzeugaufrufe an: Wiederholen sie sich?
start-parser = Starte den Server des Modells mit seinem Parser für Werkzeugaufrufe (vLLM: --enable-auto-tool-choice --tool-call-parser; llama.cpp: --jinja), oder nimm ein anderes Modell.
lower-output = Senke model.max_output_tokens oder model.context_window: Prompt und Antwort teilen sich das Fenster des Modells.
raise-output = Erhöhe model.max_output_tokens, oder lass das Modell weniger nachdenken.
filter-took-it = Der Filter des Anbieters hat sie entfernt; ein anderes Modell antwortet vielleicht.
other-model = Nimm ein anderes Modell: Dieses hat der Bot zweimal gefragt, und es kam nichts.
