### Warum eine Datei, die mit einer Nachricht kam, nicht zu haben ist. Es steht hinter ihrem Namen oder einem Doppelpunkt.

no-content = sie hat keinen Inhalt
too-large = sie ist größer als { $kb } kB
not-given = { $platform } gibt sie nicht her: { $why }
nowhere = { $platform } sagt nicht, wo sie liegt
gone = auf der Plattform gibt es sie nicht mehr
answered = der Dateiserver antwortete mit { $status }
unreachable = der Dateiserver ist nicht erreichbar: { $why }
address-unreadable = ihre Adresse lässt sich nicht lesen
address-elsewhere = ihre Adresse gehört nicht zur Plattform
no-files = die Konsole nimmt keine Dateien an
