### Was eine Zeile des Prompts ist.

persona = seine Persona
memory = eine Erinnerung
file = eine Datei
not-told = nicht mehr gesagt
summary = eine Zusammenfassung
message = eine Nachricht
tool = das Ergebnis eines Werkzeugs
answer = seine eigene frühere Antwort
line = eine Zeile
with-handle = { $what } ({ $handle })
