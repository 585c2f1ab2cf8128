### Wo Wörter in dem stehen, was ein Modell gesagt bekommt, und von wem sie kommen.

## Wo sie stehen

section = { $name ->
    [identity] Identität
    [memory_bulletin] Erinnerungsliste
    [participants] Liste der Beteiligten
    [silence_rules] Regeln zum Schweigen
    [skills] Skill-Liste
    [status] Status
    [conversation_context] Angaben zu diesem Chat
   *[other] Abschnitt { $name }
}
in-section = { $section }, Zeile { $line }
in-tool = Werkzeug { $name }, { $part ->
    [description] Beschreibung
    [parameters] Parameter
   *[definition] Definition
}
in-message = Nachricht { $number }
within = { $place }, { $what }
picture = Bild { $name }
file = Datei { $name }
data-of = Daten von { $name }
call-of = Aufruf von { $name }
result-of = Ergebnis von { $name }
quotation = Zitat
header = Kopfzeile

## Von wem sie kommen

memory = Erinnerung { $handle }
template = { $file } Zeile { $line }
template-value = { $file } Zeile { $line }, dort { $value }
skill = Skill { $name }, { $version }
theme = Thema von { $name }
theme-with-values = Thema von { $name }, mit Werten aus { $sources }
config = Konfiguration { $keys }
value-from = { $value }, aus { $sources }
a-value = ein Wert
no-source = keiner benannten Quelle
tool-itself = { $part ->
    [description] die Beschreibung
    [parameters] die Parameter
   *[definition] die Definition
} des Werkzeugs selbst
sent-with = { $what } mit { $message }
provider-added = was { $name } seiner Antwort beigefügt hat
model-asked = worum das Modell { $name } gebeten hat
tool-returned = was { $name } zurückgegeben hat
listed-memory = { $what }: Erinnerung { $handle }
a-tool = ein Werkzeug
a-message = einer Nachricht
quoted = Worte von { $name }, zitiert in { $message }
header-of = die Kopfzeile von { $message }
said-in = was in { $message } gesagt wurde
summary = die Zusammenfassung von { $count ->
    [one] { $count } Nachricht
   *[other] { $count } Nachrichten
}
some-summary = eine Zusammenfassung
came-with = was mit { $message } kam
quoted-by = Worte, die { $message } zitiert
own-answer = die eigene Antwort des Bots
only-in = nur { $which }

## Woher ein Wert kommt

value-source = { $source ->
    [channel_place] diesem Chat
    [channel_history] dem Gespräch
    [channel_state] dem Zustand dieses Chats
    [channel_mode] dem Modus, der hier gilt
    [store_channel] den bekannten Kanälen
   *[trigger_at] der Uhrzeit der neuesten Nachricht
}
