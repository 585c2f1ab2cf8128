### Was Worker bekommen: Dateien, Programme, das Web, einen Browser.

no-files = Hier gibt es keine Arbeitsordner.
no-sandbox = hier gibt es keine Sandbox
no-web = hier gibt es keinen Weg ins Web
no-browser = hier gibt es keinen Browser
no-search = kein Suchdienst ist eingerichtet (tools.web.search)
cannot-run = Ich kann keine Programme ausführen: { $why }.
cannot-read = Ich kann keine Seiten lesen: { $why }.
cannot-draw = Ich kann keine Seiten im Browser öffnen: { $why }.

## Für den Doktor

worker-tools = Worker-Werkzeuge
web-tools = Web-Werkzeuge
off = { $count ->
    [one] { $names } ist aus ({ $keys })
   *[other] { $names } sind aus ({ $keys })
}
and = { $first } und { $second }
own-workspaces = jeder Kanal hat seinen eigenen
web-closed = ich kann keine Webseiten lesen: { $why }
public-pages = öffentliche Seiten werden gelesen; Suche mit { $search }
public-pages-unsearched = öffentliche Seiten werden gelesen; keine Suche (tools.web.search)
own-hosts-read = Seiten werden gelesen, auch von { $hosts }, die in deinem eigenen Netz liegen können; Suche mit { $search }
own-hosts-unsearched = Seiten werden gelesen, auch von { $hosts }, die in deinem eigenen Netz liegen können; keine Suche (tools.web.search)
own-hosts-fix = Lass tools.web.own_hosts leer, wenn nichts aus deinem eigenen Netz gelesen werden muss.
not-drawn = Seiten werden nicht geöffnet: { $why }
drawn-unsafely = Seiten werden ohne die Sandbox des Browsers geöffnet: Eine, die ausbricht, kann alles, was der Bot kann
sandbox-fix = Setze tools.browser.sandbox = true.
drawn = Seiten werden geöffnet, jede in einem eigenen Browser
programs-not-offered = Programme werden nicht angeboten: { $why }
