### Warum eine Nachricht nicht hinausgeht, und was das beendet.

## Was Leute im Kanal tun können

fix-not-member = Füge den Bot wieder zur Gruppe hinzu.
fix-no-rights = Lass Mitglieder dort schreiben, oder mach den Bot zum Admin.
fix-rights = Lass den Bot diesen Kanal sehen und dort schreiben; `!cortex why` dort nennt, was fehlt.
fix-no-access = Lass den Bot diesen Kanal sehen (im Sprachkanal: auch verbinden); `doctor` nennt, wer ihn aussperrt.
fix-slow-mode = Schalte den Slow Mode dort aus, oder nimm den Bot davon aus.
fix-archived = Schreib etwas in den Thread, das öffnet ihn; dann frag noch einmal.
fix-locked = Entsperr den Thread, oder frag außerhalb.
fix-automod = Eine Regel von AutoMod hielt es auf: Nimm die Rolle des Bots aus, oder ändere die Regel.
fix-filtered = Ein Filter der Plattform hielt es auf: Frag mit anderen Worten, oder nach einer Antwort ohne Links.
fix-topic-closed = Öffne das Thema wieder, oder frag in einem anderen.
fix-topic-gone = Das Thema gibt es nicht mehr; frag in einem anderen.
fix-no-text-channel = In diesem Kanal kann niemand schreiben; frag in einem anderen.
fix-dm-closed = Die Person muss einen Chat mit dem Bot öffnen (Start drücken oder Direktnachrichten erlauben), oder ihn entsperren.
fix-chat-not-found = Den Chat gibt es nicht mehr, oder der Bot ist nicht mehr darin.
fix-message-gone = Die Nachricht, die geändert werden sollte, ist gelöscht: Frag noch einmal.
fix-too-old = Die Nachricht, die geändert werden sollte, ist zu alt dafür: Frag noch einmal.
fix-too-large = Die Plattform nimmt keine so große Datei: Bitte um eine kleinere, oder um ihre Worte.
fix-empty = Es war nichts darin, was die Plattform zeigt: Frag noch einmal.
fix-bad-file = Die Plattform nimmt diese Datei nicht: Bitte um eine andere Form, oder um ihre Worte.
fix-uploads-limited = Discord beschränkt Dateien auf diesem Server: Bitte nur um Worte, und sieh in die Servereinstellungen.
fix-followups-used = Benutz den Befehl noch einmal: Er gibt ein paar Antworten. Auf einem Server mit dem Bot gibt es keine Grenze.
fix-verification = Senke die Verifizierungsstufe des Servers, oder gib dem Bot eine Rolle: Rollen kommen durch.
fix-forum = Dort wird nur in Beiträgen gesprochen: Frag in einem davon.
fix-forum-tag = Ein Beitrag braucht dort ein Tag: Lass den Admin des Forums das ändern, oder frag in einem Beitrag.
fix-threads-full = Der Server hat so viele offene Threads, wie er darf: Schließ welche, oder frag im Kanal.
fix-thread-full = Der Thread hat so viele Leute, wie er darf: Frag im Kanal.
fix-switched-off = Die Plattform hat es eine Weile abgeschaltet: Frag später noch einmal.
fix-chat-restricted = Telegram selbst hat diesen Chat eingeschränkt: Sieh ihn in der App an, oder frag den Support von Telegram.
fix-chat-deleted = Die Gruppe ist gelöscht: Frag anderswo.
fix-join-first = Nur Mitglieder der Diskussionsgruppe dürfen dort schreiben: Füge den Bot zu ihr hinzu.
fix-paid-messages = Nachrichten kosten dort Sterne: Mach den Bot zum Admin, oder lass Mitglieder umsonst schreiben.

## Was nur der Betreiber tun kann

fix-unreachable = Prüfe Netz, Proxy und die Adresse der Plattform; `doctor` versucht zu verbinden. Eine Antwort wird einen Tag aufgehoben.
fix-token = Setze das Token, das die Plattform jetzt zeigt, und starte den Bot neu.
fix-flood = Setze limits.sends_per_second (0.3 passt für eine volle Gruppe), und starte neu.
fix-too-long = Der Bot hätte sie teilen sollen: Melde { $delivery }. Bis dahin senke model.max_output_tokens.
fix-markup = Die Plattform lehnte auch den reinen Text ab, das ist ein Fehler im Programm: Melde { $delivery }.
fix-buttons = Die Plattform lehnt die Knöpfe ab, das ist ein Fehler im Programm: Melde { $delivery }.
fix-migrated = Setze die neue ID der Gruppe (`whoami` zeigt sie) in die Listen mit der alten, und starte neu.
fix-account-flagged = Discord hält den Bot für einen Spammer: Widersprich, wie Discord es sagt; bis dahin kann er wenig.
fix-account-unverified = Bestätige E-Mail und Telefon des Kontos, dem der Bot gehört; das Entwicklerportal sagt mehr.
fix-account-frozen = Telegram hat das Konto des Bots eingefroren: Widersprich bei @SpamBot oder beim Support von Telegram.
fix-two-factor = Schalte für das Konto, dem der Bot gehört, die Zwei-Faktor-Anmeldung ein: Dieser Server verlangt sie.
fix-age-limit = Für Discord ist der Besitzer des Bots zu jung: Lass den Support das Geburtsdatum berichtigen.
fix-server-region = Dieser Server ist dort gesperrt, wo der Rechner steht: Lass den Bot anderswo laufen, oder frag auf einem anderen Server.
fix-blocked-between = Cloudflare, vor Discord, sperrt diesen Rechner: Sieh nach proxy und rest_url; warte.
fix-not-connected = Schalte diese Plattform in der Konfiguration ein, und starte neu.
fix-file-gone = Ihre Datei wurde auf diesem Rechner gelöscht, bevor sie hinausging: Bitte noch einmal darum.
fix-internal = Das ist ein Fehler im Programm: Er steht im Log; melde ihn.
fix-between = Etwas zwischen Bot und Plattform lehnte es ab: Sieh nach Proxy und Firewall.

## Der Grund, hinter dem Namen des Kanals

reason-account-flagged = als Spammer eingestuft
reason-account-unverified = das Konto ist unbestätigt
reason-account-frozen = das Konto ist eingefroren
reason-two-factor = Zwei-Faktor-Anmeldung fehlt
reason-verification = der Server will Bestätigung
reason-age-limit = das Konto ist zu jung
reason-server-region = für dieses Land gesperrt
reason-followups-used = Antworten sind aufgebraucht
reason-blocked-between = eine Firewall sperrt ihn
reason-switched-off = Senden ist abgeschaltet
reason-uploads-limited = Dateien sind dort begrenzt
reason-bad-file = die Datei wird abgelehnt
reason-forum = dort gibt es nur Beiträge
reason-forum-tag = ein Beitrag braucht ein Tag
reason-threads-full = zu viele offene Threads
reason-thread-full = der Thread ist voll
reason-chat-restricted = Telegram beschränkt den Chat
reason-chat-deleted = die Gruppe ist gelöscht
reason-join-first = nur Mitglieder schreiben dort
reason-paid-messages = Nachrichten kosten Sterne
reason-refused = die Plattform lehnte ab

## Was zu einer einzelnen Nachricht gesagt wird, die nicht hinausgeht, hinter ihrem Code

not-connected = { $platform } ist nicht verbunden
not-private = { $place } ist nicht der private Chat, der es sein muss
for-one-alone = { $kind } darf nur an eine einzige Person gehen
no-channel = { $channel } ist kein Kanal auf { $platform }
no-message = eine Nachricht { $id } gibt es nicht
no-reaction = { $emoji } ist keine Reaktion auf { $platform }
no-person = { $id } ist niemand auf { $platform }
slash-command = ein Slash-Befehl ist keine Nachricht
interaction-closed = der Befehl oder Knopf, der diesen Ort geöffnet hat, ist zu alt
answered-too-late = der Befehl oder Knopf wurde zu spät beantwortet
thread-locked = der Thread ist gesperrt
file-gone = { $name } ist weg
file-unreadable = { $name } lässt sich nicht lesen
file-without-text = die Datei kam an, ihr Text nicht: { $why }
earlier-part = ein früherer Teil wurde nicht zugestellt
stopping = der Bot hält gerade an; das geht beim nächsten Start hinaus
group-moved = ihre Gruppe wurde zur Supergruppe: Was davor dort geschrieben wurde, lässt sich nicht mehr ändern
cut-off = das Programm endete, während dies gesendet wurde
broke = das Senden scheiterte ({ $error })
