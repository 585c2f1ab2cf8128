### What `glassmind demo` tells around its scene.

intro =
    Glassmind demo: offline, no key. THE MODEL IS A SIMULATION: it answers by simple rules from the request that it gets.

    A bot serves #general. Two hours ago somebody planted a memory; since then it ignores one member.
two-hours-later = ... two hours later ...
not-seen = ✗ NOT SEEN: { $what }
failed = The demo FAILED: { $missing ->
    [one] 1 of { $steps } steps
   *[other] { $missing } of { $steps } steps
} did not happen: { $which }
all-happened = All { $steps } steps happened. (The model was a simulation.)
in-a-browser = The same case in a browser: `glassmind demo --page`, on this machine only.
open-first = Open { $link }
then-open = then { $link }
link-works-once = The first link works once, for two minutes. Ctrl-C ends it.
ended = the demo has ended

## What is to be seen

planted = somebody planted a decision memory of importance 0.9
one-is-ignored = the bot answers ann, and ignores james
rules-name-it = the rules name the memory, without asking a model
branch-found-it = the inspection found it by reading, and its record was checked
private-stays-private = nothing private appears in #general
proven = asked again with and without it, the model proved the cause; no tool was called for that
proof-stays-private = nothing of the proof appears in #general
confirmed-first = nothing happened before the admin confirmed; then the memory was forgotten
answered-again = james gets an answer
undone = the undo brought the memory back
