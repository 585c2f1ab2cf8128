### Wie viel von einer Person gespeichert ist, in Zahlen.

messages = { $count ->
    [one] { $count } Nachricht
   *[other] { $count } Nachrichten
}
lines = { $count ->
    [one] { $count } Zeile aus Gesprächen, { $whose ->
        [yours] deine
       *[theirs] ihre
    } und die Antworten
   *[other] { $count } Zeilen aus Gesprächen, { $whose ->
        [yours] deine
       *[theirs] ihre
    } und die Antworten
}
answers = { $count ->
    [one] { $count } Antwort an { $whose ->
        [yours] dich
       *[theirs] sie
    }
   *[other] { $count } Antworten an { $whose ->
        [yours] dich
       *[theirs] sie
    }
}
requests = { $count ->
    [one] { $count } aufgezeichnete Anfrage
   *[other] { $count } aufgezeichnete Anfragen
}
calls = { $count ->
    [one] { $count } Werkzeugaufruf
   *[other] { $count } Werkzeugaufrufe
}
memories = { $count ->
    [one] { $count } Erinnerung von { $whose ->
        [yours] dir oder über dich
       *[theirs] ihr oder über sie
    }
   *[other] { $count } Erinnerungen von { $whose ->
        [yours] dir oder über dich
       *[theirs] ihr oder über sie
    }
}
work = { $count ->
    [one] { $count } Aufgabe, für { $whose ->
        [yours] dich
       *[theirs] sie
    } erledigt
   *[other] { $count } Aufgaben, für { $whose ->
        [yours] dich
       *[theirs] sie
    } erledigt
}
choices = { $count ->
    [one] { $count } Zeitzone oder Sprache, von { $whose ->
        [yours] dir
       *[theirs] ihr
    } gewählt
   *[other] { $count } Zeitzonen oder Sprachen, von { $whose ->
        [yours] dir
       *[theirs] ihr
    } gewählt
}
quotations = { $count ->
    [one] { $count } Nachricht anderer, die { $whose ->
        [yours] dich
       *[theirs] sie
    } zitiert
   *[other] { $count } Nachrichten anderer, die { $whose ->
        [yours] dich
       *[theirs] sie
    } zitieren
}
