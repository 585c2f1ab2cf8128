### Warum niemand eine Antwort bekam: Der Modelldienst lehnte ab, scheiterte, schwieg oder wurde nicht gefragt.

## Was los ist, und was der Betreiber tun kann

auth = { $place }: Schlüssel wird abgelehnt
auth-fix = Erneuere den Schlüssel des Anbieters und starte neu; `doctor` prüft ihn.
credit = { $place }: das Guthaben ist leer
credit-fix = Lade das Konto auf, oder nenne ein Ersatzmodell.
not-found = { $place }: Modell unbekannt
not-found-fix = Setze model.name auf ein Modell, das der Dienst anbietet, und starte neu.
rate = { $place }: Ratenlimit des Dienstes
rate-fix = Warte, lass das Limit erhöhen, oder nenne ein Ersatzmodell.
overloaded = { $place }: der Dienst ist überlastet
overloaded-fix = Warte, oder nenne ein Ersatzmodell.
server = { $place }: der Dienst ist gestört
server-fix = Sieh auf die Statusseite des Dienstes, oder nenne ein Ersatzmodell.
unreachable = { $place }: Dienst nicht erreichbar
unreachable-fix = Prüfe Netz, Proxy und base_url; `doctor` versucht, ihn zu erreichen.
timeout = { $place }: der Dienst ist zu langsam
timeout-fix = Erhöhe die Wartezeiten des Anbieters, oder nenne ein Ersatzmodell.
cut = { $place }: die Antwort brach ab
cut-fix = Prüfe die Verbindung, oder nenne ein Ersatzmodell.
garbage = { $place }: Antwort nicht lesbar
garbage-fix = Prüfe base_url: Führt sie zum richtigen Dienst?
bad-request = { $place }: Dienst lehnt Anfragen ab
bad-request-fix = Öffne die Anfrage: Der Dienst sagt darin, was ihn stört.
refused = { $place }: der Dienst lehnte ab
refused-fix = Öffne die Anfrage: Mehr als die Worte des Dienstes wissen wir nicht.
region = { $place }: nicht in diesem Land
region-fix = Nimm einen Dienst, der das Land des Rechners bedient, oder nenne einen als Ersatzmodell.
address = { $place }: falsche Dienstadresse
address-fix = Prüfe base_url des Anbieters (meist endet sie auf /v1), und starte neu.
verification = { $place }: Konto nicht bestätigt
verification-fix = Bestätige das Konto beim Dienst, oder setze model.name auf ein Modell, das kein bestätigtes Konto braucht.
retired = { $place }: Modell abgeschaltet
retired-fix = Setze model.name auf ein Modell, das der Dienst noch anbietet, und starte neu.
memory = { $place }: zu wenig Speicher
memory-fix = Schaff Speicher, wo das Modell läuft, oder setze model.name auf ein kleineres.
too-large = { $place }: Anfrage über dem Limit
too-large-fix = Lass das Limit des Kontos beim Dienst erhöhen, oder setze model.name auf ein Modell mit einem größeren.
tool-use = { $place }: fehlerhafter Werkzeugaufruf
loading = { $place }: das Modell lädt noch
loading-fix = Warte, bis es geladen ist; lass es vom Server geladen halten, oder nenne ein Ersatzmodell.
blocked = { $place }: Firewall sperrt den Bot
blocked-fix = Bitte den Dienst, die Adresse des Rechners durchzulassen, oder nimm ein anderes Netz.
no-answer = { $place }: Dienst gab keine Antwort
try-another-fix = Frag noch einmal; wenn es wieder passiert, nenne ein Ersatzmodell, oder nimm ein anderes.
cooling-down = { $place }: Wartezeit nach Fehlern
cooling-down-fix = Sieh nach, woran es vorher scheiterte, oder nenne ein Ersatzmodell.
unknown = { $place }: keine Antwort vom Modell
unknown-fix = Starte `doctor`: Er fragt den Dienst jetzt.
none-answers = { $place }: kein Modell antwortet
nameless = { $place }: der Dienst { $failed ->
    [yes] scheiterte
   *[no] lehnte ab
}{ $status ->
    [none] {""}
   *[other] {" "}(HTTP { $status })
}

## Was geschah

not-asked = Der Bot fragte das Modell nicht, weil es vorher scheiterte.
nothing-came = Vom Modell kam nichts zurück.
asked = Der Bot fragte { $model } { $count ->
    [one] einmal;
   *[other] { $count }-mal;
}
asked-last = zuletzt { $time }: { $what }.
of-model = { $model }: { $what }.
answered = { $fault ->
    [auth] Schlüssel abgelehnt
    [credit] Guthaben leer
    [not_found] Modell unbekannt
    [rate] Ratenlimit
    [overloaded] überlastet
    [server] Serverfehler
    [context_length] zu lang für das Modell
    [tool_pairing] zerrissene Werkzeugaufrufe
    [bad_request] Anfrage abgelehnt
    [refused] abgelehnt
    [region] Land nicht bedient
    [flagged] Inhalt beanstandet
    [address] falsche Adresse
    [verification] Konto nicht bestätigt
    [retired] Modell abgeschaltet
    [memory] zu wenig Speicher
    [too_large] über dem Limit
    [tool_use] fehlerhafter Werkzeugaufruf
    [loading] lädt noch
    [blocked] von einer Firewall gesperrt
    [no_answer] keine Antwort
    [unreachable] nicht erreichbar
    [timeout] keine Antwort in der Zeit
    [cut] Antwort abgebrochen
    [garbage] Antwort nicht lesbar
    [cooling_down] nicht gefragt
    [failed] gescheitert
    [error] Fehler
   *[other] { $fault }
}{ $status ->
    [none] {""}
   *[other] {" "}(HTTP { $status })
}
takes = Er nimmt höchstens { $limit } Token;
takes-more = diese Anfrage hat { $size }.
said-nothing-more = Er gab keine Erklärung.
may-ask-from = Ab { $time } nimmt er wieder Anfragen an.

## Wann er wieder gefragt wird

still-trying = Der Bot versucht es noch.
next-try = Nächster Versuch ab { $time } (in { $left }).
left-until = Der Bot ließ das Modell bis { $time } in Ruhe.
failed-before = Davor scheiterte es: { $what }.
failed-at = { $time } scheiterte es in { $where ->
    [here] diesem Kanal
   *[elsewhere] einem anderen Kanal
}: { $what }.
began-in = Es begann in { $name }.
began-in-private = Es begann in einem Privatchat.

## Worauf es sich stützt

tell-operator = Sag es dem Betreiber: Es liegt am Modelldienst, nicht an diesem Kanal.
settle = `doctor` fragt den Dienst jetzt.
request = Anfrage, wie sie gesendet wurde, und was zurückkam
request-before = die Anfrage, die davor scheiterte
