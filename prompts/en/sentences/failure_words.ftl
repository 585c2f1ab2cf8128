### Why something could not be read, and what helps.

no-reason = no reason was given
too-slow = it took too long
too-slow-fix = Ask again; if it happens again, look at the machine's load and disk.
no-library = a library cannot be loaded: { $what }
install-again = Install the bot again with its dependencies, then restart it.
damaged = { $file } is damaged (line { $line })
no-memory = there is not enough memory
more-memory = Free memory, or give the bot more.
a-file = a file
file-said = { $file }: { $words }
check-file = Check that the file is there and that the bot may read it.
unknown = something in the bot failed ({ $name })
in-the-log = It is in the log; report it if it happens again.
