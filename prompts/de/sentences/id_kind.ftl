### Warum jemand oder ein Ort keine Antwort bekommt: In einer Liste steht die falsche Art von ID.

verdict = { $place }: falsche ID in einer Liste
holds = In { $list } steht { $what ->
    [guild] die ID des Servers
    [sender] die ID des Absenders
    [name] der Name des Absenders
    [channel] die ID des Kanals
   *[parent] die ID des übergeordneten Kanals
}
but-compared = ({ $entry }), aber der Bot vergleicht mit
compares = { $with ->
    [allowed_users] der ID des Absenders
    [allowed_guilds] der ID des Servers
   *[allowed_channels] der ID des Kanals
}.
tell-operator = Sag es dem Betreiber; `whoami` im Kanal zeigt die IDs zum Kopieren.
put = Setze { $with ->
    [allowed_users] die ID des Absenders
    [allowed_guilds] die ID des Servers
   *[allowed_channels] die ID des Kanals
}{ $id ->
    [none] {""}
   *[other] {" "}({ $id })
} in { $with } ein, und starte neu.
