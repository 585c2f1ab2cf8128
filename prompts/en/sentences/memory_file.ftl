### What is wrong with a file of memories that somebody wants taken in.

empty = The file is empty. { $how }
how = `memory export` writes such files.
not-unpacked = The file cannot be unpacked: { $why }. Copy it again.
newer = A newer Glassmind wrote this file (version { $version }, I read { $newest }). Update me, then try again.
no-such-file = This is no file of memories: its first line does not say so. { $how }
too-many = The file has more than { $most } memories, which is as many as I take at once. Nothing was taken in. Export less at a time: one channel after the other.
