### MCP servers: those that the bot uses, and the one that lets an editor look into it.

## Used by the bot

no-such-server = There is no [tools.mcp.{ $name }]. Configured: { $names }.
name-one-to-approve = Name the server to approve. Configured: { $names }.
no-servers = none
no-tools = it has no tools
see-its-table = See [tools.mcp.{ $name }], and try its command by hand.
not-offered = it answers; not offered: { $names }
answers = it answers, with { $count ->
    [one] { $count } tool
   *[other] { $count } tools
}
column-server = server
column-tool = tool
column-state = state
column-says = in the server's words

## Ours

token-missing = inspector.token: missing. Everybody who asks over HTTP must send it; enter for example env:GLASSMIND_INSPECTOR.
no-such-tool = There is no tool "{ $name }". Tools: { $names }.
bad-arguments = I cannot use these arguments. { $problems }.
broke = { $name } broke ({ $error }); this server's log says where.
not-kept = Not recorded here: only digests and sizes of requests are kept, no words. `next` shows what would be sent.
private-closed = Private conversations are closed here: set cortex.inspect_dms if you may read them.
names-no-request = { $typed } is not a request. Enter { $names }, or a handle: r3x7b.
channel = { $id } · { $name } · last used { $time }

## How one of them is

tried-again = { $why }; I try again at least every { $minutes } min
not-understood = it said something I don't understand ({ $error })
tools-changed = its tools have changed
has-tools = { $count ->
    [one] { $count } tool
   *[other] { $count } tools
}
has-tools-of = { $count ->
    [one] { $count } tool of { $title }
   *[other] { $count } tools of { $title }
}
held-back = { $count } held back until somebody approves them
more-of-that-kind = and { $count } more of that kind
listed-twice = { $count ->
    [one] { $count } tool is listed twice; the first one counts
   *[other] { $count } tools are listed twice; the first ones count
}
too-many-tools = { $count } tools are left out, because { $most } is the most; name the ones you need in `allow`
renamed = { $name }: is called { $called }
unusable = { $name }: { $why }
bad-schema = its schema cannot be used: { $why }

## What is wrong with the schema of a tool

not-an-object = it is not an object
arguments-not-an-object = its arguments are not an object
schema-too-long = it is { $count } characters long, more than { $most }
too-many-parts = it has more than { $most } parts
nested-too-deep = it is nested deeper than { $most }
refused-name = an argument has the name "{ $name }", which providers refuse
unknown-type = it uses the type { $type }, which does not exist
no-values = it needs a list of values and has none
values-not-shown = it lists values that cannot be shown, or more than { $most }
refers-outside = it refers to { $reference }, outside itself
refers-nowhere = it refers to { $reference }, which is not there

## Approvals

approvals-not-written = I cannot write { $file }: { $why }. `glassmind doctor` checks the folder.
approvals-unreadable = I cannot read { $file }. Remove it to trust what the servers offer now.
