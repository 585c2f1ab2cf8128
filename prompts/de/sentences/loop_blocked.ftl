### Warum jeder Kanal wartete: Ein Schritt hielt den ganzen Bot auf.

verdict = { $place }: der ganze Bot stand still
stood = Für { $seconds } s, { $count ->
    [one] einmal
   *[other] { $count }-mal
}; zuletzt bis { $time }.
tool-held = Das Werkzeug { $tools } gab nicht frei.
tool-ran = Dabei lief das Werkzeug { $tools }.
two = { $one } und { $other }
stood-at = Er stand bei { $where }.
not-known = Wo er stand, ist nicht vermerkt.
nobody-answered = Solange bekam kein Kanal Antwort, und `stop` wirkte nicht.
turn = der Turn
ask-again = Frag noch einmal; wenn es wieder passiert, sag dem Betreiber, welches Werkzeug es ist.
switch-off = Schalte { $what ->
    [none] die letzte Änderung
   *[other] { $what }
} aus, oder lass es in einem Thread warten; im Log steht event_loop_blocked.
settle = das Log nennt Werkzeug und Zeit jedes event_loop_blocked.
