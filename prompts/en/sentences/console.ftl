### What the terminal says by itself where it is the chat. What is typed there is the same in every language.

listening = { $bot } is listening. /help-console shows what you can type here; /help asks the bot.
not-heard = { $bot } did not hear that: { $why }
no-such-button = There is no button "{ $which }". Buttons: { $buttons }.
no-buttons = There is no button "{ $which }": none is shown.
seen-by-one = [only { $name } sees this] { $text }
reaction = [{ $place }] { $emoji } on { $name }'s message
file = file { $name }: { $path }
printed-stays = what is printed stays
dm-closed = the direct messages of { $user } are closed
help =
    { "[" }#channel] name> text   say something there, as that person, and stay there
    text                    say it here
    /as NAME                speak as somebody (a number can be given once: /as NAME=42)
    /join #CHANNEL          go to a channel
    /dm                     go to your direct messages with the bot
    /reply ID text          reply to a message            /edit ID text   edit one of yours
    /delete ID              delete one of yours           /history        what was said here, with ids
    /press N                press a button, by number or by the beginning of its label
    /promote NAME           make somebody an admin of the channels here     /demote NAME
    /closedm NAME           close somebody's direct messages                /opendm NAME
    /ids on|off             show message ids              /quit           leave (so does Ctrl-D)
    Anything else that begins with ! or / goes to the bot: try /help.
