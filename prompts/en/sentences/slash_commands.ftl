### Why a slash command does nothing: it is not there, comes too late, or goes to another address.

typed-work = Typed commands and mentions work.
settle = type / there: are the bot's commands listed?
elsewhere = { $place }: slash commands go elsewhere
portal-sends = The portal sends them to { $host }:
endpoint-set = an Interactions Endpoint URL is set there.
buttons-neither = Buttons do not arrive either. Typed commands and mentions work.
type-it = Type the command as text, such as !cortex why, and tell the operator.
empty-url = Developer Portal, General Information: empty Interactions Endpoint URL, and save.
unscoped = { $place }: no slash commands here
invited-without = The bot was invited to this server without
the-scope = the scope applications.commands.
invite-again = Invite the bot again with its new link; it need not leave. The operator has the link.
invite-link = `glassmind init` prints the invite link with both scopes; whoever manages the server opens it once.
old = { $place }: slash commands are outdated
not-made-known = The bot could not register them at startup.
quota-used = The day's quota of new commands is used up.
registering-refused = Discord refused them: { $code }.
type-and-mention = Type the command as text, such as !cortex why, and mention the bot.
tries-again = Nothing is lost: the bot tries again at its next start.
log-has-it = The log has the error.
late = { $place }: commands arrived too late
late-count = { $count } since the start, last { $time }:
three-seconds = the platform waits 3 s for a first reply.
use-again = Use the command again.
slow-host = The host or its network is slow: look at the load, and at `doctor`.
