### Where some words stand in what a model is told, and who put them there.

## Where they stand

in-section = section { $name }, line { $line }
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
own-answer = the bot's own answer
only-in = { $which } only
