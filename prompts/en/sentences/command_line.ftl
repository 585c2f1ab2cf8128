### What `glassmind --help` and `glassmind COMMAND --help` say.

about = A chat bot driven by a language model, with a mind that you can open.

## The commands

init = set up a configuration: answer questions, test it live, save it
init-more = At a terminal, it asks for what the options leave out. Never type secrets on the command line: name a variable or a file, or pipe them in (the token first, then the key). What you type when asked is saved in a .env beside the configuration.
run = run the bot until Ctrl-C
demo = watch a silent bot get diagnosed and fixed; offline, no key needed
config = check the configuration, or explain each value in it
restore = list the copies of the database, or restore one
restore-more = It reads every copy from start to end. Stop the bot first; your current database is kept aside.
verify = check that nothing on record was changed or damaged
verify-more = It checks pages, seals, texts, both signed chains, and that memories and settings match their newest versions. It changes nothing and contacts nobody; the bot may be running.
migrate = copy all stored data to a PostgreSQL server, or back into a file
migrate-more = Stop the bot first. It compares every row after copying; if one differs, it keeps nothing. The original data and your configuration stay as they are, and it tells you what to enter there. If the address holds a password, pass it as env:NAME, because others on this machine can read the command line.
diff = compare two contexts, and name the event behind each difference
diff-exit = Exit status 0: the same; 1: different; 2: they could not be compared.
rehearse = replay the last turns with another model or prompt, and compare the decisions
rehearse-more = It tells you the cost first, and asks. It sends nothing to a channel, remembers nothing and calls no tool; it reads the data directory without a lock, and saves its runs in a separate file. Exit status 0: every decision is the same; 1: some differ, or are unknown; 2: it could not be done.
replay = check a replay bundle from `!cortex bundle`, on any machine
replay-more = It checks every digest and rebuilds the request from its parts, offline and without a configuration. Exit status 0: everything matches; 1: something was changed; 2: the file is not a bundle.
check = replay your saved checks, and say whether the bot still decides as it should
check-more = It uses today's model, prompt and memories: run it before a change and after it. It tells you the cost first, and asks; it sends, remembers and calls nothing. Exit status 0: all pass; 1: some fail; 2: it could not be done.
memory = list what the bot remembers, search it, or tell the story of one memory
memory-more = It takes the same words as `!cortex memory`: list [#name or server] type decision by james older 30d newer 2h forgotten page 2; search WORDS; by PERSON; show HANDLE; chart [#name or server] 30d. Forget memories in the chat, where you can undo it. export FILE writes current memories with their whole history, signed; import FILE tells you what a file would add, and with --yes adds it while the bot is stopped. Exit status of import: 1 if the file is not as this bot signed it.
plugin = start a plugin of your own, or try an installed one
plugin-more = new writes a small working plugin with its test; check tries everything that a plugin adds in a separate bot, offline. Exit status of check: 1 if something is wrong with the plugin.
mcp = run an MCP server that lets an editor inspect the bot; or look at the MCP servers that the bot uses
mcp-more = The server reads the data directory without a lock or a model; the bot may be running or dead. It needs the extra mcp.
web = open the bot's mind in a browser, read-only; or print a link to a page that is already open
web-more = It reads the data directory without a lock or a model; the bot may be running or dead. Only this machine can reach the page. You need a link to enter, which works once and for two minutes.
support = write one file to attach to a bug report: no secrets, no messages, no names
support-more = It holds versions, the settings you made, what doctor found, and how the newest messages of one channel ended. It contacts platforms and providers live, but no model; the bot may be running or dead.
status = say how the bot is doing
why = say why a channel is silent
context = show what the model is told
ledger = show what happened to messages
export = save a context to a file
doctor = check the configuration, the data directory, the providers and the platforms
doctor-more = It reads the data directory without a lock, and contacts providers and platforms live, without polling; it asks each model for one token.
read-only = It reads the data directory without a lock, a secret or a model; the bot may be running or dead.

## What several commands take

config-file = default: $GLASSMIND_CONFIG, else config.toml
data-folder = the data directory, instead of the configured one
json = print JSON
target = a channel: its id (console:#general) or its name (#general); a message: its link or its handle (i4k2p); a gate decision, turn, request or delivery: its handle (g8w0c, t6w1d, r3x7b, d9m3q); default: the channel used last
agent = the agent whose channel you mean; default: the agent that has it now
free = ask no model; otherwise it asks each for one token, which costs a little
port = on 127.0.0.1; default: { $port }
price-input = price of a million input tokens
price-output = price of a million output tokens
yes = go ahead without asking
picture = also draw a picture (needs the extra charts)
picture-style = colours of the picture
of-chart = chart: { $what }

## run, demo, config

take-over = remove a webhook that another program has set, which cuts that program off: take_over = true in [platforms.telegram], for this run only
fresh = start with an empty database if the previous one is missing; backups stay
restored = continue with a server database that was put back to an earlier time; deliveries that were under way then are marked uncertain and not sent again
role = this process's part, if several share a bot on a PostgreSQL server: gateway listens, worker answers in some of the channels, looker shows the page and the numbers of a database or a replica; default: all of it
clock-is-right = trust this machine's clock although it has jumped since the last run and no platform confirms it; what is too old by this clock is deleted
demo-page = afterwards, show the same case in a browser, until Ctrl-C
config-action = check: list every problem; explain: show each value and where it comes from, with secrets hidden

## init

init-file = where to save it; default: $GLASSMIND_CONFIG, else config.toml
platform = where the bot lives
admin-id = an owner's numeric id; can be repeated
platform-url = your own Bot API server or Discord address
provider = the kind of model service
base-url = its address; default: the service's own
model = a model of that service
no-validate = contact neither the platform nor the service: offline
force = replace an existing configuration; a copy is kept
add = add a bot to an existing configuration, which stays as it is; a copy is kept
bot-name = what a bot is called in the configuration, in ids and in reports; default: as its platform
token-env = the variable that holds the bot's token
token-file = a file that holds the bot's token
token-stdin = read the bot's token from a line of standard input
key-env = the variable that holds the service's API key
key-file = a file that holds the service's API key
key-stdin = read the service's API key from a line of standard input

## why, context, export, support, restore, migrate

everywhere = which channels are silent, by cause
since = how far back to look: 30m, 2h, 1d
sent = a recorded request, by its handle
markdown = as text for people to read, not as JSON
support-folder = where to save it; default: here
copy = a name or path; default: list the copies
migrate-to = postgresql://user@host/database, env:NAME, or a new folder

## diff

cache = how much of A the provider could read from its cache, and what broke it
before = last (the last request), next (the next one), running (the current one), worked (the last one that led to an answer), a handle, or a file from `export`, packed or not; default: worked and last if the last one failed, else last and next
after = the same; default: last

## rehearse, check, replay

other-model = another model: provider/model, or only its name for the usual provider
last-turns = the newest N turns; default: 50
of-channel = from one channel; default: from all
without = leave out a section, a tool or a memory (m27d4)
persona = use the persona in this file
most-cost = stop before the cost exceeds this
check-model = use another model than today's
as-recorded = with the prompt and the memories of that time
check-most-cost = do not start if the cost could exceed this
runs = ask a configured model N times; you see the price first
bundle-model = run: another model than the one in the bundle
bundle-yes = run: go ahead without asking
bundle = the bundle, packed or not

## memory, mcp, plugin, web

memory-action = what to do
memory-words = a channel, filters, a person or a handle; for export and import: a file
memory-server = export: from all channels of the channel's server
memory-yes = import: add them; without this, it only tells you what it would add
mcp-json = tools, approve: print JSON
mcp-http = serve: on this port of 127.0.0.1, with inspector.token
mcp-action = serve (default): answer an editor, read-only; tools: list the tools of the configured MCP servers; approve: allow the tools that one of them offers now
mcp-server = tools, approve: a configured server
plugin-action = new: write one; check: try an installed one
plugin-name = its name, as in the configuration: [plugins.NAME]
plugin-folder = new: where to write it; default: here
web-link = open no page; print a link to the one that is open

## What cannot be read

not-turns = { $typed } is not a number of turns; enter one from 1 to 2000
not-dollars = { $typed } is not an amount in US dollars; enter for example 0.50
not-a-port = { $typed } is not a port; enter a number from 1 to 65535
not-a-span = { $typed } is not a time span; enter for example 30m, 2h or 1d

## Around all of them, and what is wrong with a command line

usage = usage:
arguments = positional arguments
options = options
help = show this help message and exit
refused = { $program }: error: { $why }
of-argument = argument { $name }: { $why }
required = the following arguments are required: { $names }
one-required = one of the arguments { $names } is required
unrecognised = unrecognized arguments: { $words }
not-together = not allowed with argument { $name }
takes-none = ignored explicit argument { $value }
wants-one = expected one argument
wants-some = expected at least one argument
ambiguous = ambiguous option: { $option } could match { $names }
bad-value = invalid { $kind } value: { $value }
bad-choice = invalid choice: { $value } (choose from { $names })
