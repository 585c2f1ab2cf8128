### Was gemeint ist: ein Kanal, eine Nachricht oder ein Eintrag, und warum es sich nicht finden lässt.

usable-handles = eine Nachricht (i…), ein Schritt (g…), ein Turn (t…), eine Anfrage (r…) oder eine Zustellung (d…)
is-memory = { $handle } ist eine Erinnerung. Im Chat nehmen sie `!cortex memory show { $handle }` und `!cortex memory forget { $handle }`.
is-audit = { $handle } ist ein Audit-Eintrag. Im Chat nehmen ihn `!cortex open { $handle }` und `!cortex undo { $handle }`.
is-call = { $handle } ist ein Werkzeugaufruf. Im Chat nimmt ihn `!cortex open { $handle }`.
is-session = { $handle } ist ein privates Gespräch. Im Chat nimmt es `!cortex open { $handle }`.
takes-channel-or = { $what } Dieser Befehl braucht einen Kanal, oder: { $handles }.
no-request = Zu { $name } gehört keine aufgezeichnete Anfrage. Frag `why` danach.
no-request-ended = Zu { $name } gehört keine aufgezeichnete Anfrage. Was daraus wurde: { $outcome }. Frag `why` danach.
no-message = { $name } kam nicht von der Nachricht einer Person. `context { $name }` zeigt es.
message = Nachricht { $message }
lost-message = Ich kenne { $channel } ({ $id }), aber dort keine { $message }: Sie hat mich nie erreicht, oder sie ist älter als das, was ich speichere. Nenne nur den Kanal.
no-direct-message = Eine Direktnachricht { $message } kenne ich nicht.
no-record = Einen Eintrag { $handle } gibt es nicht.
no-such-message = Eine Nachricht { $message } gibt es nicht.
name-a-channel = Nenne einen Kanal, den ich kenne: { $channels }
there-is-none = es gibt keinen
cannot-ask-platform = Ich konnte die Plattform nicht danach fragen: { $why }
could-not-ask = ich konnte die Plattform nicht fragen: { $why }
not-shown = Keine Plattform zeigt mir einen Ort mit diesem Namen: Namen von Kanälen, die ich nicht sehen darf, kenne ich nicht. Lass meine Rolle ihn sehen (Kanal bearbeiten, Berechtigungen), oder gib mir seinen Link oder seine ID.
ambiguous = { $count ->
    [one] { $count } Kanal heißt { $name }. Gib die ID an: { $channels }
   *[other] { $count } Kanäle heißen { $name }. Gib die ID an: { $channels }
}
