### Was `init` bei Discord über einen neuen Bot erfährt.

account = Discord kennt { $name } (Id { $id })
new-token = Mach ein neues Token: { $portal }, deine Anwendung, Bot, Reset Token.
check-network = Prüfe das Netz, den Proxy und rest_url; dann versuch es noch einmal.
content-on = Message Content Intent ist an
content-off-as-set = Message Content Intent ist aus, wie eingestellt
content-off = Message Content Intent ist aus: Nur Erwähnungen, Antworten, Direktnachrichten und Slash-Befehle kommen an
switch-on = Schalte es ein: { $page }, Message Content Intent; oder setze message_content = false.
