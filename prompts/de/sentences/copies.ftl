### Kopien von Gespeichertem: aufgelistet, zurückgeholt, geprüft, an einen anderen Ort gebracht.

## Kopien der Datenbank

none = Es gibt keine Kopie. Der Bot macht täglich eine, außer wenn retention.backups_hours 0 ist.
name-one = Um eine zurückzuholen, halte den Bot an und nenne sie.
copy = { $file } · { $age } alt · { $size } · Schema { $schema } · { $state }
verified = ✓ geprüft
unknown-schema = unbekannt
restored = ✓ zurückgeholt aus { $file }
holds = Darin { $messages ->
    [one] ist { $messages } Nachricht
   *[other] sind { $messages } Nachrichten
}{ $age ->
    [none] .
   *[other] , die neueste { $age } alt.
}
cannot-tell-lost = Was verloren ist, lässt sich nicht sagen: Die bisherige Datenbank ist unlesbar.
lost = Verloren: { $messages ->
    [one] { $messages } später angekommene Nachricht
   *[other] { $messages } später angekommene Nachrichten
}, die neueste { $age } alt.
replaced = Die bisherige Datenbank heißt jetzt { $file }; sie wird gelöscht wie andere alte Kopien.
uncertain = Nicht noch einmal gesendet, weil sie inzwischen gesendet sein können: { $count } (ungewiss).
interrupted = Nicht von selbst beantwortet, weil sie inzwischen beantwortet sein können: { $messages ->
    [one] { $messages } Nachricht
   *[other] { $messages } Nachrichten
} (unterbrochen).
as-it-was = Was nach dieser Kopie vergessen oder geändert wurde, ist wieder wie vorher.

## Die Aufzeichnungen prüfen

damaged = ✗ { $count ->
    [one] { $count } Stelle ist verändert oder beschädigt:
   *[other] { $count } Stellen sind verändert oder beschädigt:
}
damaged-fix = Halte den Bot an und starte `glassmind restore`; es hebt die beschädigte Datei zur Untersuchung auf.
undamaged = ✓ Nichts ist verändert oder beschädigt.
looked-at = Geprüft: { $rows } Zeilen, { $audit } Audit-Einträge und { $versions } Versionen.
no-key = ✗ secret.key fehlt; ob dieser Bot beide Aufzeichnungen signiert hat, kann ich darum nicht sagen.
audit-ends = Das Audit endet bei Zeile { $row } · { $hash }
versions-end = Die Versionen enden bei Zeile { $row } · { $hash }
note-the-ends = Schreib dir diese Enden auf: Zu einer älteren Kopie, die jemand dafür einsetzt, passen sie nicht.

## Auf einen Server und zurück

variable-not-set = --to: Die Variable { $variable } ist nicht gesetzt.
moved = ✓ { $rows } Zeilen aus { $tables } Tabellen nach { $place } kopiert und jede verglichen.
word-search = Die Wortsuche dort hat { $entries } neue Einträge.
now-use-server = Trag das jetzt in die Konfiguration ein und lass secret.key, wo es ist: [store] url = { $url }
given-address = die Adresse, die du angegeben hast
now-use-folder = Setze jetzt bot.data_dir auf den Ordner und nimm store.url aus der Konfiguration.

## Dateien mit Erinnerungen

name-one-file = Nenne eine Datei: glassmind memory { $action } DATEI.
file-exists = { $file } gibt es schon; nenne eine andere Datei.
exported = { $file }
    { $count ->
        [one] { $count } Erinnerung
       *[other] { $count } Erinnerungen
    } mit der ganzen Geschichte, signiert.
imported = ✓ { $count } hinzugefügt. Im Chat nimmt `memory rollback` sie wieder heraus.
nothing-imported = Nichts wurde hinzugefügt.
not-imported-yet = Noch wurde nichts hinzugefügt: Halte den Bot an und starte das noch einmal mit --yes.
