### Why nothing seems to happen: what was asked for waits for people, who were asked somewhere else.

verdict = { $place }: waits for an approval
proposed = The bot proposed { $age } ago to forget { $name }{ $more ->
    [0] .
   *[other] {" "}and { $more } more.
}
asked-where = It asked { $where }: nothing shows here.
owners-in-private = the owners, in private
until-confirmed = Until somebody confirms, everything stays as it is.
to-forget = what it would forget
proposing-call = the call that proposed it
confirm = Confirm it below, or leave it; tell the channel what you decided.
confirm-or-command = Confirm it below, or leave it; `memory forget { $name }` asks the same. Then tell the channel.
