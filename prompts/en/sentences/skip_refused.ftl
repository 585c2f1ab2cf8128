### Why a message got no answer: the model wanted to say nothing, was not allowed to, and then wrote nothing.

verdict = { $place }: it wanted to stay silent
called-skip = The model called skip{ $category ->
    [none] ,
   *[other] {" "}({ $category }),
}
tool-refused = and the tool refused that. Asked to
wrote-nothing = answer after all, it wrote nothing.
refused-call = the refused skip, with the model's reason
request = request as sent, and the answer
open-call = Open the call to read why it wanted silence, then ask again in other words.
look-for-it = Open the call: what made it want silence is in the persona, the memories or the talk.
