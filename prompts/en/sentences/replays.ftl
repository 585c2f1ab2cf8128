### Turns that are asked again: rehearsals, checks and bundles.

no-turns = There is no turn to rehearse.
stopped-by-you = you stopped it
progress = { $done } of { $planned }
both-prices = Give both --price-input and --price-output.
name-a-model = { $why }. Enter --model provider/model, or configure [providers.{ $provider }].
price-needed = --most-cost needs the price of { $models }, which I don't know. Give --price-input and --price-output in US dollars per million tokens.
too-expensive = It would cost about { $cost }, more than { $most }. Raise --most-cost, or ask for fewer turns with --last.
check-price-needed = --most-cost needs a price. Give --price-input and --price-output.
check-too-expensive = It could cost { $cost }, more than { $most }. Raise --most-cost.
left-out = { $count }: { $why }
changed-model = the model is { $model }
changed-without = without { $name }
changed-persona = the persona comes from { $file }
runs-not-kept = I could not save the runs: { $why }.
runs-kept = The runs, without anybody's words: { $file }

## A bundle

checked-seal = the file's seal
checked-sections = sections: { $count }
checked-parts = parts: { $count }
checked-request = the request, rebuilt from its parts
checked-bytes = its bytes, written again
checked-sent = the same bytes as were sent
checked-runs = runs: { $count }
more-wrong = { $count } more
not-run = I did not run it, because it was changed.
decided = { $decision }: { $count } of { $runs } (95 % interval { $low } to { $high })
it-cost = It cost { $cost }.
