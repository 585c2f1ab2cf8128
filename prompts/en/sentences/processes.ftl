### What people read where several processes share the channels of one bot.

press-unanswered = The process that looks after this chat did not answer in time. See whether anything was done before you press again.
press-handed-on = Passed on to the process that looks after the channel. The result shows here in a moment.
press-kept = The process that looks after the channel does not answer. I keep this: it is done once another one has the channel, as long as the button holds. The result shows here then.
nobody-listens = no process listens there
part-unheard = no process listens to part { $parts } of { $many } of its servers
start-a-gateway = Start one with glassmind run --role gateway.
