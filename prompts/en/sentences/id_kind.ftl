### Why somebody, or a place, gets no answer: a list holds the wrong kind of id.

verdict = { $place }: wrong kind of id in a list
holds = { $list } holds { $what ->
    [guild] the server's id
    [sender] the sender's id
    [name] the sender's name
    [channel] the channel's id
   *[parent] the parent channel's id
}
but-compared = ({ $entry }), but the bot compares it with
compares = { $with ->
    [allowed_users] the sender's id
    [allowed_guilds] the server's id
   *[allowed_channels] the channel's id
}.
tell-operator = Tell the operator; `whoami` in the channel prints the ids to copy.
put = Put { $with ->
    [allowed_users] the sender's id
    [allowed_guilds] the server's id
   *[allowed_channels] the channel's id
}{ $id ->
    [none] {""}
   *[other] {" "}({ $id })
} into { $with }, and restart.
