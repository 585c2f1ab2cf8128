### Plugins: what they are, how they do, and what was wrong with them.

fault = { $kind ->
    [raised] it broke ({ $detail })
    [timeout] it gave no answer in { $detail } s
    [blocked] everybody waited { $detail } s for it
    [wrong-kind] it gave something else than it should: { $detail }
    [left-task] it left tasks running ({ $detail })
    [wrote-outside] it tried to write outside its folder ({ $detail })
   *[off] it is switched off: { $detail }
}
said-by = Plugin { $plugin } says so.
tool-fault = { $tool } of plugin { $plugin } did not work: { $why }. It is recorded; go on without it.
command-off = This command of plugin { $plugin } broke too often and is switched off. Tell the operator.
page-fault = Plugin { $plugin } could not answer: { $why }.
part-fault = plugin { $plugin } failed: { $why }
ignored = { $count } by gate { $gate }
off-alert = Plugin { $plugin }: { $part } is switched off after { $faults } faults. `doctor` says what was wrong.

no-such-kind = a { $kind } was expected, and it brings { $found }
own-name = { $part } has a name of the bot's own
bad-name = { $kind } "{ $name }" has a name that cannot be used ({ $pattern })
name-taken = { $part } comes from another plugin already
tool-needs-words = tool { $tool } needs a description, and no group
theme-no-such = { $file } stands for no section of the bot's own
theme-broken = { $file } cannot be read as a template: { $why }
theme-unknown = { $file } asks for { $values }, which the section is not given
theme-uncleaned = { $file } prints { $values } as if nobody else had written it: it has to go through a filter, as in the bot's own
twice = it is installed more than once: { $copies }. Uninstall all but one
other-api = it needs version { $needs } of the plugin interface; this bot has { $has }

row = plugin { $plugin }
runs = { $version } runs: { $parts }
nothing = nothing
part-off = { $part } is switched off after { $faults } faults: { $last }
part-faults = { $part } failed { $faults ->
    [one] once
   *[other] { $faults } times
}, last: { $last }
disabled = { $version } is installed and switched off (enabled = false)
unnamed = { $version } is installed and does not run: the configuration has no [plugins.{ $plugin }]
missing = the configuration names it, and it is not installed
missing-fix = Install its package beside the bot, or remove [plugins.{ $plugin }]; then restart.
refused = { $version } was left out: { $why }
refused-fix = Update or remove the package { $distribution }; then restart the bot.

new-name = "{ $name }" is no name for a plugin. Take small letters and hyphens, such as house-rules.
new-exists = { $folder } is there already. Take another name, or another folder with --into.
new-made = Written: { $folder }. Next:
    pip install -e { $folder }
    glassmind plugin check { $name }
    then add [plugins.{ $name }] to the configuration, and restart the bot.
check-missing = No plugin { $plugin } is installed here. Run: pip install -e its folder
check-scenario = rule { $rule }, its scenario
check-silent = nothing arrived
check-other = these rules spoke: { $found }
check-impure = the same gave something else the second time
check-counts = a count must be a whole number, 0 or more
check-platform = platform { $platform }, { $part }
check-stranger = it takes somebody whom nobody knows for an admin
check-misnamed = "{ $found }" does not begin with its name, "{ $name }:"
check-room = a message has room for { $units } units, and { $least } are needed
check-changed = what one process hands over is read differently by another
check-nameless = what it sent has no name of its own, so it can be neither found nor taken back
checked = { $bad ->
    [0] { $count } checks: all is well.
   *[other] { $count } checks: { $bad } failed.
}
trial-ended = the trial has ended
of-plugin = { $part } of plugin { $plugin }: { $kind } { $detail }
part-language = language { $name }
part-section = section { $name }
part-prioritisers = prioritisers, { $task }
part-provider = provider { $name }
part-platform = platform { $name }
