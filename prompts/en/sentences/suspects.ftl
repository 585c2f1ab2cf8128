### What makes a line of a request suspicious.

sign = { $sign ->
    [names_asker] names the asker
    [about_asker] is about the asker
    [reason] fits its reason
    [own_skip] an earlier silence
    [silence] speaks of silence
    [treats] says how others are treated
    [new] new since the last reply
   *[non_admin] by a non-admin
}
