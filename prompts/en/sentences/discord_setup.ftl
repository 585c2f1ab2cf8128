### What `init` finds out from Discord about a new bot.

account = { $name } (id { $id }) is known to Discord
new-token = Make a new token: { $portal }, your application, Bot, Reset Token.
check-network = Check the network, the proxy and rest_url; then try again.
content-on = Message Content Intent is on
content-off-as-set = Message Content Intent is off, as configured
content-off = Message Content Intent is off: only mentions, replies, direct messages and slash commands arrive
switch-on = Switch it on: { $page }, Message Content Intent; or set message_content = false.
