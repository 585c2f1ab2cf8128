### What became of the parts of an answer.

part = part { $part } of { $parts }, { $state ->
    [new] waiting
    [sending] being sent
    [uncertain] may have arrived
    [dead] given up
    [refused] refused
   *[sent] sent
}
