### Was um jede Seite herum steht: ihr Rahmen, ihre Reiter, ihre Tasten und die Türen.

## Der Rahmen

busy = Moment…
skip = Direkt zum Inhalt
everything = Alles
overview = Übersicht
cortex = Cortex
audit = Audit
doctor = Doktor
leave = Abmelden
same-as-json = Dasselbe als JSON
read-only = Nur lesen
times-in-utc = Zeiten in UTC

## Die Tasten

keys = Tasten
key-of-keys = Tasten
key-lines = nächste und vorige Zeile
key-open = öffnen
key-search = auf dieser Seite suchen
key-overview = Übersicht
key-close = schließen

## Die Seiten eines Kanals

tab-talk = Gespräch
tab-why = Warum
tab-next = Nächste
tab-last = Letzte
tab-request = Anfrage
tab-changes = Änderungen
tab-memories = Erinnerungen
tab-work = Arbeit
tab-cost = Kosten

## Was Listen gemeinsam haben

newer = Neuere
older = Ältere
page = Seite { $page }
page-of = Seite { $page } von { $pages }
tokens = { $tokens } Token
search = Suchen
what-can-change = Was sich ändern lässt…

## Die Türen

come-in = Komm herein
open-this = Diese Seite öffnen?
open = Öffnen
link-works-once = Der Link gilt einmal, und nur für den, der ihn angefordert hat.
telegram-says = Telegram sagt, wer du bist. Das gilt einmal, fünf Minuten lang.
open-in-telegram = Öffne das in Telegram
telegram-said-nothing = Telegram hat nicht gesagt, wer du bist. Schreib dem Bot privat `!cortex web` und drück auf den Knopf unter seiner Antwort.
one-more-step = Noch ein Schritt
tab-of-its-own = Im Browser öffnet sich das in einem eigenen Tab. Der Link gilt einmal, zwei Minuten lang.
open-in-tab = In neuem Tab öffnen
you-are-in = Du bist drin
overview-opens = Die Übersicht öffnet sich von selbst.
open-now = Jetzt öffnen
