### Warum eine Nachricht keine Antwort bekam: Das Modell wollte nichts sagen.

verdict = { $place }: der Bot wollte nicht antworten
called-skip = Das Modell wollte nicht antworten (es rief skip auf).
only-reacted = Das Modell reagierte nur mit einem Emoji.
said-nothing = Das Modell wollte nichts sagen.
addressed = Die Nachricht war an den Bot gerichtet.
not-addressed = Die Nachricht war nicht an den Bot gerichtet.
rules-allow = silence_rules im Prompt erlauben das.
ask = Frag mich, was im Prompt zum Schweigen führte; der Betreiber kann es ändern.
reword = Ändere prompts/en/sections/silence_rules.md.j2, oder nimm ein anderes Modell.
settle = ein Modell kann die Anfrage lesen und sagen, warum.
request = Anfrage, wie sie gesendet wurde
