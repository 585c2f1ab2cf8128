### Where some words stand in what a model is told, and who put them there.

## Where they stand

section = { $name ->
    [identity] its identity
    [memory_bulletin] the memory list
    [participants] the list of who took part
    [silence_rules] the rules on silence
    [skills] the skill list
    [status] the status
    [conversation_context] the notes on this chat
   *[other] section { $name }
}
in-section = { $section }, line { $line }
in-tool = tool { $name }, { $part ->
    [description] description
    [parameters] parameters
   *[definition] definition
}
in-message = message { $number }
within = { $place }, { $what }
picture = picture { $name }
file = file { $name }
data-of = data of { $name }
call-of = call of { $name }
result-of = result of { $name }
quotation = quotation
header = header

## Who put them there

memory = memory { $handle }
template = { $file } line { $line }
template-value = { $file } line { $line }, its { $value }
skill = skill { $name }, { $version }
theme = theme of { $name }
theme-with-values = theme of { $name }, whose values come from { $sources }
config = config { $keys }
value-from = { $value }, from { $sources }
a-value = a value
no-source = no named source
tool-itself = the tool's own { $part ->
    [description] description
    [parameters] parameters
   *[definition] definition
}
sent-with = { $what } with { $message }
provider-added = what { $name } added to its answer
model-asked = what the model asked { $name } for
tool-returned = what { $name } returned
listed-memory = { $what }: memory { $handle }
a-tool = a tool
a-message = a message
quoted = words of { $name }, quoted by { $message }
header-of = the header of { $message }
said-in = what was said in { $message }
summary = the summary of { $count ->
    [one] { $count } message
   *[other] { $count } messages
}
some-summary = a summary
came-with = what came with { $message }
quoted-by = words that { $message } quotes
own-answer = the bot's own answer
only-in = { $which } only

## Where a value came from

value-source = { $source ->
    [channel_place] this chat
    [channel_history] the conversation
    [channel_state] the state of this chat
    [channel_mode] the mode set here
    [store_channel] the channels on record
   *[trigger_at] the time of the newest message
}
