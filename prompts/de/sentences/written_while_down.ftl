### Warum eine Nachricht spät oder nie ankam: Der Bot war aus, als sie geschrieben wurde.

verdict-late = { $place }: spät beantwortet, er war aus
written = Geschrieben { $time }, während der Bot aus war;
late-answered = sie kam { $age } später an: beantwortet { $time }.
late-pending = sie kam { $age } später an: Die Antwort ist unterwegs.
nothing-lost = Nichts ist verloren: Der Bot beantwortet, was geschrieben wurde, während er aus war.
verdict-dropped = { $place }: der Bot war zu lange aus
down-for = Aus für { $hours } h, bis { $time }. { $name } behält
lost-first = Nachrichten 24 h: Die der ersten { $hours } h sind verloren.
ask-again = Wenn damals etwas gefragt wurde, frag noch einmal: Es kam nie an.
why-down = Finde heraus, warum er aus war (Log, systemctl status); lass systemd ihn neu starten.
settle = such im Kanal nach Nachrichten aus der Zeit.
had-stopped = Er hatte aufgehört: { $words }
answer = die Antwort, gesendet { $time }
last-before = die letzte Nachricht davor, { $time }
came-last = was zuletzt kam
