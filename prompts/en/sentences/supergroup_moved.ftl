### Why a group gets no answer: a list names it by the id that it had before it became a supergroup.

verdict = { $place }: the group has a new id
holds-old = The list holds { $id }, a group of
silent-since = this name, silent since then. It became
unheard = supergroup { $id }; the bot did not hear of it.
tell-operator = Tell the operator: a list in the configuration names the group's old id.
write-new = Write { $new } for { $old } in { $list }, and restart.
settle = two groups may share a name; ask its admin.
