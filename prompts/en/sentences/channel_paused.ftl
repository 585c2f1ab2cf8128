### Why a channel is silent because somebody, or a limit, silenced it.

## Somebody paused it

is-paused = { $place } is paused
was-paused = { $place } was paused
paused-by = Paused at { $when } by { $who }, no reason given.
paused-for = Paused at { $when } by { $who }: “{ $words }”.
paused-until = Paused at { $when } by { $who }, resumed since.
paused-for-until = Paused at { $when } by { $who }, resumed since: “{ $words }”.
message-that-paused = the message that paused it
gate-pause = gate pause = on
say-resume = Say `resume` to the bot in the channel.
ask-again = Ask again: it answers now.

## It only listens

only-listens = { $place } is listen-only
only-listened = { $place } was listen-only then
observes = In mode observe: it reads and stays silent.
observes-since = In mode observe since { $time }: it reads and stays silent.
mode-changed = Its mode was changed since.
gate-mode = gate mode = observe
say-active = Say `active` or `mention-only` to the bot in the channel.
ask-again-addressed = Ask again and address the bot: it answers then.

## Too many messages

too-many = { $place }: too many messages
limit-user-per-minute = { $limit } messages a minute from one person.
limit-channel-per-minute = { $limit } messages a minute in this channel.
limit-user-commands-per-minute = { $limit } commands a minute from one person.
limit-channel-commands-per-minute = { $limit } commands a minute in this channel.
limit-waiting-per-channel = { $limit } messages waiting in this channel.
wait-a-minute = Wait a minute and ask again.
wait-for-others = Ask again when those before it are answered.
raise-limit = If that is too little, raise limits.{ $key } and restart.
gate-rate = gate rate

## Around it

newest-came-before = The newest message came before that.
last-answer = Last answer at { $when }
last-answer-sent = Last answer at { $when } · { $handle }
