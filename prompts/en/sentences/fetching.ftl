### Why a file that came with a message cannot be had. It stands behind the name of the file, or behind a colon.

no-content = it has no content
too-large = it is larger than { $kb } kB
not-given = { $platform } does not give it: { $why }
nowhere = { $platform } does not say where it is
gone = it is gone from the platform
answered = the file server answered { $status }
unreachable = the file server cannot be reached: { $why }
address-unreadable = its address cannot be read
address-elsewhere = its address does not belong to the platform
no-files = the console takes no files
