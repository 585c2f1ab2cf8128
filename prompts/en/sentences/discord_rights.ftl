### What the bot may do in a channel on Discord, who took a permission away, and where that is changed.

may-all = the bot may read and write there
cards-as-text = cards go out as text, because it lacks { $right }
polls-as-text = polls go out as text, because it lacks { $right }
may-not-view = the bot can't view the channel ({ $why })
may-not-connect = the bot can't connect to the voice channel, so it cannot use its chat ({ $why })
hidden = Discord does not show it to the bot: View Channel is missing, or it is somebody's private thread
show = Let the bot view the channel; members of a private thread let it in by mentioning it.
lacks = the bot lacks: { $rights } ({ $count ->
    [one] {""}
   *[other] { $first }:{" "}
}{ $why })
locked = the thread is locked
unlock = Unlock the thread, or give the bot Manage Threads.
archived = the thread is archived; the next message reopens it
forum = it is a forum: the bot hears and answers in its posts
post = Ask in one of its posts, or open one: the bot hears there.
timed-out = the bot is in timeout until { $time }
end-timeout = End the bot's timeout (its profile, Remove Timeout), or wait.
pending = the bot has not passed the server's membership screening
approve = Approve the bot under Members, or switch Membership Screening off; if neither is offered, invite it again.
quarantined = AutoMod has put the bot into quarantine because of its name
rename = Give the bot another name or nickname: with this one, AutoMod lets it do nothing.

## Who took a permission away

no-role-grants = no role of the bot grants it
taken-away = denied in the channel or its category; Discord does not say by whom
denied = denied to { $who ->
    [bot] the bot itself
    [everyone] @everyone
   *[role] the role { $role }
} in { $where ->
    [category] the category { $category }
   *[channel] the channel
}
switch-on-in-role = Server Settings, Roles, { $who ->
    [role] the role { $role }
   *[unnamed] the bot's role
}: switch { $right } on; or in the channel's own permissions.
switch-on-in-channel = { $where ->
    [category] Edit Category ({ $category })
   *[channel] Edit Channel
}, Permissions, { $who ->
    [role] the role { $role }
    [bot] the bot
   *[unnamed] the bot's role
}: switch { $right } on.
look-at-roles = Edit Channel or its category, Permissions: { $right } on for { $who ->
    [role] the role { $role }
   *[unnamed] the bot's role
}; also look at { $roles }.

## What keeps people from writing

slow-mode = slow mode: people may write once in { $age } (bots are not held back)
age-restricted = age-restricted: only people who confirmed their age see it
verified = without a role people need { $level ->
    [1] a verified e-mail
    [2] a verified e-mail and an account that is five minutes old
    [3] to have been in the server for ten minutes
   *[4] a verified phone
} before they may write
