### Eine Änderung anbieten: was sie täte und was ihr im Weg steht.

keep = Behalten
leave = So lassen
choose = Auswählen, wer…
forgotten-already = { $handle } ist schon vergessen.
not-forgotten = { $handle } ist nicht vergessen.
kept-stays = { $handle } bleibt, wie es ist, als { $times }-mal gesagt. Die anderen werden vergessen.
work-is-over = { $handle } ist zu Ende: { $state }. `{ $handle }` zeigt, was es tat.
not-paused = Der Kanal ist nicht mehr pausiert.
cannot-uncompact = { $handle } lässt sich nicht rückgängig machen: Es gilt nicht, etwas Neueres baut darauf auf, oder seine Quellen sind gelöscht.
not-left-out = { $handle } ist hier nicht ausgelassen. `why` nennt, was es ist.
left-out = Ausgelassen seit { $time } UTC: Der Filter des Dienstes hat es abgelehnt. { $turn } hat, was er sagte.
undo-row = { $handle }: { $did }, { $time } UTC.
stood-in = Sie stand in { $count ->
    [one] { $count } aufgezeichneten Anfrage
   *[other] { $count } aufgezeichneten Anfragen
}.
stood-in-at-least = Sie stand in mindestens { $count ->
    [one] { $count } aufgezeichneten Anfrage
   *[other] { $count } aufgezeichneten Anfragen
}.
words-withheld = [nicht gezeigt: die Worte der Erinnerung; du kannst den Kanal nicht lesen, aus dem sie stammt]

## Was für einen Kanal getan werden kann

modes-are-for-groups = In einem Privatchat antworte ich auf jede Nachricht; Modi sind für Gruppen.
holds-already = Das ist schon so: { $what }.
from-then-on = Von da an: { $what }.
does-active = er antwortet auf jede Nachricht
does-mention-only = er antwortet, wenn man ihn anspricht
does-observe = er liest nur mit
model-asked-already = Dieses Modell wird dort schon genommen.
is-on-already = { $name } ist dort schon an.
is-off-already = { $name } ist dort schon aus.
no-message-waits = Dort wartet keine Nachricht, die jetzt beantwortet werden könnte.
nothing-remembered = Von dieser Person aus dieser Zeit ist dort nichts gemerkt.
the-beginning = Anfang an
names-and-more = { $names } und { $more } weitere
answer = { $handle } beantworten…
answer-newest = Die neueste beantworten…
answer-count = Die { $count } beantworten…
let-them-in = Hier zulassen…
let-place-in = { $place } zulassen…
tell = { $place } Bescheid sagen…
change-mode = Den Modus ändern…
usual-model = Das übliche Modell…
other-model = Ein anderes Modell nehmen…
ask-again = { $model } wieder fragen…
start-over = Neues Gespräch…
shorten = Den Verlauf kürzen…
resume = { $place } fortsetzen…
nobody-left-alone = Dort hat gerade kein Modell eine Pause.
new-already = Dieses Gespräch ist schon neu.
nothing-to-shorten = Es gibt noch nichts zu kürzen: Die neuesten Nachrichten bleiben Wort für Wort.
only-owner-lets-in = Nur ein Besitzer kann jemanden zulassen, den eine Liste draußen hält: Die Listen gehören den Besitzern.
let-in-already = Das ist dort schon zugelassen.
no-other-model = Es ist kein anderes Modell eingerichtet: Nenne eines mit `fix model anbieter/name`.
no-such-tool = Ein Werkzeug { $name } gibt es dort nicht. Die Werkzeuge: { $names }.
no-such-skill = Einen Skill { $name } gibt es dort nicht. Die Skills: { $names }.
none = keine

## Ein Worker für einen Admin

begins-with-files = Er würde mit diesen Dateien beginnen:
result-comes-here = Sein Ergebnis kommt hierher. Der Kanal erfährt nichts davon.
files-stay = Dateien, die er schreibt, bleiben beim Kanal: Andere Worker dort können sie lesen.
worker-ended = { $handle } ist zu Ende: { $state }.
worker-ended-why = { $handle } ist zu Ende: { $state } ({ $why }).
left-no-text = Es hat keinen Text hinterlassen.
shows-what-it-did = `{ $handle }` zeigt, was es getan hat.
worker-withheld = { $handle } ist zu Ende, aber du darfst seinen Kanal nicht mehr untersuchen, deshalb zeige ich nicht, was es schrieb.
works-with-tools = Er würde für { $place } mit deinen Rechten ({ $authority }) arbeiten, mit diesen Werkzeugen: { $tools }.
works-without-tools = Er würde für { $place } mit deinen Rechten ({ $authority }) arbeiten, ohne Werkzeuge: Dort steht dir keines offen.

## Was ein Modell oder ein Moderator vorschlägt

branch-title = Der Bot schlägt vor, etwas zu vergessen
branch-proposes = Beim Nachdenken über { $place } schlägt der Bot vor zu vergessen:
because = { $handle }, weil { $reason }
forget = { $handle } vergessen…
nothing-until = Nichts wird vergessen, bevor du es gesehen und bestätigt hast.
moderator-title = Ein Moderator schlägt etwas vor
approve = Zustimmen
decline = Ablehnen
cortex-talk = ein privates Gespräch mit einem Admin
