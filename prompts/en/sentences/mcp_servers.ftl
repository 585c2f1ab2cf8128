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
state-approved = approved
state-denied = denied
state-new = new
state-changed = changed
state-unusable = unusable
state-unreachable = unreachable

## Ours

token-missing = inspector.token: missing. Everybody who asks over HTTP must send it; enter for example env:GLASSMIND_INSPECTOR.
token-wanted = send inspector.token of the configuration as a bearer token
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

## Why there is no connection, or none any more

extra-missing = the extra for MCP is not installed: run pip install 'glassmind[mcp]'
not-started = { $command } could not be started: { $why }. Write its whole path, or set PATH in its env.
not-started-in = { $command } could not be started in { $folder }: { $why }. Write its whole path, or set PATH in its env.
holds-nul = its name or its arguments contain a NUL
not-ready = it was not ready within { $seconds } s
handshake-failed = connecting to it failed: { $words }
connection-broke = the connection broke ({ $error })
connection-over = the connection is over: { $why }
session-over = it ended the session
output-closed = it closed its standard output
input-closed = it closed its standard input
writes-no-messages = it writes lines to its standard output that are not messages
message-too-large = it sent a message of more than { $mb } MB
answer-too-large = it sent an answer of more than { $mb } MB
packed-answer = it sent a compressed answer, which I did not ask for
killed = it was killed by signal { $signal }
exited = it ended with status { $status }
it-wrote = { $why }; it wrote: { $words }
unreachable = I cannot reach it ({ $error })
answered = it answered { $status }
answered-wants-key = it answered { $status }: it wants a key (see `headers`)
answered-key-not-enough = it answered { $status }: the key is not enough (see `headers`)

## What is wrong with its answers

no-answer = it gave no answer in { $seconds } s
answered-error = it answered with an error: { $words }
answer-unreadable = its answer does not follow the protocol ({ $where })
list-endless = its list of tools does not end (more than { $count })
asked-for-more = it wanted { $asked }, which I do not give to servers
wants-sampling = an answer from a model (sampling)
wants-elicitation = an answer from a person (elicitation)
wants-roots = to know the folders it may use (roots)
wants-more = more than the arguments
arguments-take-too-long = the arguments take too long to check against its schema; write shorter ones
entry-unreadable = it cannot be read ({ $error })
keys-unreadable = its { $keys } cannot be read
schema-missing = there is none

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
