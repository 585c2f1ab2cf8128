### Why plain talk in a group gets no answer: Telegram delivers only a part of it.

verdict = { $place }: { $name } delivers only part
no-admin = Group privacy is on, and the bot is not an admin.
for-this-bot = Group privacy is on for this bot.
still-works = Slash commands, replies to the bot and DMs arrive.
never-came = No message has ever come from there.
no-plain-talk = { $count ->
    [one] The last message was not plain talk.
   *[other] None of the last { $count } messages was plain talk.
}
came-last = what came last: { $kind ->
    [command] a slash command
    [reply] a reply to the bot
    [mention] a mention
   *[event] an event
}
make-admin = Make the bot an admin of the group, or use slash commands and replies to it.
set-privacy = @BotFather: /setprivacy, Disable; then remove the bot from the group and add it again.
settle-mention = mention the bot there, then look in `ledger`.
settle-doctor = `doctor` asks the platform.
