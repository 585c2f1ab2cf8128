### Warum eine Nachricht keine Antwort bekam: Der Prompt passt nicht ins Fenster des Modells.

verdict = { $place }: { $what ->
    [result] das Ergebnis
    [message] die Nachricht
   *[context] der Prompt
} ist zu lang
request = Anfrage, wie sie gesendet wurde, mit allen Teilen
ask-for-less = Bitte um weniger auf einmal.
window-is-smaller = Sag es dem Betreiber: Das Fenster des Modells ist kleiner als eingestellt.
ask-in-parts = Bitte noch einmal darum, in kleineren Teilen.
send-in-parts = Schick sie in kleineren Teilen.
not-the-channel = Sag es dem Betreiber: Was das Fenster füllt, wurde nicht in diesem Kanal gesagt.
say-new = Sag im Kanal `new` zum Bot; was gesagt wurde, bleibt gespeichert.
larger-window = Bitte um weniger auf einmal, oder nimm ein Modell mit größerem Fenster.
set-window-to = Setze model.context_window = { $limit } (so sagt es der Dienst), und starte neu.
set-window = Setze model.context_window auf das, was der Dienst sagt (öffne die Anfrage), und starte neu.
ask-in-parts-fix = Bitte in kleineren Teilen darum, oder nimm ein Modell mit größerem Fenster.
send-in-parts-fix = Lass sie in kleineren Teilen schicken, oder nimm ein Modell mit größerem Fenster.
shorten = Kürze den größten Teil, senke max_output_tokens, oder nimm ein Modell mit größerem Fenster.
settle = was der Dienst selbst sagt, in der Anfrage.
tools-brought = Was die Werkzeuge des Modells brachten, passte nicht hinein.
numbers = { $about ->
    [yes] ≈ { $total }
   *[no] { $total }
} Token und { $answer } für die
numbers-before = Davor: { $about ->
    [yes] ≈ { $total }
   *[no] { $total }
} Token und { $answer } für die
numbers-window = Antwort, bei einem Fenster von { $window }.
window-is-wrong = Nach unserer Zählung passt es: Das angenommene Fenster ist falsch.
over = Die nächste Anfrage ist { $rough ->
    [yes] ≈ { $count }
   *[no] { $count }
} Token zu lang.
left-out = Es passte nicht, auch nachdem der Bot alles
left-out-more = wegließ, was er weglassen darf.
characters = Sie hat { $count } Zeichen.
window = Das Fenster des Modells hat { $window } Token,
taken = { $rough ->
    [yes] ≈ { $count }
   *[no] { $count }
} davon sind ohne sie belegt.
largest = Am größten: { $block ->
    [tools] die Werkzeuge
    [history] der Verlauf
   *[section] der Teil { $name }
}, { $tokens } Token.
