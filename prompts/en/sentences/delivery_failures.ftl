### Why a message does not go out, and what ends that.

## What people in the channel can do

fix-not-member = Add the bot to the group again.
fix-no-rights = Let members send messages there, or make the bot an admin.
fix-rights = Let the bot view that channel and send messages there; `!cortex why` there names what is missing.
fix-no-access = Let the bot view that channel (a voice channel: connect too); `doctor` names who keeps it out.
fix-slow-mode = Turn slow mode off there, or exempt the bot from it.
fix-archived = Write a message in the thread to reopen it; then ask again.
fix-locked = Unlock the thread, or ask outside it.
fix-automod = An AutoMod rule stopped it: exempt the bot's role, or change the rule.
fix-filtered = A filter of the platform stopped it: ask in other words, or for an answer without links.
fix-topic-closed = Reopen the topic, or ask in another one.
fix-topic-gone = The topic is gone; ask in another one.
fix-no-text-channel = Nobody can write in that channel; ask in another one.
fix-dm-closed = They have to open a chat with the bot (press Start, or allow direct messages), or unblock it.
fix-chat-not-found = The chat is gone, or the bot is not in it any more.
fix-message-gone = Somebody deleted the message it was going to change: ask again.
fix-too-old = The message it was going to change is too old for that: ask again.
fix-too-large = The file is too large for the platform: ask for a smaller one, or for its text.
fix-empty = It had nothing in it that the platform can show: ask again.
fix-bad-file = The platform does not accept that file: ask for another format, or for its text.
fix-uploads-limited = Discord limits files in this server: ask for text only, and look at the server's settings.
fix-followups-used = Run the command again: each run allows a few answers. In a server that has the bot there is no limit.
fix-verification = Lower the server's verification level, or give the bot a role: a role exempts it.
fix-forum = People talk only in posts there: ask in one of its posts.
fix-forum-tag = A post there needs a tag: have the forum's admin drop that rule, or ask in a post.
fix-threads-full = The server is at its limit of open threads: close some, or ask in the channel.
fix-thread-full = The thread is at its limit of people: ask in the channel.
fix-switched-off = The platform has switched it off for a while: ask again later.
fix-chat-restricted = Telegram itself has restricted this chat: look at it in the app, or ask Telegram's support.
fix-chat-deleted = Somebody deleted the group: ask elsewhere.
fix-join-first = Only members of the discussion group may write there: add the bot to that group.
fix-paid-messages = Messages cost Stars there: make the bot an admin, or let members write for free.

## What only the operator can do

fix-unreachable = Check network, proxy and the platform's address; `doctor` tries to connect. An answer is kept for a day.
fix-token = Set the token that the platform shows now, and start the bot again.
fix-flood = Set limits.sends_per_second (0.3 suits a busy group), and restart.
fix-too-long = The bot should have split it: report { $delivery }. Until then lower model.max_output_tokens.
fix-markup = The platform refused the plain text too, which is a bug in the program: report { $delivery }.
fix-buttons = The platform refuses its buttons, which is a bug in the program: report { $delivery }.
fix-migrated = Put the group's new id (`whoami` prints it) into lists that name the old one, and restart.
fix-account-flagged = Discord flagged the bot as a spammer: appeal as its message says; until then it can do little.
fix-account-unverified = Verify email and phone of the account that owns the bot; the developer portal says more.
fix-account-frozen = Telegram has frozen the bot's account: appeal with @SpamBot or Telegram's support.
fix-two-factor = Switch two-factor login on for the account that owns the bot: this server asks for it.
fix-age-limit = Discord lists the bot's owner as too young: have its support correct the date of birth.
fix-server-region = This server is closed in the host's country: run the bot elsewhere, or ask in another server.
fix-blocked-between = Cloudflare, in front of Discord, blocks this host: look at proxy and rest_url; wait.
fix-not-connected = Enable that platform in the configuration, and restart.
fix-file-gone = Somebody deleted its file on this machine before it went out: ask for it again.
fix-internal = This is a bug in the program: the log has the error; report it.
fix-between = Something between the bot and the platform refused it: look at proxy and firewall.

## The reason, behind the channel's name

reason-account-flagged = flagged as a spammer
reason-account-unverified = its account is unverified
reason-account-frozen = its account is frozen
reason-two-factor = two-factor login is missing
reason-verification = the server wants verification
reason-age-limit = its account is too young
reason-server-region = closed to the host's country
reason-followups-used = its answers are used up
reason-blocked-between = a firewall blocks the host
reason-switched-off = sending is switched off
reason-uploads-limited = files are limited there
reason-bad-file = the file is refused
reason-forum = people talk only in posts there
reason-forum-tag = a post there needs a tag
reason-threads-full = too many threads are open
reason-thread-full = the thread is full
reason-chat-restricted = Telegram restricted the chat
reason-chat-deleted = the group was deleted
reason-join-first = only members may write there
reason-paid-messages = messages cost Stars there
reason-refused = the platform refused it

## What is said of one message that does not go out, behind its code

not-connected = { $platform } is not connected
not-private = { $place } is not the private chat it has to be
for-one-alone = a { $kind } may go to only one person
no-channel = { $channel } is not a channel on { $platform }
no-message = there is no message { $id }
no-reaction = { $emoji } is not a reaction on { $platform }
no-person = { $id } is not a person on { $platform }
slash-command = a slash command is not a message
interaction-closed = the command or button that opened this place is too old
answered-too-late = the command or button was answered too late
thread-locked = the thread is locked
file-gone = { $name } is gone
file-unreadable = { $name } cannot be read
file-without-text = the file arrived, its text did not: { $why }
earlier-part = an earlier part was not delivered
stopping = the bot is stopping; this goes out at the next start
group-moved = its group became a supergroup: what was written there before can no longer be changed
cut-off = the program ended while this was being sent
broke = sending broke ({ $error })
