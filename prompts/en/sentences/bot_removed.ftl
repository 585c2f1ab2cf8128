### Why a group gets no answer: the bot is not in it any more, or there is no such place.

verdict = { $place }: the bot is not a member
removed-by = A person removed it at { $time }.
removed = It was removed at { $time }.
no-member = It is not a member; since when is unknown.
delivers-nothing = { $name } delivers nothing from there.
add-again = Add the bot to the group again; it will not see what was said meanwhile.
verdict-gone = { $place }: no such place
said = { $name } said:
name-again = It was deleted, has another id, or is hidden from non-members: name it again.
removal = its removal, and who did it
