### What the doctor says of a model's service and of the terminal.

no-list = what { $where } sends is no list of models
lists = { $where } lists { $models ->
    [one] { $models } model
   *[other] { $models } models
}
open-to-all = { $lists } to everybody, which proves no key
with-key = { $lists } to this key, and to nobody without one
simulated = a simulation; no key and no network needed
input-ended = its input has ended
input-ended-fix = If nobody is to type there, set platforms.console.enabled = false.
unheard-fix = Fix that (`doctor` says more) and say it again: what was typed meanwhile is not kept.
terminal = the terminal is { $state }
