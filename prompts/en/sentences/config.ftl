### What is wrong with a configuration: the key first, then what to do.

## The files

not-found = { $file }: not found. Run `glassmind init`, or copy config.example.toml to { $file } and fill it in.
cannot-read = { $file }: cannot be read ({ $why }). Make it a UTF-8 text file that you can read.
not-toml = { $file }: not valid TOML: { $why }. Quote texts, and write each table's name once.
too-deep = tables or lists are nested more than { $most } deep
far-too-deep = tables or lists are nested too deep
more-problems = and { $count } more problems. Correct these first; `glassmind config check` says what is left.
file-exposed = { $file }: { $problem }.
secret-exposed = { $file }: it holds a secret ({ $keys }), and { $problem }, or write env:NAME instead.
not-a-variable-line = { $file }, line { $line }: not NAME=VALUE. Quote values that contain # or begin or end with spaces.
more-lines = { $file }: and { $count } more lines that are not NAME=VALUE.
dotenv-exposed = { $file }: it holds secrets, and { $problem }

## One key

unknown-key = { $key }: unknown key. Did you mean `{ $near }`?
unknown-key-far = { $key }: unknown key. Remove it, or see config.example.toml for every key.
missing = { $key }: missing. Set it; config.example.toml shows how.
wrong-value = { $key }: { $why }. Found: { $found }. See config.example.toml.
number-too-long = { $key }: this number has too many digits. Write a smaller one.
not-used = { $key }: { $reference } is not used: { $why }.
cannot-resolve = { $key }: { $reference } cannot be resolved ({ $why }). Set it, or correct the name.
variable-not-set = the variable is not set
characters = { $beginning }… ({ $count } characters)

## Kinds of values

must-be-whole = must be a whole number
must-be-number = must be a number
must-be-true-or-false = must be true or false
must-be-text = must be a text in quotes
must-be-list = must be a list, such as [1, 2]
must-be-table = must be a table
kind-text = a text
kind-truth = true or false
kind-whole = a whole number
kind-number = a number
kind-list = a list
kind-table = a table
kind-date = a date or time
kind-nothing = nothing
must-be-numeric-id = must be a numeric id (names can be faked; `whoami` prints the ids to copy)
shared-id = is an id that Telegram shares between many people, so it can hold no authority
must-be-id = must be an id: a whole number, or a text in quotes (`whoami` prints the ids to copy)
must-be-address = must be an address like https://example.org/hook; env:NAME keeps it out of this file
must-be-server = must be an address like postgresql://user@host/database; env:NAME keeps it out of this file
no-such-language = I don't speak { $code }; I speak { $languages }
must-be-host-port = must be `host:port`, such as wiki.example:8080; only that port is opened
must-be-path = must be a full path like /opt/tools, and not the whole machine
search-url-form = needs a `search_url` like https://search.example
needs-search-url = needs `search_url`, the address of your SearXNG, such as http://127.0.0.1:8888
needs-search-key = needs `search_key`; env:NAME keeps it out of this file
command-or-url = needs `command` (a program to start) or `url` (an address), and not both
page-for-others = web_page.host can be reached from other machines, and what people read there crosses the network unencrypted. Leave it at 127.0.0.1 and put a server with https in front, or also set beyond_this_machine = true
no-such-port = listen: { $port } is not a port
metrics-for-others = listen: others can reach { $host } and read it; if they may, set beyond_loopback = true

## Ids

not-a-person = { $typed } is not a person's numeric id; names can be faked. `whoami` prints the ids to copy.
not-a-channel = { $typed } is not the id of a channel, { $form }. `whoami` prints the ids to copy.
not-a-server = { $typed } is not the id of a server, { $form }. `whoami` prints the ids to copy.
form-number = a number
form-telegram-channel = a number such as -1001234567890, with :7 after it for topic 7
form-telegram-group = the number of a group, such as -1001234567890
form-other = an id without spaces
at-place = { $key }: { $problem }
not-a-channel-key = { $key }: not a channel id. Write `platform:path`; `whoami` prints it.
not-another-channel = { $key }: "{ $id }" is not the id of another channel. `whoami` prints it there.

## Keys that do not fit each other

debounce-shorter = conversation.debounce_longest: shorter than debounce. Make it at least as long.
level-lower = compaction.{ $higher }: lower than { $lower }. Make it at least as high.
copies-too-long = retention.backups_hours: { $hours } is longer than { $name } ({ $most } h), so a copy would keep what that deletes. Write { $most } or less, or 0 for no daily copies.
not-a-model = { $key }: { $name } is not `provider/model`. Write for example `openai/gpt-5-mini`.
no-such-provider = { $key }: no provider named { $provider }. Known: { $known }. Add a [providers.{ $table }] table.
other-half-missing = { $missing }: missing. The portal shows it beside the other one, under OAuth2; or remove { $given }.
needs-https = web_page.address: { $key } needs one that begins with https://. Enter the address where people reach the page.
needs-platform = web_page.{ $key }: needs the platform. Add an enabled [platforms.{ $kind }] table, or remove it.
bad-platform-name = cannot be the name of a platform: use up to 32 lowercase letters, digits, - and _, starting with a letter
platform-reserved = platforms.{ $name }: "{ $name }" means something else in reports. Give the table another name.
platform-is-kind = platforms.{ $name }: "{ $name }" is a kind of platform, and this one is "{ $kind }". Give it another name.
platform-same-token = platforms.{ $name }.token: the same as platforms.{ $first }.token, and one account is one bot. Give each its own token, or set enabled = false in one of the two.
platform-two-keyboards = platforms.{ $name }: platforms.{ $first } reads what is typed at this terminal already. Set enabled = false in one of the two.
whose-application = web_page.discord_platform: name the bot whose application it is. Enabled ones on Discord: { $listed }.

## Agents

one-channel = agents.{ $agent }.channels: { $entries ->
    [one] "{ $channel }" is
   *[two] "{ $channel }" and "{ $rival }" are
} one channel, and agents.{ $other }.channels has it too. A channel has one agent: take it out of one of the two.
one-platform = agents.{ $agent }.platforms: "{ $platform }" is in agents.{ $other }.platforms, too. Give the platform to one of them, and channels to the other.
main-agent = agents.{ $agent }: { $agent } is the agent for all other channels; describe it in [bot] and [model].
no-such-platform = agents.{ $agent }.platforms: there is no [platforms.{ $platform }]. Configured: { $known }.
no-platforms = none
no-such-group = agents.{ $agent }.tools: there is no group of tools "{ $group }". Groups: { $known }.
talks-to-nobody = agents.{ $agent }: it has neither `channels` nor `platforms`, so nobody could talk to it. Name some.

## Where a value comes from

not-set = (not set)
learnt = learnt { $time } UTC from { $words }
from-dotenv = { $place } → { $origin }, from .env
from-environment = { $place } → { $origin }, from the environment

## The first owner

more-would-change = more than that line would change
not-its-own-table = [platforms.{ $platform }] is not written as a separate table

## Values of platforms and services

must-be-address-like = must be an address like { $example }
must-be-telegram-address = must be an address like { $example }; the token is put behind it
no-password-in-it = must not contain a password
no-password-but-key = must not contain a password; use api_key
must-be-telegram-token = must be a bot's token as BotFather shows it: digits, a colon, letters; env:NAME is best
must-be-discord-token = must be a bot's token as the developer portal shows it (one word, without `Bot`); env:NAME is best
shards-need-count = shard_ids need shard_count: say how many shards all processes have together
shards-below-count = shard_ids must be below shard_count ({ $count }): shards are counted from 0
shard-twice = shard_ids name a shard twice
shard-ranges-without-ids = shard_ranges and shard_ids do not go together: each process that listens takes a range that is free
too-many-shard-ranges = there are more shard_ranges than shards: set shard_count to the number of shards
must-be-one-word = must be one line of plain ASCII without spaces
must-be-ascii = must be plain ASCII
must-be-names = must be a name, or a list of names
no-such-dialect = knows no { $name }. Known: { $known }
text-calls-needed = dialect "text_tools" has calls written as text: text_calls must not be false
files-missing = embeddings.folder ({ $folder }): { $files } must be there.
model-unusable = the model in { $folder } cannot be used: { $why }
library-missing = embeddings.folder: { $name } is missing: pip install 'glassmind[embeddings]'.
metrics-missing = metrics.listen: the extra for metrics is not installed; run: pip install 'glassmind[metrics]'
traces-missing = traces.endpoint: the extra for traces is not installed; run: pip install 'glassmind[otel]'

## What the checking library finds, by its names

must-be-at-least = must be { $least } or more
must-be-more-than = must be more than { $than }
must-be-at-most = must be { $most } or less
must-be-less-than = must be less than { $than }
must-be-finite = must be a finite number
must-be-one-of = must be one of { $known }
must-fit-pattern = must fit the pattern { $pattern }
must-have-characters = must have { $count ->
    [one] at least { $count } character
   *[other] at least { $count } characters
}
may-have-characters = may have { $count ->
    [one] at most { $count } character
   *[other] at most { $count } characters
}
must-have-entries = must have { $count ->
    [one] at least { $count } entry
   *[other] at least { $count } entries
}
may-have-entries = may have { $count ->
    [one] at most { $count } entry
   *[other] at most { $count } entries
}
