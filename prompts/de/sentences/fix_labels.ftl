### Was auf den Knöpfen steht, die etwas ändern, und wie heißt, was sie ändern.

messages = { $count ->
    [one] { $count } Nachricht
   *[other] { $count } Nachrichten
}
memories = { $count ->
    [one] { $count } Erinnerung
   *[other] { $count } Erinnerungen
}

## Was geändert wird

the-pause = die Pause
the-mode = der Modus
the-model = das Modell
the-channel = der Kanal
skill = Skill { $name }
tool = Werkzeug { $name }
id = ID { $user }
the-history = der Verlauf
the-conversation = das Gespräch
the-rollback = das Zurücksetzen
changes-since = alles, was seit { $time } UTC geändert wurde
changes-since-by = alles, was ID { $user } seit { $time } UTC geändert hat
memories-of-file = { $count ->
    [one] { $count } Erinnerung aus einer Datei
   *[other] { $count } Erinnerungen aus einer Datei
}

## Knöpfe

pause-on = { $place } pausieren
pause-off = { $place } fortsetzen
mode-active = In { $place } auf alles antworten
mode-mention-only = In { $place } nur auf Ansprache antworten
mode-observe = In { $place } nur mitlesen
use-model = { $model } in { $place } nehmen
use-usual-model = Das übliche Modell in { $place } nehmen
skill-as-usual = Skill { $name } in { $place } wie üblich
switch-skill = Skill { $name } in { $place } { $on ->
    [on] einschalten
   *[off] ausschalten
}
switch-tool = Werkzeug { $name } in { $place } { $on ->
    [on] einschalten
   *[off] ausschalten
}
let-person-in = ID { $user } zulassen
leave-person = ID { $user } den Listen überlassen
answer-place = In { $place } antworten
leave-place = { $place } den Listen überlassen
import-memories = { $count ->
    [one] { $count } Erinnerung
   *[other] { $count } Erinnerungen
} aus einer Datei übernehmen
undo-rollback = Das Zurücksetzen rückgängig machen
roll-back = { $count ->
    [one] { $count } Änderung
   *[other] { $count } Änderungen
} rückgängig machen
answer-messages = { $count ->
    [one] { $count } Nachricht
   *[other] { $count } Nachrichten
} beantworten
ask-model-again = { $model } wieder fragen
the-tools = die Werkzeuge
reload-tools = Werkzeuge neu laden
shorten = { $place } jetzt kürzen
start-over = In { $place } neu anfangen
bring-back = Das alte zurückholen

## Was jetzt gilt

paused = { $place } ist pausiert.
resumed = { $place } ist fortgesetzt.
answers-all = Der Bot antwortet dort auf jede Nachricht.
answers-addressed = Der Bot antwortet dort, wenn man ihn anspricht.
answers-nothing = Der Bot antwortet dort auf nichts.
model-answers = { $model } antwortet dort ab jetzt.
usual-model-answers = Das übliche Modell antwortet dort ab jetzt.
skill-configured = Skill { $name } ist wie in der Konfiguration.
skill-is = Skill { $name } ist dort { $on ->
    [on] an
   *[off] aus
}.
tool-is = Werkzeug { $name } ist dort { $on ->
    [on] an
   *[off] aus
}.
person-let-in = ID { $user } ist dort zugelassen.
person-left = ID { $user }: Es entscheiden wieder die Listen.
place-let-in = { $place } ist zugelassen, was auch immer die Listen sagen.
place-left = { $place }: Es entscheiden wieder die Listen.
rolled-back = rückgängig gemacht: alles, was seit { $time } UTC geändert wurde
rolled-back-by = rückgängig gemacht: alles, was ID { $user } seit { $time } UTC geändert hat
rollback-undone = das Zurücksetzen ist rückgängig gemacht
