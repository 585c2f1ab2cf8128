### Warum sich eine Aufgabe nicht für ein Modell aufschreiben lässt.

pattern-leads-out = Das Muster { $pattern } führt aus dem Arbeitsordner hinaus. Gib eines an, das in ihm anfängt.
does-not-fit = Die Aufgabe passt nicht: { $system } Token Anweisungen und { $request } Token Bitte lassen von { $input } nichts für den Kontext übrig. Kürze die Bitte, oder erhöhe das Budget ({ $total }).
