### MCP-Server: die der Bot nutzt, und der, über den ein Editor in ihn hineinschaut.

## Vom Bot genutzt

no-such-server = Ein [tools.mcp.{ $name }] gibt es nicht. Eingerichtet: { $names }.
name-one-to-approve = Nenne den Server, den du freigibst. Eingerichtet: { $names }.
no-servers = keiner
no-tools = er hat keine Werkzeuge
see-its-table = Sieh in [tools.mcp.{ $name }] nach und probiere seinen Befehl von Hand.
not-offered = er antwortet; nicht angeboten: { $names }
answers = er antwortet, mit { $count ->
    [one] { $count } Werkzeug
   *[other] { $count } Werkzeugen
}
column-server = Server
column-tool = Werkzeug
column-state = Zustand
column-says = in den Worten des Servers
state-approved = freigegeben
state-denied = ausgeschlossen
state-new = neu
state-changed = geändert
state-unusable = unbrauchbar
state-unreachable = nicht erreichbar

## Unserer

token-missing = inspector.token: fehlt. Wer über HTTP fragt, muss es mitschicken; schreib zum Beispiel env:GLASSMIND_INSPECTOR.
token-wanted = schick inspector.token aus der Konfiguration als Bearer-Token mit
no-such-tool = Ein Werkzeug „{ $name }“ gibt es nicht. Werkzeuge: { $names }.
bad-arguments = Mit diesen Argumenten kann ich nichts anfangen. { $problems }.
broke = { $name } ist kaputtgegangen ({ $error }); das Log dieses Servers sagt, wo.
not-kept = Hier nicht aufgezeichnet: Von Anfragen bleiben nur Prüfsummen und Größen, keine Worte. `next` zeigt, was gesendet würde.
private-closed = Private Gespräche sind hier verschlossen: Setze cortex.inspect_dms, wenn du sie lesen darfst.
names-no-request = { $typed } ist keine Anfrage. Gib { $names } oder ein Kürzel an: r3x7b.
channel = { $id } · { $name } · zuletzt benutzt { $time }

## Wie es einem von ihnen geht

tried-again = { $why }; ich versuche es mindestens alle { $minutes } min wieder
not-understood = er hat etwas gesagt, das ich nicht verstehe ({ $error })
tools-changed = seine Werkzeuge haben sich geändert
has-tools = { $count ->
    [one] { $count } Werkzeug
   *[other] { $count } Werkzeuge
}
has-tools-of = { $count ->
    [one] { $count } Werkzeug von { $title }
   *[other] { $count } Werkzeuge von { $title }
}
held-back = { $count } zurückgehalten, bis jemand sie freigibt
more-of-that-kind = und { $count } weitere dieser Art
listed-twice = { $count ->
    [one] { $count } Werkzeug steht doppelt in der Liste; das erste zählt
   *[other] { $count } Werkzeuge stehen doppelt in der Liste; die ersten zählen
}
too-many-tools = { $count } Werkzeuge bleiben weg, weil { $most } das Höchste ist; nenne in `allow` die, die du brauchst
renamed = { $name }: heißt { $called }
unusable = { $name }: { $why }
bad-schema = sein Schema ist unbrauchbar: { $why }

## Warum es keine Verbindung gibt, oder keine mehr

extra-missing = das Extra für MCP ist nicht installiert: pip install 'glassmind[mcp]'
not-started = { $command } ließ sich nicht starten: { $why }. Schreib den ganzen Pfad, oder setz PATH in env.
not-started-in = { $command } ließ sich in { $folder } nicht starten: { $why }. Schreib den ganzen Pfad, oder setz PATH in env.
holds-nul = im Namen oder in den Argumenten steht ein NUL
not-ready = er war nach { $seconds } s noch nicht bereit
handshake-failed = die Verbindung kam nicht zustande: { $words }
connection-broke = die Verbindung riss ab ({ $error })
connection-over = die Verbindung ist beendet: { $why }
session-over = er hat die Sitzung beendet
output-closed = er hat seine Standardausgabe geschlossen
input-closed = er hat seine Standardeingabe geschlossen
writes-no-messages = er schreibt Zeilen auf seine Standardausgabe, die keine Nachrichten sind
message-too-large = er schickte eine Nachricht von mehr als { $mb } MB
answer-too-large = er schickte eine Antwort von mehr als { $mb } MB
packed-answer = er schickte eine komprimierte Antwort, um die ich nicht gebeten hatte
killed = er wurde mit Signal { $signal } abgeschossen
exited = er endete mit Status { $status }
it-wrote = { $why }; er schrieb: { $words }
unreachable = ich kann ihn nicht erreichen ({ $error })
answered = er antwortete mit { $status }
answered-wants-key = er antwortete mit { $status }: Er will einen Schlüssel (siehe `headers`)
answered-key-not-enough = er antwortete mit { $status }: Der Schlüssel reicht nicht (siehe `headers`)

## Was an seinen Antworten nicht stimmt

no-answer = er gab { $seconds } s lang keine Antwort
answered-error = er antwortete mit einem Fehler: { $words }
answer-unreadable = seine Antwort folgt nicht dem Protokoll ({ $where })
list-endless = seine Werkzeugliste hört nicht auf (mehr als { $count })
asked-for-more = er wollte { $asked }; das bekommen Server von mir nicht
wants-sampling = eine Antwort von einem Modell (sampling)
wants-elicitation = eine Antwort von einem Menschen (elicitation)
wants-roots = die Ordner, die er benutzen darf (roots)
wants-more = mehr als die Argumente
arguments-take-too-long = es dauert zu lange, die Argumente mit seinem Schema zu vergleichen; schreib kürzere
entry-unreadable = es lässt sich nicht lesen ({ $error })
keys-unreadable = sein { $keys } lässt sich nicht lesen
schema-missing = es fehlt

## Was am Schema eines Werkzeugs nicht stimmt

not-an-object = es ist kein Objekt
arguments-not-an-object = seine Argumente sind kein Objekt
schema-too-long = es ist { $count } Zeichen lang, mehr als { $most }
too-many-parts = es hat mehr als { $most } Teile
nested-too-deep = es ist tiefer als { $most } verschachtelt
refused-name = ein Argument heißt "{ $name }", und das lehnen Anbieter ab
unknown-type = es verwendet den Typ { $type }, den es nicht gibt
no-values = es braucht eine Liste von Werten und hat keine
values-not-shown = es listet Werte auf, die sich nicht zeigen lassen, oder mehr als { $most }
refers-outside = es verweist auf { $reference }, außerhalb von sich
refers-nowhere = es verweist auf { $reference }, und das gibt es nicht

## Freigaben

approvals-not-written = Ich kann { $file } nicht schreiben: { $why }. `glassmind doctor` prüft den Ordner.
approvals-unreadable = Ich kann { $file } nicht lesen. Lösche sie, um dem zu trauen, was die Server jetzt anbieten.
