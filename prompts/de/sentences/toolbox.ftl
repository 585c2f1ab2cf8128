### Welche Werkzeuge es gibt, wo sie geschlossen sind und wie Aufrufe in der Aufzeichnung enden.

## Warum eine Werkzeuggruppe geschlossen ist

not-for-agent = für den Agenten { $agent } ist sie nicht offen (agents.{ $agent }.tools)
no-table = eine Tabelle [{ $table }] gibt es nicht
off = sie ist aus ({ $table }.enabled)
needs-authority = sie braucht die Befugnis { $authority }
not-in-channel = in diesem Kanal ist sie nicht offen

## Werkzeuge, die nicht zusammenpassen

argument-models = Werkzeug `{ $tool }`: nimmt { $count } Argumentmodelle. Gib seiner Funktion genau ein `args: <Args>`.
reserved-argument = Werkzeug `{ $tool }`: hat ein Argument `{ $argument }`, das Modelle nicht füllen dürfen. Benenne es um.
unmet-need = Werkzeug `{ $tool }`: braucht `{ $parameter }: { $kind }`, und niemand liefert das. Gib der Toolbox ein { $kind }.
kind-not-allowed = Werkzeug `{ $tool }`: steht im Werkzeugsatz von { $kind }, den es nicht erlaubt.
listed-twice = Werkzeug `{ $tool }`: steht zweimal im Werkzeugsatz von { $kind }.

## Wie ein Aufruf endete

left-behind = er hörte nicht auf, als er sollte, und wurde zurückgelassen
cancelled-before = abgebrochen, bevor er lief
cancelled-while = abgebrochen, während er lief
store-failed = der Speicher hat versagt
