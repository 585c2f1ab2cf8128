### Why nobody is answered: the connection to the platform knows why it hears nothing.

## What is wrong, what still works, and what helps

deaf = Nothing arrives from { $name }
deaf-why = No event arrives, and no heartbeat is answered.
conflict = Two programs use the bot's token
conflict-why = Each gets only part of the messages.
conflict-works = Sending works; the other program may get commands.
conflict-fix = Stop the other program; if you know of none, the token has leaked: revoke it.
webhook = Another program gets the messages
webhook-why = A webhook sends them to { $host ->
    [none] another address
   *[other] { $host }
}.
webhook-works = Sending works; no command or message arrives.
webhook-fix = Stop the program behind it, or restart with `glassmind run --take-over` (for good: take_over = true).
token = { $name } rejects the bot's token
token-why = It was revoked, replaced or mistyped.
token-works = Until that is fixed nothing works: no message, no command.
token-fix = Set the token that the platform shows now, and start the bot again.
foreign = The { $name } token is another bot's
foreign-why = The stored data belongs to { $theirs }, the token to { $ours }.
foreign-works = The bot neither reads nor writes there; waiting messages are kept.
foreign-fix = Set the right token, or use another data directory.
stalled = The connection to { $name } is dead
stalled-why = No poll comes back; the bot is reconnecting.
piling = Empty answers from { $name }
piling-why = Polls succeed but bring nothing; each uses a new connection.
piling-fix = Restart the bot if it continues; check proxy and base_url: something there may answer in { $name }'s place.
may-send = Sending may work; commands and DMs do not arrive.
reconnect-fix = Restart the bot if it continues; check what sits between it and the platform.
wait-a-minute = Wait a minute: it reconnects by itself. If it does not, tell the operator.
nothing-arrives = No message and no command arrives.
intents = { $name } rejects the intents
intents-fix = Developer Portal, Bot, Privileged Gateway Intents: switch on what the bot asks for.
shards = { $name } rejects the shards
shards-fix = Set shard_ids and shard_count in [platforms.{ $key }], or remove both.
api-version = { $name } rejects this version
api-version-fix = Update the bot: its library uses an old version of the gateway.
session-limit = { $name } makes the bot wait
session-limit-why = It reconnected too often today.
session-limit-works = Sending works; no message from people arrives.
session-limit-fix = Find out what restarts it so often; after more than 1,000 sessions in a day Discord resets the token.
store = The bot cannot store what arrives
store-works = Messages wait at the platform, for up to a day.
store-fix = Free disk space; `doctor` says how much is left.
internal = The { $name } connection fails
internal-works = Sending may work; no message from people arrives.
internal-fix = This is a bug in the program: the log has the error; report it.

## The network

network = { $name } is unreachable
network-works = No message and no command gets through.
dns-why = Its host name is not found (DNS).
dns-fix = Check the host's DNS resolver, and base_url.
tls-why = The TLS connection fails.
tls-fix = Check certificates, the host's clock, and anything in between.
proxy-why = The proxy is unreachable or refuses.
proxy-fix = Check `proxy` of this platform, or leave it empty.
connect-why = Nothing answers at its address.
timeout-why = No answer comes in time.
route-fix = Check firewall, IPv4 and IPv6 routes, and proxy.
cut-why = The connection breaks every time.
cut-fix = Check proxy and firewall; if they are fine, look at the platform's status page.
answer-why = Something other than { $name } answers there.
answer-fix = Check base_url and proxy: do they lead to the right service?
network-fix = Check network, proxy and base_url; `doctor` tries to connect.

## A connection that does not hold

unsteady = The { $name } connection keeps breaking
unsteady-times = The bot reconnected { $count } times in an hour.
unsteady-code = The platform's last close code: { $code }.
unsteady-reads = It reads what it missed afterwards.
unsteady-advice = Answers come late; tell the operator.
unsteady-fix = Check the host's network and load: late heartbeats end a connection.
unsteady-settle = `doctor` shows the connection now.

## Around it

tell-operator = Tell the operator: this can only be fixed on the host.
answer-ready = An answer is ready; it goes out once this is over.
nothing-since = Nothing has arrived here since { $time }.
last-good-poll = Since { $time }; last good poll { $age } ago.
no-good-poll = No good poll since { $time }.
waiting = { $count ->
    [one] 1 update waits
   *[other] { $count } updates wait
} at the platform{ $more ->
    [0] .
   *[other] , { $more } more than before.
}
webhook-error = The webhook's own program fails: { $words }.
