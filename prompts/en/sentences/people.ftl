### How people are named when no name is said.

by-role = { $role ->
    [owner] the owner
    [admin] an admin
    [moderator] a moderator
   *[other] somebody
}
