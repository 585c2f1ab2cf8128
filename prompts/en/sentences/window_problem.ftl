### Why the page does not let somebody in, or does not do something, and what to do then.

head = { $kind ->
    [nobody] You are not signed in
    [right] { $person ->
        [known] You may not look in here
       *[other] You may not look in here any more
    }
    [link] This link lets nobody in
    [app] Telegram could not let you in
    [oauth] You are not signed in
    [oauth_no] You did not agree at { $service }
    [oauth_away] { $service } cannot be asked now
    [absent] There is nothing here for you
    [host] This page has another address
    [method] That cannot be done here
    [read_only] Nothing is changed here
    [origin] That came from another page
    [unread] That cannot be read
    [too_long] That address is too long
    [too_fast] Too fast
    [store] The records cannot be read now
   *[broke] That page broke
}
next = { $kind ->
    [nobody] Write !cortex web to the bot in private, or run glassmind web --link on its machine. The link that you get works once, for two minutes.
    [right] You are not an admin or moderator of this bot now. Ask its owner.
    [link] It was used already, is older than two minutes, or is not one of ours. Ask for a new one: !cortex web in private, or glassmind web --link.
    [app] What Telegram said of you was used already, is older than five minutes, or was not meant for this bot. Close this window and press the button in the chat again.
    [oauth] This sign-in was used already, took longer than five minutes, or began in another browser. Sign in again.
    [oauth_no] Nobody was let in, and { $service } told the bot nothing about you. Sign in again, or write !cortex web to the bot in private.
    [oauth_away] Nobody was let in. Try again in a minute, or write !cortex web to the bot in private.
    [absent] It is not on record, or you may not see it.
    [host] Open it by the address that the link had.
    [method] Pages are read, and forms are sent; nothing else is done here.
    [read_only] This page only shows. Write !cortex web to the bot in private: the page that its link opens can change things.
    [origin] Open the page itself and try there.
    [unread] Go back and try again.
    [too_long] Go back and try something shorter.
    [too_fast] Wait a minute, then try again.
    [store] Try again in a moment. glassmind doctor says what is wrong.
   *[broke] The log says where. The bot itself is not touched by it.
}
came-as = You came as { $person }.
sign-in = Sign in with { $service }
to-overview = To the overview
