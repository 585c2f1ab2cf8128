### Why a task cannot be put into words for a model.

pattern-leads-out = The pattern { $pattern } leads out of the workspace. Give one that is relative to it.
does-not-fit = The task does not fit: { $system } tokens of instructions and { $request } of request leave nothing of { $input } for the context. Shorten the request or raise the budget ({ $total }).
