### Was der Bot von sich aus zu einer Nachricht, ihrer Antwort oder dazu sagt, wer nachsehen darf.

broke = In mir ging etwas schief, deshalb habe ich keine Antwort. Festgehalten als { $handle }.
beginning = … Das ist der Anfang. { $name } enthält alles: { $count ->
    [one] { $count } Zeichen
   *[other] { $count } Zeichen
}.
may-be-lost = Meine letzte Antwort kam vielleicht nicht an: Beim Senden brach die Verbindung ab. ({ $handle })
not-delivered = Ich habe eine Antwort, aber sie ließ sich nicht zustellen ({ $code }). Die Admins wissen es. ({ $handle })
see-the-platform = `!cortex open { $handle }` zeigt, was die Plattform sagte.
alert-uncertain = Vielleicht nicht zugestellt ({ $kind }), { $place }: { $code } ({ $handle }).
    → { $fix }
alert-not-delivered = Nicht zustellbar ({ $kind }), { $place }: { $code } ({ $handle }).
    → { $fix }
press-no-store = Meine Datenbank ist nicht benutzbar; nichts wurde getan.
command-broke = Das hat nicht geklappt: In mir ist etwas schiefgegangen. Der Fehler steht im Log.
not-stored = Ich kann gerade nichts speichern, darum habe ich das nicht angenommen. Versuch es nachher noch einmal; die Admins sehen, warum.
press-too-old = Diese Nachricht ist zu alt, ich sehe sie nicht mehr. Frag noch einmal.
press-broke = In mir ging etwas schief; nichts wurde getan.
only-configured = nur die Admins aus der Konfiguration des Bots dürfen nachsehen
own-platform = ein Admin darf nur in Kanäle der eigenen Plattform sehen
not-administered = die Plattform sagt, dass du diesen Kanal nicht verwaltest
not-readable = die Plattform sagt, dass du diesen Kanal selbst nicht lesen kannst
moderators-private = Moderatoren sehen in keinen Privatchat
moderators-platform = ein Moderator darf nur in Kanäle der eigenen Plattform sehen
not-moderated = die Plattform sagt, dass du diesen Kanal nicht moderierst
private-owner = das ist der Privatchat von jemand anderem: setze cortex.inspect_dms, um es Besitzern zu erlauben
private = das ist der Privatchat von jemand anderem: Das darf nur diese Person
host-only = das darf nur der Nutzer des Rechners selbst
disk-full = Die Platte ist fast voll, deshalb wird nichts aufgenommen. Schaffe Platz; verloren ist nichts.
send-it = Senden
private-chat = einem Privatchat
