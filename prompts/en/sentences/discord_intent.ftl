### Why plain messages get no answer: Discord delivers them without their text.

verdict = { $place }: messages arrive empty
still-works = Slash commands, mentions and DMs arrive.
not-asked = The bot's settings do not ask for message content.
is-off = The message content intent is off.
may-be-off = The message content intent may be off.
counted = Of the last { $of } without a mention, { $empty ->
    [one] 1 was
   *[other] { $empty } were
} empty.
record = gate content = empty
use-commands = Use slash commands or mention the bot, and tell the operator.
ask-for-it = Set message_content = true in [platforms.{ $key }], and restart.
switch-on = Developer Portal, Bot, Privileged Gateway Intents: switch on Message Content; then restart the bot.
settle-doctor = `doctor` asks the platform about the intent.
settle-mention = mention the bot there, then look in `ledger`.
