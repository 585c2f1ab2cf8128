### What the doctor looked at, what it saw, and what to do.

## The page as a whole

row = { $row ->
    [store-room] store space
   *[other] { $name }
}
platform-row = { $row ->
   *[other] { $platform } { $name }
}{ $kind ->
    [same] {""}
   *[other] {" "}({ $kind })
}
service-row = provider { $name }
could-not-look = could not look: { $why }
no-answer-within = did not answer within { $seconds } s
no-answer-fix = Check that it runs, and the network and proxy in between; then ask again.
all-is-well = All is well.
checked = { $checks ->
    [one] { $checks } check
   *[other] { $checks } checks
}: { $failed } failed, { $warned } to look at.
checked-silent = { $checks ->
    [one] { $checks } check
   *[other] { $checks } checks
}: { $failed } failed, { $warned } to look at, { $silent } without an answer.

## The process

start-fix = Start it: glassmind run.
start-fix-log = Start it: glassmind run. The log and the service manager say why it ended.
never-ran = no bot has run on this directory
running = running: pid { $pid }, last sign of life { $age } ago
not-running = not running: { $why }; pid { $pid }, last sign of life { $age } ago
platform = platform { $name }

## The clock

clock-fix = Set the clock, for example with `timedatectl set-ntp true`.
clock-doubt-fix = Set the clock, for example with `timedatectl set-ntp true`. If it is right, start once with `glassmind run --clock-is-right`.
clock-doubt = { $why }; nothing is deleted until that is settled
clock-too-early = { $time } is before this program was made
clock-behind = { $time }, but the bot left a sign of life { $age } later than that
clock-ok = { $time }; nothing stored is dated later

## Traces and the web page

traces-ok = { $host } takes them
traces-ok-lost = { $host } takes them; { $lost ->
    [one] { $lost } span was left out
   *[other] { $lost } spans were left out
}
traces-fail = { $host } has taken none for { $age } ({ $why })
traces-fail-lost = { $host } has taken none for { $age } ({ $why }); { $lost ->
    [one] { $lost } span was left out
   *[other] { $lost } spans were left out
}
traces-fix = Start the collector, or correct `endpoint` and `headers` in [traces]. The bot still answers people.
web-page = web page
web-page-not-open = not open: { $why }
web-page-fix = Then restart the bot.
web-page-ways = people get in by { $ways }
by-link = a link
by-telegram = Telegram's app
by-discord = Discord

## Tools and files

tools-in-requests = up to { $always } are in every request, { $on_demand } only when needed: { $names }
tools-all-in-requests = up to { $always } are in every request, none only when needed
files-ok = only the account that owns them can use { $folder } and the files with secrets
files-open = others can use { $files }
files-open-more = others can use { $files } and { $more } more
files-fix = Run: chmod -R go= { $folders }
files-of = files of { $key }

## Models

model = model { $name }
model-background = model { $name }, background work
model-rests = on a break for { $age } more after: { $why }
model-rests-met = on a break for { $age } more after: { $why } ({ $requester ->
    [channel] an answer to people
    [branch] a branch
    [worker] a worker
    [compactor] a compaction
    [cortex] a talk with an admin
    [inspection] an inspection
    [replay] a proof
    [embedding] a search in memories
   *[other] something
} hit that { $ago } ago)
model-rests-fix = The bot tries it again by itself; `why` says what that did to answers, `model` picks another.
background-rests-fix = The bot tries it again by itself. It still answers people; `tasks` lists what runs in the background.
token-counts = token counts
token-counts-estimated = estimated from bytes, because I cannot load the token table: { $why }
window-of = window of { $model }
window-unknown = I don't know how much it holds; I assume { $tokens } tokens and cut history to that
window-fix = Set model.context_window, or use a model that the built-in table knows.
reading-of = reading of { $model }
reads-partly = the server reads only { $read } of about { $sent } tokens it is sent
sentences = sentences
sentences-plain = The library that writes numbers as each language does cannot be loaded ({ $why }): I write them plainly.
sentences-fix = Install Glassmind's packages again: pip install --force-reinstall glassmind
sentences-missing = { $count ->
    [one] { $count } sentence cannot be said in { $language }: { $names }
   *[other] { $count } sentences cannot be said in { $language }: { $names }
}
sentences-missing-fix = Tell whoever wrote that language. Until then people read these sentences in English.
time-zones = time zones
time-zones-named = { $why }; the configuration names { $zones }
organisation-fix = Correct the file or its name, then restart the bot.

## Who can be reached

foreign-account = the data directory belongs to the bot { $theirs }, and the token is of { $ours }
foreign-account-fix = Put the token of { $theirs } into platforms.{ $platform }.token, or use another data directory.
data-of = { $platform } data
admins-of = { $platform } admins
no-admins = there are none: nobody may ask why
no-admins-fix = Put your numeric id into owner_ids; `whoami` prints it.
all-reachable = I can message { $count } of { $count } in private
all-reachable-more = I can message { $count } of { $count } in private; { $more } more were not checked
not-reachable = I cannot message { $closed } of { $count } in private ({ $who })
not-reachable-fix = Ask them to open the bot's private chat and say something there (Telegram: press Start); `whoami` shows an id.

## MCP servers

mcp-server = MCP server { $name }
mcp-state = { $state } for { $age }
mcp-state-detail = { $state } for { $age }: { $detail }
mcp-degraded-fix = Look at its tools: glassmind mcp tools { $name }; then approve or deny them.
mcp-down-fix = Its tools are off until then. See [tools.mcp.{ $name }], and try its command by hand.

## How models want their requests

requests-to = requests to { $model }
trait-learnt = { $meaning } ({ $trait }, learnt { $time } UTC from { $words })
traits-known = { $traits } (by key, address or name)
no-tools-fix = Pick a model with tools, or leave it. If it has tools by now: learn_dialect = false in [providers.{ $provider }], start once, and remove the line.
asked-by-doctor = the doctor asked whether the model answers

## One token from each model

answer-of = answer of { $model }
no-answer-yet = no answer yet to a one-token request, after { $time }; a local server may be loading the model
no-answer-yet-fix = Ask again in a minute: the request is still running.
answered = answered a one-token request { $key ->
    [with] with this key in { $time }
   *[without] in { $time }
} ({ $counted }, { $cost }){ $ago ->
    [now] {""}
   *[other] , { $ago } ago
}{ $listed ->
    [no] ; its name is not in the list
   *[other] {""}
}
counted-tokens = { $tokens ->
    [one] { $tokens } token in
   *[other] { $tokens } tokens in
}
not-counted = its tokens not counted
no-price = no price is set
not-in-account = { $cost }, not in the bot's own account
failed-ago = { $why }, { $age } ago
slow-fix = If it was loading, ask again. If not, people wait that long for the first word of an answer.
unlisted-unasked = not in the service's list; I did not ask it for an answer (--free)
listed-unasked = in the service's list; I did not ask it for an answer (--free)
listed-key-unasked = in the service's list, which the key opens; I did not ask it for an answer (--free)
unasked = I did not ask it for an answer (--free), and nothing else proves the key
unasked-fix = Look without --free: that asks it for one token.
more-models = more models of { $service }
more-unasked = { $count } more were not asked: I ask { $most } of a service at a time
list-missing = its list of models is not available ({ $why }), but its models answer
set-name = Set the model's name to one from the service's list; it has { $count }.
set-name-near = Set the model's name to one from the service's list. Near: { $names }.

## Asked on the host

start-bot-fix = Start the bot: glassmind run.
config-fix = Correct it; `glassmind config check` lists every problem at once.
no-config-fix = Run `glassmind init`, or copy config.example.toml to config.toml.
no-config = there is no file: every key has its default
config-good = { $file } can be used: { $keys ->
    [one] { $keys } key set
   *[other] { $keys } keys set
}{ $variables ->
    [0] {""}
    [one] , { $variables } variable from .env
   *[other] , { $variables } variables from .env
}
cannot-ask-platform = I could not ask the platform about { $target }: { $why }
column-check = check
column-seen = result
inspection-context = inspection context
windows = windows of the models
readings = readings of the models
mcp-servers = MCP servers
memory-search = memory search
other-process-listens = this process only sends and asks here; another one listens

## How memories are searched

by-words = by words; to search by meaning, set a model in [embeddings]
by-words-alone = by words alone: { $why }; { $vectors } of { $memories } have a vector of { $model }
by-words-alone-fix = Until that is fixed, memories are found by their words. Look at the service, and at [embeddings].
by-meaning = by words and meaning; { $vectors } of { $memories } have a vector of { $model }
