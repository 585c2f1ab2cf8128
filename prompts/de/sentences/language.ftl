### Der Befehl, mit dem man die Sprache wählt, in der der Bot einem etwas sagt.

## Wie sich diese Sprache selbst nennt.
name = Deutsch
## Was eingestellt ist. $there zählt die Kürzel aller Sprachen auf, $command ist das, was man tippt.
yours = Ich rede mit dir { $language }. Ändern kannst du das mit { $command } und einem Kürzel: { $there }. Mit { $command } off vergesse ich deine Wahl.
none-yours = Du hast keine Sprache gewählt, deshalb nehme ich { $language }. Wähle eine mit { $command } und einem Kürzel: { $there }.
set = Ab jetzt rede ich mit dir { $language }. Was alle lesen können, bleibt in der Sprache des Kanals.
forgotten = Ich habe deine Wahl vergessen. Ich nehme die Sprache deiner App, wenn ich sie kenne.
not-known = { $wanted } spreche ich noch nicht. Sende { $command } mit einem dieser Kürzel: { $there }.

## Wie Zahlen geschrieben werden.

decimal-mark = ,
group-mark = .
