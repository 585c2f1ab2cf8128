### Was der Doktor zu Discord sagt: das Konto, das Portal, die Verbindung, ein Kanal.

unknown-token = Discord kennt das Token nicht
account = { $name } antwortet
second-program = ein anderes Programm hat um { $time } mit diesem Konto gesprochen
one-alone = Stoppe das andere Programm: ein Prozess je Token. Wenn du keines kennst, widerrufe das Token im Portal.
find-what-is-refused = Finde, was abgelehnt wird (`!cortex why`, wo Antworten scheitern); es endet zehn Minuten nach dem letzten Mal.
content-off = Message Content Intent ist im Portal aus: Nur Erwähnungen, Antworten und Privatnachrichten haben Text
content = das Intent ist im Portal { $how ->
    [on] an
   *[off] aus
}
content-not-asked = das Intent ist im Portal { $how ->
    [on] an
   *[off] aus
}, und message_content = false: Es wird nicht verlangt
sessions = { $left } von { $total } Sitzungen sind heute noch übrig; in { $hours } h wieder alle
state = { $state ->
    [up] läuft
    [starting] startet
    [degraded] eingeschränkt
    [down] aus
    [disabled] abgeschaltet
   *[other] { $state }
}
state-because = { $state }: { $detail }
endpoint = das Portal schickt Slash-Befehle und gedrückte Knöpfe an { $host }, nicht an diesen Bot
endpoint-fix = Developer Portal, deine Anwendung, General Information: Interactions Endpoint URL leeren und speichern. Getippte Befehle gehen solange.
not-registered = von diesem Prozess noch nicht angemeldet
registered = angemeldet
not-taken = Discord nahm sie nicht an: { $why }
sync-fix = Starte den Bot später neu: Discord nimmt 200 neue Befehle am Tag an. Getippte Befehle (`!help`) gehen solange.
ephemeral = was ein Slash-Befehl oder ein Knopf geöffnet hat; es schließt nach fünfzehn Minuten
open-dm = Erlaube Direktnachrichten von Mitgliedern eines Servers, auf dem der Bot ist, oder hebe die Blockierung auf.
private-there = der Privatchat ist da; ob er Nachrichten annimmt, zeigt sich beim Senden
server-away = Discord sagt, dass der Server seit { $time } nicht verfügbar ist; das ist eine Störung bei Discord
wait = Nichts: Es kommt von selbst wieder, und was geschrieben wurde, wird dann gelesen. discordstatus.com sagt mehr.
wrong-server = diesen Kanal gibt es auf diesem Server nicht
name-it = Nenne den Kanal noch einmal: Er wurde gelöscht, oder die Nummer gehört zu einem anderen.
no-scope = der Bot wurde ohne den Scope applications.commands eingeladen
invite = Lade den Bot noch einmal ein, mit den Scopes bot und applications.commands; dadurch geht nichts verloren.
commands-there = Slash-Befehle sind dort erlaubt
no-channel = diesen Kanal gibt es nicht: { $words }
not-in-server = der Bot ist nicht auf diesem Server: { $words }
add = Füge den Bot dem Server (wieder) hinzu und lass ihn den Kanal sehen (Kanal bearbeiten, Berechtigungen).
add-for-themselves = Füge den Bot dem Server (wieder) hinzu und lass ihn den Kanal sehen (Kanal bearbeiten, Berechtigungen). Wer ihn dem eigenen Konto hinzufügt, hat überall Befehle; der Server hat dadurch keinen Bot.
ask-discord = Warum, sagen Discords Worte; schlag sie nach.
people-only = nur einzelne Leute können ihn für sich hinzufügen: Er ist auf keinem Server und hört dort nichts
to-servers = Developer Portal, deine Anwendung, Installation: Guild Install einschalten; dann den Bot einladen.
code-grant = das Portal verlangt einen Code Grant; der Einladungslink endet, bevor der Bot auf dem Server ist
no-grant = Developer Portal, deine Anwendung, Bot: Requires OAuth2 Code Grant ausschalten; dann den Bot noch einmal einladen.
people-may = Leute dürfen ihn für sich installieren: Auf Servern und in Chats ohne den Bot wird er nie gefragt
servers-alone = Lade den Bot auf den Server ein, oder schreib ihm privat. Lass im Portal (Installation) nur Guild Install stehen, damit niemand mehr erwartet.
webhook-events = Webhook-Ereignisse gehen an { $host }; Nachrichten und Befehle sind nicht darunter

## Anmelden mit Discord

other-application = discord_client_id ist nicht die Anwendung, zu der das Token des Bots gehört
other-application-fix = Kopiere beides aus dem Portal: deine Anwendung, OAuth2. Die Werte einer anderen Anwendung gehen auch, wenn du sie meinst.
no-redirect = das Portal weiß nicht, wohin man zurückkommt; darum lehnt Discord jede Anmeldung ab
no-redirect-fix = Trag im Portal unter OAuth2 ein Redirect ein: web_page.address mit { $path } dahinter.
redirect = das Portal weiß, wohin man zurückkommt
