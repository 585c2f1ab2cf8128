### The command by which people choose the language in which the bot tells them things.

## What this language calls itself.
name = English
## What is set. $there lists the codes of all languages, $command is what is typed.
yours = I talk to you in { $language }. Change it with { $command } and a code: { $there }. { $command } off forgets your choice.
none-yours = You have not chosen a language, so I use { $language }. Choose one with { $command } and a code: { $there }.
set = From now on I talk to you in { $language }. What everybody can read stays in the language of the channel.
forgotten = I have forgotten your choice. I use the language of your app, if I know it.
not-known = I do not speak { $wanted } yet. Send { $command } with one of these codes: { $there }.

## How numbers are written.

decimal-mark = .
group-mark = ,
