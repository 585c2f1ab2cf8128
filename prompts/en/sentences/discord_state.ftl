### How the connection to Discord is, and what to do about it.

unknown-token = Discord does not know the token
no-such-shard = Discord knows no such shard
too-few-shards = the bot is in too many servers for so few shards
old-version = Discord no longer supports this version
no-such-intents = Discord knows no such intents
intents-refused = Discord refuses the intents
stalled = the gateway has sent nothing for a while, not even the answer to a heartbeat: the bot is reconnecting
store = the bot cannot store what arrives, and keeps it in memory
backlog-full = the bot cannot store what arrives, and its memory for that is full: it listens again once the store takes it
content-intent = Message Content Intent is off: Discord leaves out the words of messages that do not mention the bot
ended = cut: the gateway ended the connection (code { $code })
unreadable = answer: what the gateway said is unreadable ({ $error })
hard-of-hearing = Mention me or use a command: I cannot read the rest
sessions-short = { $left } of { $total } sessions are left today: the next in { $time }

## What to do

fix-token = Set platforms.discord.token to the token that the developer portal shows under Bot, and restart.
fix-network = Check the network, the proxy, rest_url and gateway_url.
fix-stalled = Check the network and the proxy.
fix-store = Free disk space; what arrives stays in memory, and the bot reads it back from Discord after a restart.
fix-internal = See the log.
fix-content-intent = Switch Message Content Intent on in the developer portal (your application, Bot, Privileged Gateway Intents) and restart; or set message_content = false.
fix-intents = This is a bug in the program: please report it.
fix-shards = Make shard_count and shard_ids fit the other processes, or remove both: Discord then says how many.
fix-api-version = Update the program: Discord no longer supports this version.
fix-session-limit = Nothing now: it connects at that time. Find out what makes it connect so often.
