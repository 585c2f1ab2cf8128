### Warum eine Antwort nicht hinausging: Die Plattform lehnte sie ab, und nicht wegen eines Rechts.

verdict = { $place }: { $reason }
said = { $name } sagte:
tell-operator = Sag es dem Betreiber: Nur wer den Bot betreibt, kann es beheben.
other-words = Frag mit anderen Worten noch einmal, und sag dem Betreiber, was sie sagte.
look-up = Keine bekannte Ursache: Schlag nach, was sie sagte. `doctor` prüft, was der Bot im Kanal darf.
settle = frag noch einmal: Sagt sie dasselbe?
