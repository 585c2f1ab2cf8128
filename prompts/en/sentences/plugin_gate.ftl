### Why nobody gets an answer: a plugin's gate stopped the message.

verdict = { $place }: a plugin's gate stopped it
by = Stopped by plugin { $plugin }, gate { $gate }.
by-unknown = Stopped by gate { $gate }, which is not one of the bot's own.
record = gate { $gate }
reason = Its reason: { $reason }.
value = { $name }: { $value }
step = gate { $gate }
tell = Ask the operator what this plugin lets through.
settings = See [plugins.{ $name }]. Without this table the plugin does not run after a restart.
gone = The plugin that had this gate is gone. Send the message again.
