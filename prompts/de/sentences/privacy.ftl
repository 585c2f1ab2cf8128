### Was über Leute gespeichert ist: einen Kanal nicht aufzeichnen, jemanden vergessen.

by-configuration = so steht es in der Konfiguration
since-by = seit { $time } UTC, von { $role } (ID { $user })
not-recorded = { $since ->
    [none] Das wurde hier nicht aufgezeichnet, als es gesendet wurde:
   *[other] Hier wird nichts aufgezeichnet ({ $since }):
} Ich behalte Prüfsummen und Größen von Anfragen, keine Worte. `context` zeigt, was als Nächstes gesendet würde, `why`, was aus Nachrichten wurde.
configuration-decides = In der Konfiguration steht `record = false` für diesen Kanal; nur der Betreiber kann das ändern.
only-an-admin = Das kann nur ein Admin.
no-admin-there = Du bist dort kein Admin mehr.
is-recorded = Anfragen dieses Kanals werden aufgezeichnet. `record off` speichert von neuen nur Größen und Prüfsummen.
is-not-recorded = Dieser Kanal wird nicht aufgezeichnet ({ $since }). Ich speichere Prüfsummen und Größen neuer Anfragen, keine Worte.
nothing-on-platform = Über ID { $user } ist auf { $platform } nichts gespeichert.
nothing-in-your-channels = Über ID { $user } ist in den Kanälen, um die du dich kümmerst, nichts gespeichert.
takes-out = Das löscht:
takes-out-in-yours = In den Kanälen, um die du dich kümmerst, löscht das:
removed-files = Entfernt: { $files }.
removed-files-more = Entfernt: { $files } und { $more } weitere.
is-forgotten = ✓ ID { $user } ist vergessen · { $handle }
nothing-to-take-out = Es gab nichts zu löschen.
requests-are-marked = Anfragen sind als `{ $mark }` markiert; Prüfsummen, Zeiten und die ID-Nummer bleiben, bis ihre Zeit um ist.
new-backup = Ich habe ein neues Backup gemacht und geprüft und { $count ->
    [one] { $count } älteres entfernt
   *[other] { $count } ältere entfernt
}.
backups-may-hold = { $count ->
    [one] { $count } Backup kann noch etwas davon enthalten, weil ich kein neues machen und prüfen konnte. Es verschwindet, wenn seine Zeit um ist.
   *[other] { $count } Backups können noch etwas davon enthalten, weil ich kein neues machen und prüfen konnte. Sie verschwinden, wenn ihre Zeit um ist.
}
backups-may-hold-until = { $count ->
    [one] { $count } Backup kann noch etwas davon enthalten, weil ich kein neues machen und prüfen konnte. Es verschwindet bis { $time } UTC.
   *[other] { $count } Backups können noch etwas davon enthalten, weil ich kein neues machen und prüfen konnte. Sie verschwinden bis { $time } UTC.
}
you-are-forgotten = ✓ Du (ID { $user }) bist vergessen.
your-files-went = { $count ->
    [one] { $count } Datei mit deinen Worten ist auch gelöscht.
   *[other] { $count } Dateien mit deinen Worten sind auch gelöscht.
}
