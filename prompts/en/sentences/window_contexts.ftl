### A request, block by block, and what differs between two, on the web page.

request-of = { $request } of { $channel }
next-of = Next request of { $channel }
which = { $which ->
    [sent] Sent
    [next] What would be sent next
   *[in_flight] Running now
}
compare-worked = compare with the last that worked
hidden = Hidden from you or blacked out: { $count } places.

## Its blocks

layer = { $layer ->
    [static] fixed
    [epoch] changes rarely
    [tools] tools
    [summary] summaries
    [said] conversation
    [asked] newest message
   *[overhead] format
}
by = { $role }
bar = { $name }: { $tokens } tokens, { $share } %
blocks = blocks { $first } to { $last }
its-blocks = Its blocks
words-of-block = words of a block
blocks-to-come = Blocks { $first } to { $last }
from = from { $sources }
its-message = its message `{ $handle }`
no-words = no words
more-characters = { $count ->
   *[other] and { $count } more characters: `!cortex export` has all of it
}
left-out = Left out

## What came back, and where a quote stands

came-back = What came back
answered-in = { $answered } in { $time }
in-and-out = { $input } tokens in, { $output } out
no-answer = No answer is on record.
thoughts = What it thought
stands-in = The quote stands in { $count ->
    [one] { $count } block
   *[other] { $count } blocks
}: { $names }.
stands-in-more = The quote stands in { $count ->
    [one] { $count } block
   *[other] { $count } blocks
}: { $names } and { $more } more.
stands-nowhere = The quote does not stand in what you may see of this request.

## What differs between two

changed-in = What changed in { $channel }
the-same = *The same.* from { $before } to { $after }
differences = { $count ->
    [one] *{ $count } difference*
   *[other] *{ $count } differences*
} from { $before } to { $after }
side = { $which ->
   *[other] { $label }
}
from-which = From
to-which = to
compare = Compare
names-of-contexts = last, next, running, worked, or a handle
part = { $part }
change = { $kind }
every-request = differs in every request
because = because of { $kind }: { $what }
lines = { $count ->
    [one] { $count } line
   *[other] { $count } lines
}
