### Was auf diesem Rechner im Weg steht: Ports, Programme, Browser, das Netz.

port-taken = Port { $port } von { $host } lässt sich nicht benutzen: { $why }. Nenne einen anderen.

## Das Netz, wenn ein Fehler davon handelt

dns = der Name des Servers lässt sich nicht auflösen
tls = die TLS-Verbindung kam nicht zustande
proxy = der Proxy ist nicht erreichbar oder hat abgelehnt
timeout = keine Antwort in der gegebenen Zeit
connect = keine Verbindung
answer = was zurückkam, ist kein HTTP oder kein JSON
cut = die Verbindung brach ab, bevor die Antwort vollständig war
no-answer-within = keine Antwort innerhalb von { $seconds } s
no-connection-in-time = innerhalb der Zeit kam keine Verbindung zustande
internal = der Aufruf scheiterte

## Programme in einer Sandbox

not-linux = Programme lassen sich nur unter Linux absperren, und das hier ist ein anderes System
programs-missing = { $names } nicht gefunden. Installiere sie: apt-get install { $packages }
and = { $one } und { $other }
root-without-uid = der Bot läuft als root, und für root gilt keine Grenze für Prozesse. Setze tools.shell.uid auf eine Benutzernummer, die niemand hat
uid-taken = die Benutzernummer { $uid } gehört { $owner }. Setze tools.shell.uid auf eine, die niemand hat
place-readable = Programme können { $shown } lesen, und dort liegt { $place }. Leg Daten und Konfiguration des Bots anderswohin
no-proc = ein eigenes /proc lässt sich nicht einhängen, wie in den meisten Containern. Lass den Bot auf dem Host laufen, oder in einem Container, der das darf ({ $said })
root-in-container = der Bot läuft als root und darf keine Namespaces anlegen, wie in den meisten Containern. Lass ihn als normalen Benutzer laufen ({ $said })
no-namespaces = dieser Kernel lässt nur root Namespaces anlegen. Erlaube sie: `sysctl kernel.unprivileged_userns_clone=1` (Debian), `kernel.apparmor_restrict_unprivileged_userns=0` oder ein Profil für bwrap (Ubuntu), `RestrictNamespaces=` in der Unit (systemd), eine Sicherheitsoption des Containers ({ $said })
does-not-start = startet nicht: { $said }
without-a-word = ohne ein Wort
sandboxed = Programme laufen in einer Sandbox ({ $form }), { $network ->
    [host] mit dem Netz des Rechners
   *[none] ohne Netz
}{ $filter ->
    [yes] {""}
   *[no] , ohne Filter für Systemaufrufe (für { $machine } ist keiner bekannt)
}
sandbox-fix = Sieh nach, was da steht; ohne Sandbox haben die Worker keine Programme.

## Ein Browser

no-such-browser = ein Programm { $program } gibt es nicht (tools.browser.program); berichtige das, oder installiere Chromium
no-browser = Chromium ist nicht installiert; installiere es (Debian: apt install chromium), oder setze tools.browser.program
browser-as-root = Chromium hat seine Sandbox nur, wenn es nicht als root läuft; lass den Bot als anderen Benutzer laufen (oder setze tools.browser.sandbox = false: Dann darf eine Seite, die ausbricht, alles, was root darf)
