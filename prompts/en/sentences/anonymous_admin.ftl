### Why an admin got no answer: they wrote in the group's name, and nobody can tell who it was.

verdict = { $place }: an anonymous admin wrote it
groups-name = It was posted as the group.
not-which = { $name } does not say which admin it is.
list-holds-people = { $list } lists people, and the group is not one.
not-obeyed = It was a command: the bot obeys nobody it cannot identify.
own-name = Write under your own name (your admin rights, Remain Anonymous: off), or ask the bot in private.
