### Was hilft, wo kein Knopf hilft.

platform = Nur die Einstellungen der Plattform können das ändern.
configuration = Nur die Konfiguration kann das ändern.
host = Nur wer den Bot betreibt, kann das ändern, auf seinem Rechner.
stop-the-other = Stoppe das andere Programm: Sonst hilft nichts.
connects-again = Er verbindet sich von selbst wieder.
platform-in-trouble = Es hört von selbst auf: Die Plattform hat eine Störung.
add-the-bot = Jemand muss den Bot wieder hinzufügen.
as-themselves = Sie müssen als sie selbst schreiben: Anonyme Admins weisen nichts nach.
a-person = Ein Mensch muss es sagen: Bots antwortet der Bot nicht.
another-form = Es muss noch einmal in anderer Form gesendet werden.
plugin = Nur die Einstellungen des Plugins können das ändern.
cost-cap = Es endet mit dem Tag; nur die Konfiguration kann es erhöhen.
stop-the-answer = `stop`, im Kanal gesagt, beendet die hängende Antwort.
goes-on = Es geht von selbst weiter; `doctor` zeigt, woran es lag.
goes-out = Es verschwindet von selbst.
approval = Stimme dort zu, wo der Bot um Zustimmung bat.
file-again = Die Datei muss noch einmal gesendet werden, kleiner oder in anderer Form.
forget-one = Lass eine von beiden vergessen: `memory forget` und ihr Name.
put-it-back = [Wiederherstellen] und [Merken] stehen unter der Antwort.
undo-fresh-chat = `/new undo`, im Kanal gesagt, holt das alte Gespräch 24 h lang zurück.
ask-again = Verlange es im Kanal noch einmal: Ein Modell, das so etwas sagt, muss es nicht getan haben.
slow-mode = Es geht von selbst hinaus; nur der Slow Mode des Kanals lässt sich abschalten.
answered-elsewhere = Sie wurde beantwortet; nur das andere Programm zu stoppen beendet es.
open-the-chat = Sie müssen zuerst den Chat mit dem Bot öffnen.
