### Welche Nachrichten der Bot zusammen beantwortete, und wie lange er auf mehr wartete.

one-turn = { $count } Nachrichten wurden eine ({ $sign }).
one-turn-waited = { $count } Nachrichten wurden eine: Der Bot wartete { $waited } auf mehr.
one-turn-waited-for = { $count } Nachrichten wurden eine: Der Bot wartete { $waited } auf mehr ({ $sign }).
waited = Der Bot wartete { $waited } auf mehr.
waited-for = Der Bot wartete { $waited } auf mehr ({ $sign }).
began-again = Der Bot brach seine erste Anfrage ab: Einen Moment später kam noch ein Teil.
