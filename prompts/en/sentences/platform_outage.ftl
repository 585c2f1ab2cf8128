### Why nothing comes from a server: the platform itself says that it is unavailable.

verdict = { $place }: { $name } has an outage there
since = Since { $time } { $name } calls this server unavailable.
others-may-work = Others may work; this one does not.
wait = Wait: it comes back by itself, and the bot then reads what was written.
nothing-here = Nothing to do here: look at discordstatus.com. It comes back by itself.
