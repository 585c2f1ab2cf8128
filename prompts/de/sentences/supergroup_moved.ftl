### Warum eine Gruppe keine Antwort bekommt: Eine Liste nennt ihre alte ID, aus der Zeit vor der Supergruppe.

verdict = { $place }: die Gruppe hat eine neue ID
holds-old = In der Liste steht { $id }, eine Gruppe
silent-since = dieses Namens, seitdem still. Sie wurde
unheard = Supergruppe { $id }; der Bot hörte nichts davon.
tell-operator = Sag es dem Betreiber: Eine Liste in der Konfiguration nennt die alte ID der Gruppe.
write-new = Schreib { $new } statt { $old } in { $list }, und starte neu.
settle = zwei Gruppen können gleich heißen; frag ihren Admin.
