### Warum scheinbar nichts geschieht: Was verlangt wurde, wartet auf Menschen, die anderswo gefragt wurden.

verdict = { $place }: wartet auf Zustimmung
proposed = Der Bot schlug vor { $age } vor, { $name }{ $more ->
    [0] {""}
   *[other] {" "}und { $more } weitere
} zu vergessen.
asked-where = Er fragte { $where }: Hier ist davon nichts zu sehen.
owners-in-private = die Besitzer, privat
until-confirmed = Bis jemand zustimmt, bleibt alles, wie es ist.
to-forget = was vergessen werden soll
proposing-call = der Aufruf, der es vorschlug
confirm = Stimm unten zu, oder lass es; sag dem Kanal, was du entschieden hast.
confirm-or-command = Stimm unten zu, oder lass es; `memory forget { $name }` fragt dasselbe. Dann sag es dem Kanal.
