### Why a message got its answer late, or never arrived: the bot was down when it was written.

verdict-late = { $place }: answered late, it was down
written = Written { $time }, while the bot was down;
late-answered = it came { $age } later: answered { $time }.
late-pending = it came { $age } later: its answer is on its way.
nothing-lost = Nothing is lost: the bot answers what was written while it was down.
verdict-dropped = { $place }: the bot was down too long
down-for = Down for { $hours } h, until { $time }. { $name } keeps
lost-first = messages for 24 h: those of the first { $hours } h are lost.
ask-again = If something was asked then, ask it again: it never arrived.
why-down = Find out why it was down (log, systemctl status); let systemd restart it.
settle = look in the channel for messages of that time.
had-stopped = It had stopped: { $words }
answer = the answer, sent { $time }
last-before = the last message before, { $time }
came-last = what came last
