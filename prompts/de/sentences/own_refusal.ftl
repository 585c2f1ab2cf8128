### Warum eine Nachricht keine Antwort bekam: Der Bot las sein früheres Schweigen oder Nein, und tat es wieder.

verdict = { $place }: er wiederholt sein { $what ->
    [silence] Schweigen
   *[refusal] Nein
}
did-so-in = Er { $what ->
    [silence] schwieg
   *[refusal] lehnte ab
} in { $handle }, aus demselben Grund.
still-there = Das steht noch im Prompt, und er tat es wieder.
first-turn = der Turn, in dem er es zuerst tat
refused-then = was er damals ablehnte
request = Anfrage, wie sie gesendet wurde: Nachricht { $number }
start-over = Fang neu an (`new`), oder sag, dass das frühere Nein falsch war; dann frag noch einmal.
start-over-fix = Fang neu an (`new`): Das eigene Beispiel wiegt mehr als der Prompt.
settle = frag dasselbe in einem neuen Chat.
