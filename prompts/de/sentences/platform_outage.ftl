### Warum von einem Server nichts kommt: Die Plattform selbst nennt ihn nicht verfügbar.

verdict = { $place }: { $name } ist dort gestört
since = Seit { $time } nennt { $name } diesen Server nicht verfügbar.
others-may-work = Andere gehen vielleicht; dieser nicht.
wait = Warte: Er kommt von selbst zurück, und der Bot liest dann, was geschrieben wurde.
nothing-here = Hier ist nichts zu tun: Sieh auf discordstatus.com. Er kommt von selbst zurück.
