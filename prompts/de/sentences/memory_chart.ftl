### Wer dem Bot wie viel beigebracht hat, und wann.

server = Der Server von { $place }
others = { $count ->
    [one] { $count } weitere Person
   *[other] { $count } weitere
}
who = wer
saved = gemerkt
gone = weg
role = { $role ->
    [owner] Besitzer
    [admin] Admin
    [moderator] Moderator
   *[member] Mitglied
}
forgotten-since = { $count } davon seitdem vergessen
none-forgotten = keine vergessen
title = { $place }: wer ihm etwas beigebracht hat
one-bar = { $span }, ein Balken je { $step ->
    [0] Stunde
    [1] Tag
    [7] Woche
   *[other] { $step } Tage
} (UTC)
in-that-time = in dieser Zeit gemerkt
amount = { $count }, { $forgotten } vergessen
older = { $count ->
    [one] { $count } weitere ist älter
   *[other] { $count } weitere sind älter
}
roles-now = Rollen, wie sie jetzt sind
from = ab { $day }
more-kinds = { $kinds }, { $count } weitere
span = { $unit ->
    [hour] { $count ->
        [one] { $count } Stunde
       *[other] { $count } Stunden
    }
    [day] { $count ->
        [one] { $count } Tag
       *[other] { $count } Tage
    }
   *[week] { $count ->
        [one] { $count } Woche
       *[other] { $count } Wochen
    }
} bis { $until }
kind = { $kind ->
    [identity] { $count ->
        [one] { $count } Identität
       *[other] { $count } Identitäten
    }
    [goal] { $count ->
        [one] { $count } Ziel
       *[other] { $count } Ziele
    }
    [human] { $count ->
        [one] { $count } über Leute
       *[other] { $count } über Leute
    }
    [decision] { $count ->
        [one] { $count } Entscheidung
       *[other] { $count } Entscheidungen
    }
    [todo] { $count ->
        [one] { $count } Aufgabe
       *[other] { $count } Aufgaben
    }
    [preference] { $count ->
        [one] { $count } Vorliebe
       *[other] { $count } Vorlieben
    }
    [fact] { $count ->
        [one] { $count } Tatsache
       *[other] { $count } Tatsachen
    }
    [event] { $count ->
        [one] { $count } Ereignis
       *[other] { $count } Ereignisse
    }
    [observation] { $count ->
        [one] { $count } Beobachtung
       *[other] { $count } Beobachtungen
    }
   *[other] { $count ->
        [one] { $count } { $kind }
       *[other] { $count } { $kind }
    }
}
date = { $day }.{ $number }.
month-of-year = { $number }/{ $year }
