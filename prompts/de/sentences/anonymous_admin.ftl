### Warum ein Admin keine Antwort bekam: Er schrieb im Namen der Gruppe, und niemand weiß, wer es war.

verdict = { $place }: von einem anonymen Admin
groups-name = Es kam im Namen der Gruppe.
not-which = { $name } sagt nicht, welcher Admin es ist.
list-holds-people = { $list } nennt Menschen, und das ist keiner.
not-obeyed = Es war ein Befehl: Der Bot gehorcht keinem Unbekannten.
own-name = Schreib unter deinem Namen (deine Adminrechte, Anonym bleiben: aus), oder frag den Bot privat.
