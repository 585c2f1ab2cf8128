### Skills: why one is left out, and what to do about it. It stands behind the name of the file.

## The head of its file

head-missing = it has no head: put `---`, `name: …`, `description: …` and `---` on its first lines
head-not-closed = its head has no end: put a line `---` below it
key-twice = `{ $at }` is in its head twice
line-without-key = line { $at } of its head is not `key: value`
quotes-open = the quotes of `{ $at }` in its head do not close
no-name = its head has no `name:`
bad-name = its name is "{ $name }": use small letters and digits with single hyphens between them, at most { $most } characters
no-description = its head has no `description:`, which tells the model when to look it up
description-too-long = its description is { $count } characters long, more than { $most }
nothing-below = there is nothing below its head
name-taken = { $other } is called { $name } too: rename one of them, or remove it

## The file itself

too-many = there are more than { $most } skills
no-folder = a skill needs its own folder: move this file to { $path }
rename = rename { $name } to { $wanted }
no-file = its folder has no { $wanted }
link-circle = it is a link that leads back to itself
link-out = it links to a file outside the folder of skills: put the file itself there
not-ordinary = it is not an ordinary file
too-large = it is larger than { $kb } kB (skills.file_kb): make it shorter
not-utf8 = it is not UTF-8 (byte { $byte }): save it as UTF-8
file-unreadable = I cannot read it: { $why }
folder-unreadable = I cannot read this folder of skills: { $why }

## Another file of a skill, which the model asked for

other-not-inside = it is not a file of this skill. Its files: { $files }
other-not-there = there is no such file. Its files: { $files }
other-unreadable = it cannot be read. Its files: { $files }
other-too-large = it is larger than { $kb } kB (skills.file_kb)
other-no-text = it is not text: only UTF-8 can be read
