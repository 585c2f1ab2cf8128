### The file that somebody attaches when they report trouble.

written =
    Wrote { $file }.
    It holds versions, settings, the doctor's rows, and how the newest messages of one channel ended.
    No secret, no message, no name. Read it before you share it.
title = Glassmind support
about = No secret, no words of a message, no names or ids: texts are given by their length, lists by how many there are.
versions = Versions
configuration = Settings that were made
problems = Keys that cannot be used
doctor = Doctor
messages = How the newest messages of one channel ended (UTC)
no-doctor = The doctor could not look: { $why }.
characters = ({ $count ->
    [one] { $count } character
   *[other] { $count } characters
})
entries = ({ $count ->
    [one] { $count } entry
   *[other] { $count } entries
})
