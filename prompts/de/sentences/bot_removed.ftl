### Warum eine Gruppe keine Antwort bekommt: Der Bot ist nicht mehr darin, oder es gibt sie nicht.

verdict = { $place }: der Bot ist kein Mitglied
removed-by = Jemand hat ihn { $time } entfernt.
removed = Er wurde { $time } entfernt.
no-member = Er ist kein Mitglied; seit wann, hat ihm niemand gesagt.
delivers-nothing = { $name } liefert von dort nichts.
add-again = Füge den Bot wieder hinzu; was inzwischen gesagt wurde, sieht er nicht.
verdict-gone = { $place }: diesen Ort gibt es nicht
said = { $name } sagte:
name-again = Er wurde gelöscht, hat eine andere ID oder ist für Außenstehende unsichtbar: Nenn ihn noch einmal.
removal = seine Entfernung, und durch wen
