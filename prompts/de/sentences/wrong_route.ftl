### Warum keine Antwort zu sehen ist: Sie ging in einen anderen Kanal.

verdict = { $place }: anderswo beantwortet
addressed-to = Die Antwort geht an { $channel },
not-here = nicht an den Kanal, in dem gefragt wurde.
there-now = Sie steht jetzt dort.
not-sent-yet = Sie ist noch nicht gesendet.
answer = die Antwort, mit ihrer Adresse
look-there = Sieh im anderen Kanal nach; sag es dem Betreiber, denn eine Antwort darf ihren Kanal nie verlassen.
report = Das ist ein Fehler im Programm: Melde { $handle }.
