### Was der Doktor zu einem Modelldienst und zum Terminal sagt.

no-list = was { $where } schickt, ist keine Liste von Modellen
lists = { $where } nennt { $models ->
    [one] { $models } Modell
   *[other] { $models } Modelle
}
open-to-all = { $lists }, und zwar jedem; das beweist keinen Schlüssel
with-key = { $lists } für diesen Schlüssel, und niemandem ohne einen
simulated = eine Simulation; braucht weder Schlüssel noch Netz
terminal = das Terminal: { $state ->
    [up] läuft
    [starting] startet
    [down] aus
   *[other] { $state }
}
