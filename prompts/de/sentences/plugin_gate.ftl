### Warum niemand eine Antwort bekommt: Das Gate eines Plugins hat die Nachricht angehalten.

verdict = { $place }: das Gate eines Plugins hat es angehalten
by = Angehalten von Plugin { $plugin }, Gate { $gate }.
by-unknown = Angehalten von Gate { $gate }, das nicht zum Bot gehört.
record = Gate { $gate }
reason = Sein Grund: { $reason }.
value = { $name }: { $value }
step = Gate { $gate }
tell = Frag den Betreiber, was dieses Plugin durchlässt.
settings = Siehe [plugins.{ $name }]. Ohne diese Tabelle läuft das Plugin nach einem Neustart nicht mehr.
gone = Das Plugin mit diesem Gate gibt es nicht mehr. Schick die Nachricht noch einmal.
