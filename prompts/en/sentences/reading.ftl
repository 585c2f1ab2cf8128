### Reading what the model is told, in pages, and the buttons of the pages around it.

all-parts = All parts
back = Back
next-page = Next page
read = Read { $part }
more = More
no-messages = No messages.
no-such-messages = There are { $count } messages; none is between { $first } and { $last }.
what-goes-on = what is running
nothing-came-back = Nothing was sent yet, so nothing came back. `read answer last` reads what did.
no-such-tool = There is no tool { $name } in it. There are: { $names }.
no-such-section = It has no section { $name }. It has: { $names }.
none = none
calls = [calls { $tool }] { $arguments }
no-words = (no words)
open = Open { $handle }
show = Show { $handle }
forget = Forget { $handle }…
prove = Prove it…
no-model-asked = no model used · { $session }

## What may be missing

could-not-read = could not read { $what }
