### Plugins: was sie sind, wie es ihnen geht, und was an ihnen falsch war.

fault = { $kind ->
    [raised] es ist abgebrochen ({ $detail })
    [timeout] es hat in { $detail } s nicht geantwortet
    [blocked] alle haben { $detail } s darauf gewartet
    [wrong-kind] es hat etwas anderes geliefert, als es soll: { $detail }
    [left-task] es hat Aufgaben weiterlaufen lassen ({ $detail })
    [wrote-outside] es wollte außerhalb seines Ordners schreiben ({ $detail })
   *[off] es ist abgeschaltet: { $detail }
}
said-by = Das sagt Plugin { $plugin }.
tool-fault = { $tool } von Plugin { $plugin } hat nicht funktioniert: { $why }. Es ist vermerkt; mach ohne weiter.
command-off = Dieser Befehl von Plugin { $plugin } ist zu oft abgebrochen und abgeschaltet. Sag es dem Betreiber.
page-fault = Plugin { $plugin } konnte nicht antworten: { $why }.
part-fault = Plugin { $plugin } ist gescheitert: { $why }
ignored = { $count } durch Gate { $gate }
off-alert = Plugin { $plugin }: { $part } ist nach { $faults } Fehlern abgeschaltet. `doctor` sagt, was falsch war.

no-such-kind = erwartet war { $kind }, und es bringt { $found }
own-name = { $part } hat einen Namen, der dem Bot gehört
bad-name = { $kind } "{ $name }" hat einen Namen, der nicht geht ({ $pattern })
name-taken = { $part } kommt schon von einem anderen Plugin
tool-needs-words = Werkzeug { $tool } braucht eine Beschreibung und keine Gruppe
theme-no-such = { $file } steht für keinen Abschnitt, den der Bot hat
theme-broken = { $file } lässt sich nicht als Vorlage lesen: { $why }
theme-unknown = { $file } braucht { $values }, und das bekommt der Abschnitt nicht
theme-uncleaned = { $file } gibt { $values } aus, als hätte es niemand sonst geschrieben: Es muss durch einen Filter, wie in der Vorlage des Bots
twice = es ist mehrfach installiert: { $copies }. Deinstalliere alle bis auf eines
other-api = es braucht Version { $needs } der Plugin-Schnittstelle; dieser Bot hat { $has }

row = Plugin { $plugin }
runs = { $version } läuft: { $parts }
nothing = nichts
part-off = { $part } ist nach { $faults } Fehlern abgeschaltet: { $last }
part-faults = { $part } ist { $faults ->
    [one] einmal
   *[other] { $faults }-mal
} fehlgeschlagen, zuletzt: { $last }
disabled = { $version } ist installiert und ausgeschaltet (enabled = false)
unnamed = { $version } ist installiert und läuft nicht: In der Konfiguration fehlt [plugins.{ $plugin }]
missing = die Konfiguration nennt es, und es ist nicht installiert
missing-fix = Installiere sein Paket neben dem Bot, oder entferne [plugins.{ $plugin }]; dann starte neu.
refused = { $version } wurde ausgelassen: { $why }
refused-fix = Aktualisiere oder entferne das Paket { $distribution }; dann starte den Bot neu.

new-name = "{ $name }" ist kein Name für ein Plugin. Nimm Kleinbuchstaben und Bindestriche, etwa house-rules.
new-exists = { $folder } gibt es schon. Nimm einen anderen Namen, oder einen anderen Ordner mit --into.
new-made = Geschrieben: { $folder }. Weiter:
    pip install -e { $folder }
    glassmind plugin check { $name }
    dann [plugins.{ $name }] in die Konfiguration schreiben und den Bot neu starten.
check-missing = Hier ist kein Plugin { $plugin } installiert. Mit pip install -e und seinem Ordner geht das.
check-scenario = Regel { $rule }, ihr Szenario
check-silent = es kam nichts an
check-other = diese Regeln sprachen: { $found }
check-impure = dasselbe ergab beim zweiten Mal etwas anderes
check-counts = eine Zahl muss ganz und mindestens 0 sein
check-platform = Plattform { $platform }, { $part }
check-stranger = jemand, den niemand kennt, gilt dort als Admin
check-misnamed = „{ $found }“ beginnt nicht mit dem Namen „{ $name }:“
check-room = eine Nachricht hat Platz für { $units } Einheiten; nötig sind { $least }
check-changed = was ein Prozess übergibt, liest ein anderer anders
check-nameless = was es gesendet hat, hat keine eigene Kennung und lässt sich weder finden noch zurücknehmen
checked = { $bad ->
    [0] { $count } Prüfungen: Alles ist gut.
   *[other] { $count } Prüfungen: { $bad } fehlgeschlagen.
}
trial-ended = die Probe ist zu Ende
of-plugin = { $part } von Plugin { $plugin }: { $kind } { $detail }
part-language = Sprache { $name }
part-section = Abschnitt { $name }
part-prioritisers = Gewichtung, { $task }
part-provider = Anbieter { $name }
part-platform = Plattform { $name }
