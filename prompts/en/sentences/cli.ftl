### What commands on the host say, before and around their answers.

config-unusable = The configuration cannot be used:
cannot-load = This command cannot be loaded: { $why }.
install-again = Install the bot again with its dependencies; other commands may work.
role-needs-server = --role { $role }: several processes can share a bot only through a server. Set [store] url, or run --role all.
no-webhooks = --take-over: no platform here uses webhooks. Leave it out, or configure [platforms.telegram].
from-environment = the environment ({ $variable })
cannot-write = I cannot write { $file }: { $why }.
cannot-read = I cannot read { $file }: { $why }.
name-other-folder = I cannot write { $file }: { $why }. Name a file in a folder you may write to.
nothing-asked = I asked nothing. Add --yes if nobody can answer.
no-picture = I cannot draw a picture here: { $why }
no-table = I cannot draw a table ({ $why }); install the bot again.

## The configuration

config-good = ✓ { $file } can be used: { $keys ->
    [one] { $keys } key
   *[other] { $keys } keys
}, { $set } of them set.
column-key = key
column-value = value
column-from = from
column-takes = a change takes a

## Records

no-model-asked = no model used
never-a-message = No message has ever arrived here.
no-request = There is no request { $name }. `glassmind ledger` lists messages with their requests.
not-a-handle = { $typed } is not a handle. The handle of a request looks like r3x7b.
names-no-request = { $typed } is not a request. Enter { $names }, a handle such as r3x7b, or a file.
cache-takes-one = --cache takes one request: it is compared with the one before it.
not-in-ledger = { $name } is no longer in the ledger.
agent-has-no-channel = The agent { $agent } has no channel here. These agents have some: { $names }.
newest-messages = { $name } ({ $id }): the newest { $count ->
    [one] message
   *[other] { $count } messages
} (UTC)
no-memory = { $typed } is not a memory here. `glassmind memory list` shows them.
server-of = the server of { $name }
cannot-read-chart = I don't understand { $typed }. Enter for example `memory chart #name 30d`.
cannot-read-list = I don't understand { $typed }. Enter for example `memory list #name type decision by james older 30d forgotten page 2`.

## How the bot is

running = ✓ running
not-running = ✗ not running
unknown-running = ? I could not tell whether it runs
sign-of-life = { $running } · pid { $pid } · version { $version } · last sign of life { $age } ago
ended = ended: { $why }
last-day = last 24 h: { $counts }
no-messages = no messages
alerts = alerts: { $how }
could-not-read = ○ I could not read { $what }

## Silent channels

nobody-answers = ✗ the bot is not running · no channel is answered
none-silent = No channel is silent.
silent-by-cause = ✗ { $cause } · { $channels ->
    [one] { $channels } channel
   *[other] { $channels } channels
}
silent-channel = { $name } ({ $id }) · { $messages ->
    [one] { $messages } message
   *[other] { $messages } messages
}

## The page in a browser

open-page = Open { $link }
page-open = The link works once, for two minutes. For another: glassmind web --link. Ctrl-C closes the page.
looker-shows-nothing = --role looker: there is nothing to show. Set web_page.enabled, metrics.listen, or both, for this process.
