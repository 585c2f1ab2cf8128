### Einem Admin privat bringen, was er gefragt hat.

dm-closed = Das beantworte ich nur privat, und deine Direktnachrichten sind für mich zu. Öffne sie (oder starte mich dort) und frag noch einmal.
dm-closed-link = Das beantworte ich nur privat, und deine Direktnachrichten sind für mich zu. Dieser Link öffnet sie und bringt dir die Antwort; er ist nur für dich, einmal, 10 Minuten lang: { $link }
dm-closed-button = Das beantworte ich nur privat, und deine Direktnachrichten sind für mich zu. Der Knopf zeigt es hier, nur wer gefragt hat sieht es, einmal, 10 Minuten lang.
show-me = Zeig es mir (nur dir)
looking = Ich sehe nach. Die Antwort kommt in deine Direktnachrichten, oder hierher, wenn die für mich zu sind.
not-attached = Ich konnte die Datei nicht anhängen: Die Plattform nimmt sie nicht.
sent-in-private = Ein Admin sieht sich diesen Kanal mit meiner Hilfe an. Was ich finde, bekommt er privat.
link-not-yours = Diesen Link habe ich nicht für dich gemacht. Es wurde nichts getan.
link-expired = Dieser Link ist abgelaufen. Es wurde nichts getan; frag noch einmal, wo du gefragt hast.
link-used = Dieser Link wurde um { $time } UTC benutzt. Es wurde nichts getan; frag noch einmal, wo du gefragt hast.
question-gone = Ich habe nicht mehr, was du gefragt hast. Frag noch einmal.
keep-check = Als Prüfung behalten…

## Knopfdrücke

not-two-any-more = Das sind nicht mehr zwei Erinnerungen, die eine sein könnten.
alike-reason = sie sagen fast dasselbe
proof-stops = Ich höre auf. Was bis jetzt bekannt ist, kommt hierher.
proof-is-over = Dieser Beweis ist schon zu Ende.
goes-on = Es geht weiter, wo es aufgehört hat.
trouble-gone = Diese Störung ist längst vorbei, und ich habe ihre Einzelheiten nicht mehr.
nobody-waits = Wo du nachsehen darfst, wartet niemand mehr auf eine Antwort.
answer-in-thread = Die Antwort steht im Thread.

## Titel von Threads

a-record = ein Eintrag
inspection = Untersuchung
trouble = Störung
could-not-look = nicht alles ließ sich ansehen
all-passed = alle Prüfungen bestanden
is-a-question = Keins davon: Es ist eine Frage
too-many-wait = { $count ->
    [one] { $count } Frage wartet hier schon. Diese habe ich nicht angenommen; stell sie später noch einmal.
   *[other] { $count } Fragen warten hier schon. Diese habe ich nicht angenommen; stell sie später noch einmal.
}
no-answer-within = keine Antwort innerhalb von { $seconds } s
