### Why an answer did not go out: the platform refused it, and not for a missing permission.

verdict = { $place }: { $reason }
said = { $name } said:
tell-operator = Tell the operator: only the person who runs the bot can fix it.
other-words = Ask again in other words, and tell the operator what it said.
look-up = No known cause: look up what it said. `doctor` checks what the bot may do in the channel.
settle = ask again: does it say the same?
