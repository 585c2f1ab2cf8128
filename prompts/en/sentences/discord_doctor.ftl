### What the doctor says of Discord: the account, the portal, the gateway, one channel.

unknown-token = Discord does not know the token
account = { $name } answers
second-program = another program spoke with this account at { $time }
one-alone = Stop the other program: one process for each token. If you know of none, revoke the token in the portal.
find-what-is-refused = Find what is refused (`!cortex why` where answers fail); it ends ten minutes after the last of it.
content-off = Message Content Intent is off in the portal: only mentions, replies and DMs have words
content = the intent is { $how ->
    [on] on
   *[off] off
} in the portal
content-not-asked = the intent is { $how ->
    [on] on
   *[off] off
} in the portal, and message_content = false: it is not asked for
sessions = { $left } of { $total } sessions of today are left; all of them again in { $hours } h
state = { $state }
state-because = { $state }: { $detail }
endpoint = the portal sends slash commands and presses of buttons to { $host }, not to this bot
endpoint-fix = Developer Portal, your application, General Information: empty Interactions Endpoint URL, and save. Typed commands work meanwhile.
not-registered = not registered yet by this process
registered = registered
not-taken = Discord did not take them: { $why }
sync-fix = Restart the bot later: Discord takes 200 new commands a day. Typed commands (`!help`) work meanwhile.
ephemeral = what a slash command or a press opened; it closes after fifteen minutes
open-dm = Allow direct messages from members of a server that the bot is in, or unblock the bot.
private-there = the private chat is there; whether it takes messages shows when one is sent
server-away = Discord says that the server is unavailable, an outage of its own, since { $time }
wait = Nothing: it comes back by itself, and what was written is read then. discordstatus.com says more.
wrong-server = there is no such channel in that server
name-it = Name the channel again: it was deleted, or its id belongs to something else.
no-scope = the bot was invited without the scope applications.commands
invite = Invite the bot again with the scopes bot and applications.commands; nothing is lost by that.
commands-there = slash commands may be used there
no-channel = there is no such channel: { $words }
not-in-server = the bot is not in that server: { $words }
add = Add the bot to the server (again), and let it view the channel (Edit Channel, Permissions).
add-for-themselves = Add the bot to the server (again), and let it view the channel (Edit Channel, Permissions). Adding it to your own account gives you its commands everywhere, but does not put it into the server.
ask-discord = Discord's words say why; look them up.
people-only = it can be added by people for themselves only: it is in no server and hears nothing there
to-servers = Developer Portal, your application, Installation: switch Guild Install on; then invite the bot.
code-grant = the portal wants a code grant, so the invite link ends before the bot is in the server
no-grant = Developer Portal, your application, Bot: switch Requires OAuth2 Code Grant off; then invite the bot again.
people-may = people may install it for themselves: in servers and chats without the bot it is never asked anything
servers-alone = Invite the bot to the server, or write to it in private. In the portal (Installation) leave only Guild Install, so nobody expects more.
webhook-events = webhook events go to { $host }; no message and no command is among them

## Signing in with Discord

other-application = discord_client_id is not the application of the bot's own token
other-application-fix = Copy both from the portal: your application, OAuth2. Another application's do as well, if it is meant.
no-redirect = the portal does not know where to send people back, so Discord refuses every sign-in
no-redirect-fix = In the portal, under OAuth2, add a redirect: web_page.address with { $path } behind it.
redirect = the portal knows where people come back to
