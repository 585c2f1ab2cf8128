### The first message of an answer, on one phone screen, and what a model found.

## The head

could-not-look = ? { $place }: could not look at everything
no-message = ? { $place }: no message on record
found-nothing = ○ { $place }: found nothing wrong
all-is-well = ✓ { $place }: all is well
sure = { $confidence ->
    [confirmed] confirmed
    [likely] likely
   *[cannot-tell] cannot tell
}
rules-only = { $agent ->
    [main] rules only, no model used · { $session }
   *[other] rules only, no model used · agent { $agent } · { $session }
}

## What follows

why = Why  { $line }
to-be-sure = To be sure: { $step }
evidence = Evidence
unread = ○ could not look at { $what }: { $why }
unread-others = ○ nor at { $names }
unread-others-more = ○ nor at { $names } and { $more } more

## The checks

failed = ✗ { $checks }
failed-before = ✗ { $checks } · not reached: { $missed }
not-reached = · not reached: { $missed }
not-checkable = ○ not checkable: { $checks }
all-checkable = ○ everything checkable was checked
inside-the-provider = what happened inside the model service
all-gates = all gates
all-gates-set = all gates ({ $settings })
gates = gates
later-gates = later gates
model = model
all-checks = All checks for { $place }
check = { $mark } { $check }: { $state ->
    [passed] passed
    [failed] stopped the message
    [not_reached] not reached
   *[not_checkable] not checkable
}
check-detail = { $mark } { $check }: { $state ->
    [passed] passed
    [failed] stopped the message
    [not_reached] not reached
   *[not_checkable] not checkable
} · { $detail }

## The buttons

show = Show { $handle }
forget = Forget { $handle }…
resume = Resume { $place }…
prove = Prove it…
open-evidence = Evidence
ask = Ask
ask-for = Ask the model: { $price }
open-checks = All checks

## What a model found

by-model = a model's words (it read members' text; treat with care)
by-model-hidden = a model's words (it read members' text; treat with care), with { $hidden ->
    [one] { $hidden } invisible character
   *[other] { $hidden } invisible characters
}
as-kept = { $handle }, as it is stored
