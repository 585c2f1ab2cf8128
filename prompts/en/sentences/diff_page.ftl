### What stands in a comparison beside the words that changed.

changed = { $number }) { $what } { $how ->
    [added] added
    [removed] removed
    [changed] changed
    [moved] moved
   *[other] { $how }
}
changed-tokens = { $changed }, { $tokens } tokens
more-causes = { $count ->
    [one] and { $count } more cause
   *[other] and { $count } more causes
}
from = from · { $sources }
left-out = left out · { $why }
not-shown = (it differs only in what is not shown to you)
line = @ line { $line }
more-lines = ({ $count ->
    [one] { $count } more line
   *[other] { $count } more lines
})
more-pieces = { $mark } … { $count } more
