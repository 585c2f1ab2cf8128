### Warum ein Kanal still ist, weil jemand oder ein Limit ihn still gemacht hat.

## Jemand hat ihn pausiert

is-paused = { $place } ist pausiert
was-paused = { $place } war pausiert
paused-by = Pausiert um { $when } von { $who }, ohne Angabe eines Grundes.
paused-for = Pausiert um { $when } von { $who }: „{ $words }“.
paused-until = Pausiert um { $when } von { $who }, inzwischen fortgesetzt.
paused-for-until = Pausiert um { $when } von { $who }, inzwischen fortgesetzt: „{ $words }“.
message-that-paused = die Nachricht, die pausiert hat
gate-pause = Gate pause = an
say-resume = Sag im Kanal `resume` zum Bot.
ask-again = Frag noch einmal: Er antwortet jetzt.

## Er hört nur zu

only-listens = { $place } hört nur zu
only-listened = { $place } hörte da nur zu
observes = Im Modus observe: Er liest mit und schweigt.
observes-since = Seit { $time } im Modus observe: Er liest mit und schweigt.
mode-changed = Der Modus wurde seitdem geändert.
gate-mode = Gate mode = observe
say-active = Sag im Kanal `active` oder `mention-only` zum Bot.
ask-again-addressed = Frag noch einmal und sprich den Bot an: Dann antwortet er.

## Zu viele Nachrichten

too-many = { $place }: zu viele Nachrichten
limit-user-per-minute = { $limit } Nachrichten pro Minute von einer Person.
limit-channel-per-minute = { $limit } Nachrichten pro Minute in diesem Kanal.
limit-user-commands-per-minute = { $limit } Befehle pro Minute von einer Person.
limit-channel-commands-per-minute = { $limit } Befehle pro Minute in diesem Kanal.
limit-waiting-per-channel = { $limit } Nachrichten warten in diesem Kanal.
wait-a-minute = Warte eine Minute und frag noch einmal.
wait-for-others = Frag noch einmal, wenn die anderen davor beantwortet sind.
raise-limit = Wenn das zu wenig ist, erhöhe limits.{ $key } und starte neu.
gate-rate = Gate rate

## Drumherum

newest-came-before = Die neueste Nachricht kam davor.
last-answer = Letzte Antwort um { $when }
last-answer-sent = Letzte Antwort um { $when } · { $handle }
