### Was das Terminal von sich aus sagt, wo es der Chat ist. Was man dort tippt, ist in jeder Sprache gleich.

listening = { $bot } hört zu. /help-console zeigt, was du hier tippen kannst; /help fragt den Bot.
not-heard = { $bot } hat das nicht gehört: { $why }
no-such-button = Einen Knopf „{ $which }“ gibt es nicht. Knöpfe: { $buttons }.
no-buttons = Einen Knopf „{ $which }“ gibt es nicht: Gerade ist keiner zu sehen.
seen-by-one = [nur für { $name }] { $text }
reaction = [{ $place }] { $emoji } zur Nachricht von { $name }
file = Datei { $name }: { $path }
printed-stays = was ausgegeben ist, bleibt stehen
dm-closed = die Direktnachrichten von { $user } sind zu
help =
    { "[" }#kanal] name> text     dort etwas sagen, als diese Person, und dort bleiben
    text                    hier etwas sagen
    /as NAME                als jemand anders sprechen (einmal geht auch eine Nummer: /as NAME=42)
    /join #KANAL            in einen Kanal gehen
    /dm                     in deine Direktnachrichten mit dem Bot gehen
    /reply ID text          auf eine Nachricht antworten  /edit ID text   eine von deinen ändern
    /delete ID              eine von deinen löschen       /history        was hier gesagt wurde, mit IDs
    /press N                auf einen Knopf drücken: seine Nummer oder der Anfang seiner Aufschrift
    /promote NAME           jemanden hier zum Admin der Kanäle machen       /demote NAME
    /closedm NAME           jemandes Direktnachrichten schließen            /opendm NAME
    /ids on|off             IDs der Nachrichten zeigen    /quit           gehen (Strg-D auch)
    Alles andere, was mit ! oder / anfängt, geht an den Bot: Versuch es mit /help.
