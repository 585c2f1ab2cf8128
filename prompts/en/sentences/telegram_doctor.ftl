### What the doctor says of Telegram: the account, the webhook, polling, one chat.

unknown-token = Telegram does not know the token
account = { $name } answers; group privacy is { $privacy ->
    [on] on
   *[off] off
}
business = somebody connected it to their business account (last message { $time }): this bot answers nobody in other people's names
no-business = @BotFather: Bot Settings, Business Mode, off. Or who connected it: Settings, Telegram Business, Chatbots.
no-webhook = no webhook; { $waiting ->
    [one] { $waiting } update waiting
   *[other] { $waiting } updates waiting
}
webhook = a webhook is set on { $host }; { $waiting ->
    [one] { $waiting } update waits
   *[other] { $waiting } updates wait
} for it
webhook-fails = { $webhook }; it fails there: { $error }
nothing-changed = Nothing was changed. { $fix }
state = { $state }
state-because = { $state }: { $detail }
last-poll = { $state }; last good poll: { $time }
never-polled = { $state }; last good poll: never
other-program = { $state }; another program polled with this token at { $time }
private-open = the private chat is open
press-start = Press Start in the bot's private chat.
add = Add the bot to the chat.
not-in = the bot is not in there
banned = the bot was removed from it, and is banned
unban = Take the bot off the list of removed users (Manage Group, Permissions), and add it again.
may-send = the bot is { $status ->
    [member] a member
    [administrator] an admin
    [creator] the creator
   *[other] { $status }
} and may send
may-not-send = the bot can't send: { $why }
admins-post = in a channel only admins post, with the right Post Messages
post = Manage Channel, Administrators, the bot: switch Post Messages on.
restricted = an admin restricted the bot
restricted-until = an admin restricted the bot until { $time }
lift = Manage Group, Permissions, Exceptions: lift the bot's restriction; or make it an admin.
members-mute = members can't send messages
everybody = Manage Group, Permissions: let members send messages; or make the bot an admin.
costs = a message costs { $stars ->
    [one] { $stars } Star
   *[other] { $stars } Stars
}
paid = Make the bot an admin, or let members write for nothing (Manage Group, Permissions).
slow-mode = slow mode: one message in { $age }
slow = Make the bot an admin (slow mode exempts admins), or turn slow mode off (Manage Group, Permissions).
lacks = it can't send: { $kinds }
privacy = group privacy hides messages that are not for the bot
privacy-fix = Talk to @BotFather: /setprivacy, Disable; then remove the bot from the group and add it again. Or make it an administrator. Commands and replies to it arrive in any case.
polls-as-text = polls go out as text: members can't send polls
unheard-reactions = the bot is not an admin here, so it can't see reactions: asking with 🤔 doesn't work
