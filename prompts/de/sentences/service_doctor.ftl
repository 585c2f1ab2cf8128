### Was der Doktor zu einem Modelldienst und zum Terminal sagt.

no-list = was { $where } schickt, ist keine Liste von Modellen
lists = { $where } nennt { $models ->
    [one] { $models } Modell
   *[other] { $models } Modelle
}
open-to-all = { $lists }, und zwar jedem; das beweist keinen Schlüssel
with-key = { $lists } für diesen Schlüssel, und niemandem ohne einen
simulated = eine Simulation; braucht weder Schlüssel noch Netz
input-ended = die Eingabe ist zu Ende
input-ended-fix = Wenn dort niemand tippen soll, setze platforms.console.enabled = false.
unheard-fix = Behebe das (`doctor` sagt mehr) und schreib es noch einmal: Was inzwischen getippt wurde, ist nicht aufgehoben.
terminal = das Terminal: { $state ->
    [up] läuft
    [starting] startet
    [down] aus
   *[other] { $state }
}
