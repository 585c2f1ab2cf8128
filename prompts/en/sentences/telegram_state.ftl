### How the connection to Telegram is, and what to do about it.

unknown-token = Telegram does not know the token
second-poller = another program polls with this token
stalled = no poll has come back for a while: the bot reconnects until one does
store = the bot cannot store what arrives; it waits at Telegram
webhook = a webhook is set on { $host }: another program gets what is written to this bot
webhook-somewhere = a webhook is set on some host: another program gets what is written to this bot
flood = too many requests; wait { $seconds } s
piling = polls come back empty while updates wait there: the connection is renewed until they come

## What to do

fix-token = Set platforms.telegram.token to the token that BotFather shows, and restart.
fix-webhook = Find the program that set the webhook and stop it, or let this bot remove it: `glassmind run --take-over`, or for good `take_over = true` in [platforms.telegram].
fix-conflict = Stop the other program that polls with this token; if you know of none, revoke the token at BotFather.
fix-network = Check the network, the proxy and base_url.
fix-flood = Nothing: Telegram asked to wait.
fix-stalled = Check the network and the proxy.
fix-piling = Check the proxy and base_url: something there may be answering in Telegram's place.
fix-store = Free disk space; what arrives waits at Telegram for a day.
fix-internal = See the log.
