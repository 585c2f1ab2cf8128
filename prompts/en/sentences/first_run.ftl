### The first owner of a new bot, and the silence that they are shown.

## The code of the terminal

claim-by-link = Once it runs, open { $link } and press Start: then you own it. The link works once, for { $hours } hours; show it to nobody.
claim-by-invite = Add it to a server: { $link }. Once it runs, write to it in private: !start { $code }. Then you own it. The code works once, for { $hours } hours; show it to nobody.
claim-by-code = Once it runs, write to it in private: /start { $code }. Then you own it. The code works once, for { $hours } hours; show it to nobody.
seen-by-others =
    Others can read that code here, so it is void. `glassmind init --force` makes a new one:
    bring it to our private chat.
owned = I have an owner already. Nothing was changed.
wrong-code = That is not the code I am waiting for. Nothing was changed.
seen-by-others-of-several =
    Others can read that code here, so it is void. Your id, which /whoami shows, makes you my owner:
    put it into owner_ids of [platforms.{ $platform }] in { $file }, and restart me.
expired = That code has expired. Run `glassmind init --force` again for a new one.
expired-of-several =
    That code has expired. Your id, which /whoami shows, makes you my owner:
    put it into owner_ids of [platforms.{ $platform }] in { $file }, and restart me.
not-written =
    The code is right, but I cannot change { $file }: { $why }
    Put that line there yourself, and restart me.

## After it

yours = You own me now. Only you can ask me why I did what I did: /why, here or in any channel.
yours-after-restart = You own me as soon as I am restarted: your id is in the configuration.
show-a-silence = Shall I show you a silence? It takes half a minute, here, with made-up people.
show = Show me
begins = It begins in a moment.
plays-already = I'm already showing it.

## The play

play-begins = This is a demo. A second bot plays it in its own space, with a simulated model. No real chat is touched.
a-member-is-ignored = Two hours ago James planted a memory in { $place }. Now Ann is answered, and James is not:
the-rules-say = Its admin asks why, in private. Rules answer first, without a model:
it-is-forgotten = The admin presses “Forget”, confirms, and James is answered again:
not-played = I could not play it. Why is in my log; `glassmind demo` plays it on my machine.
play-ends = That was the silence. When I am silent in a real channel, ask me /why there: the answer comes here.
