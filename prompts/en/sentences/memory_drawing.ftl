### Words in the pictures of who taught the bot how much, and where a memory went.

role = { $role ->
    [owner] owner
    [admin] admin
    [moderator] moderator
   *[member] member
}
forgotten = forgotten
held-it = held it
came-of-it = came of it
