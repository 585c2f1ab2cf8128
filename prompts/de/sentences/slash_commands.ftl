### Warum ein Slash-Befehl nichts tut: Es gibt ihn nicht, er kommt zu spät, oder er geht an eine andere Adresse.

typed-work = Getippte Befehle und Erwähnungen gehen.
settle = tipp dort /: Stehen seine Befehle da?
elsewhere = { $place }: Befehle gehen woanders hin
portal-sends = Das Portal schickt sie an { $host }:
endpoint-set = Dort ist eine Interactions Endpoint URL gesetzt.
buttons-neither = Auch Knöpfe nicht. Getippte Befehle und Erwähnungen gehen.
type-it = Tipp den Befehl mit seinem Zeichen, etwa !cortex why, und sag es dem Betreiber.
empty-url = Developer Portal, General Information: Leere die Interactions Endpoint URL, und speichere.
unscoped = { $place }: hier keine Slash-Befehle
invited-without = Der Bot wurde ohne den Scope
the-scope = applications.commands auf diesen Server eingeladen.
invite-again = Lade den Bot mit seinem neuen Link noch einmal ein; er muss nicht gehen. Der Betreiber hat den Link.
invite-link = `glassmind init` zeigt den Einladungslink mit beiden Scopes; wer den Server verwaltet, öffnet ihn einmal.
old = { $place }: Slash-Befehle sind veraltet
not-made-known = Der Bot konnte sie beim Start nicht anmelden.
quota-used = Das Tageskontingent für neue Befehle ist verbraucht.
registering-refused = Discord lehnte sie ab: { $code }.
type-and-mention = Tipp den Befehl mit seinem Zeichen, etwa !cortex why, und erwähne den Bot.
tries-again = Nichts ist verloren: Der Bot versucht es beim nächsten Start wieder.
log-has-it = Der Fehler steht im Log.
late = { $place }: Befehle kamen zu spät an
late-count = { $count } seit dem Start, zuletzt { $time }:
three-seconds = Die Plattform wartet 3 s auf ein erstes Wort.
use-again = Benutz den Befehl noch einmal.
slow-host = Der Rechner oder sein Netz ist langsam: Sieh nach der Last, und in `doctor`.
