### What those who run the bot are told without asking.

title = Glassmind needs an admin
no-webhook = none is configured
reach-nobody = since { $time } UTC alerts have reached nobody; the webhook: { $why }
reach-nobody-fix = Ask one owner to open a direct message with me, or fix alerts.webhook; the log has the alert.
count-on = { $count } on { $platform }
owners-and-admins = owners and admins in private ({ $counts })
the-webhook = the webhook
trouble-goes-to = sent to { $ways }; heartbeat to a monitor: { $heartbeat }
one-way-or-other = { $first }, or else { $second }
every-seconds = every { $seconds } s
no-heartbeat = none
nobody-told = nobody is told when something breaks
nobody-told-fix = Set owner_ids of a platform (`whoami` prints the ids), or alerts.webhook.

## The configuration

as-at-start = as it was at the start
as-read-at = as it was read at { $time } UTC
at = at { $time } UTC
file-changed = { $file } or the .env beside it has changed since it was read
file-changed-fix = Run `glassmind config check` on the host; then `systemctl reload glassmind` (SIGHUP), or restart the bot.
file-refused = { $file } was refused { $when }; the bot keeps running with the one before: { $why }
file-refused-fix = Run `glassmind config check` on the host, correct the file, and reload it.
file-waits = { $file }, { $when }; waiting for a restart: { $keys }
file-waits-fix = Restart the bot when it suits you.
file-is = { $file }, { $when }
keys-and-more = { $keys } and { $more } more

## The clock and the connections

clock-says = my clock says { $time }, { $name } says { $theirs }
clock-says-since = my clock says { $time }, but the last time I was sure it was { $before }
time-utc = { $time } UTC
no-calendar = a year that no calendar has
still-connecting = it is still trying to connect
token-conflict = another program uses the bot's token
connection-ended = its connection ended, and nothing in me restarts it
connection-ended-fix = Restart the bot, and look in its log for what ended the connection.
damage = { $damage } I carry on without that one thing.

## Buttons below

why = Why?
answer = Answer the { $count }…
other-model = Use another model…
tell-channels = Tell the channels…
tell-channel = Tell the channel…
places-or-more = { $places } or more
