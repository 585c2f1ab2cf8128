### What the bot says by itself about a message, its answer, or who may look.

broke = Something went wrong inside me, so I have no answer. It is on record as { $handle }.
beginning = … This is the beginning. { $name } holds all of it: { $count ->
    [one] { $count } character
   *[other] { $count } characters
}.
may-be-lost = My last answer may not have arrived: the connection broke while it was being sent. ({ $handle })
not-delivered = I have an answer, but it could not be delivered ({ $code }). The admins know. ({ $handle })
see-the-platform = `!cortex open { $handle }` shows what the platform said.
alert-uncertain = A { $kind } to { $place } may not have been delivered: { $code } ({ $handle }).
    → { $fix }
alert-not-delivered = A { $kind } to { $place } could not be delivered: { $code } ({ $handle }).
    → { $fix }
press-no-store = My store cannot be used, and nothing was done.
command-broke = That did not work: something broke inside me. The log has the error.
not-stored = I cannot store anything right now, so I did not take that. Try again in a while; the admins can see why.
press-too-old = This message is too old for me to see. Ask again.
press-broke = Something went wrong inside me, and nothing was done.
only-configured = only the admins in the bot's configuration may inspect
own-platform = an admin may inspect only channels of their own platform
not-administered = the platform says that you do not administer that channel
not-readable = the platform says that you cannot read that channel yourself
moderators-private = moderators may not look into private chats
moderators-platform = a moderator may look only into channels of their own platform
not-moderated = the platform says that you do not moderate that channel
private-owner = that is somebody else's private chat: set cortex.inspect_dms to allow owners
private = that is somebody else's private chat: only they may
host-only = only the host's own user may
disk-full = The disk is almost full, so nothing is taken in. Free some space; nothing is lost.
send-it = Send it
private-chat = a private chat
