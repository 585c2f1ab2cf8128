### What is said in a private talk about a channel, in more than one place.

under-way = Reading the prompt; one report follows.
goes-on = Picking up where it stopped; one report follows.
may-go-on = It can pick up where it stopped; nothing is looked up twice.
no-more-to-resume = That inspection is running again, has ended, or is no longer stored. Ask again instead.
cut-off = The bot was stopped during the inspection. What the rules found above stands. Ask again later.
busy = I'm still working on your last question. This one comes next.
not-taken-up = The bot was stopped before I got to your last question. Ask it again.
talk-cut-off = The bot was stopped while I worked on your question. Ask it again.
withheld-answer = There is an answer, but you may no longer inspect that channel, so I can't show it.
changed-meanwhile = A memory you wanted to forget has changed in the meantime. Ask again to see how it is now.
no-right = You may not inspect that channel now. Nothing was changed.
broken = Something in me failed while I answered that. It is in the log; ask again, or try `doctor`.
too-fast = That is more than I can take in a minute. Ask again in a moment.
not-kept = I no longer have that question, or it means something else now. Ask it again.
no-such-record = There is no such record that you may open.
no-such-record-here = There is no such record that you may open. Say it in a talk about its channel: `use #name`.
not-the-channels = That request belongs to an inspection. Only the channel's own requests are shown.
made-of = what it was made of
back = I answer here again. I haven't answered what was written while I was silent; say it again if it still matters.
trouble = I have trouble answering here right now. It is known; please ask again later.
unreachable = I couldn't message you in private.
ended = What only you can see ends after 15 minutes, and when I restart. Ask again where you asked.
a-private-chat = a private chat
could-not-answer = I could not answer that: { $why }.
not-ours = That button isn't mine, or its offer is gone. Nothing was changed.
not-yours = Only the person this was made for can press it.
