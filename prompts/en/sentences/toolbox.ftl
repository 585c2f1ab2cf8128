### Which tools there are, where they are closed, and how calls of them end on record.

## Why a group of tools is closed

not-for-agent = it is not open to the agent { $agent } (agents.{ $agent }.tools)
no-table = there is no table [{ $table }]
off = it is off ({ $table }.enabled)
needs-authority = it needs the authority { $authority }
not-in-channel = it is not open in this channel

## Tools that do not fit together

argument-models = tool `{ $tool }`: takes { $count } argument models. Give its function exactly one `args: <Args>`.
reserved-argument = tool `{ $tool }`: has an argument `{ $argument }`, which models may not fill. Rename it.
unmet-need = tool `{ $tool }`: needs `{ $parameter }: { $kind }`, which nothing provides. Hand a { $kind } to the toolbox.
kind-not-allowed = tool `{ $tool }`: is in the toolset of { $kind }, which it does not allow.
listed-twice = tool `{ $tool }`: is in the toolset of { $kind } twice.

## How a call ended

left-behind = it did not stop when told to, and was left behind
cancelled-before = cancelled before it ran
cancelled-while = cancelled while it ran
store-failed = the store failed
