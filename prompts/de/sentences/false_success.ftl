### Warum nichts geschah, obwohl die Antwort es sagt: Der Bot behauptet, was er nicht getan hat.

verdict = { $place }: er behauptet Ungetanes
says = Die Antwort sagt: { $claim };
call-failed = in Turn { $turn } scheiterte sein Aufruf von { $tool }.
no-call = in Turn { $turn } rief er kein Werkzeug auf.
only-called = in Turn { $turn } rief er nur { $tool }{ $more ->
    [0] {""}
   *[other] {" "}und { $more } weitere
} auf.
answer = die Antwort, mit ihrer Behauptung
turn = der Turn, mit seinen Aufrufen
failed-call = der Aufruf, der scheiterte
settle-call = was dieser Aufruf zurückgab.
settle-others = ob es jemand anderes getan hat, oder ein früherer Turn.
no-tool = Er hat kein Werkzeug dafür: Verlass dich nicht darauf.
do-again = Bitte ihn, es noch einmal zu tun, und verlass dich nicht auf seine Worte.
say-it-cannot = Der Bot hat kein Werkzeug dafür; sag in bot.persona, dass er es nicht kann.
open-call = Öffne den Aufruf und lies, warum er scheiterte; dann bitte den Bot, es noch einmal zu tun.
other-model = Bitte ihn, es noch einmal zu tun; wenn ein Modell das oft macht, nimm ein anderes.

## was eine Antwort behauptet, hinter "die Antwort sagt"
claims-to-remember = er merkt es sich
claims-saved = etwas wurde gespeichert
claims-deleted = etwas wurde gelöscht
claims-sent = etwas wurde verschickt
claims-to-remind = er erinnert jemanden
claims-file = eine Datei wurde angelegt
claims-changed = etwas wurde geändert
claims-looked-up = etwas wurde nachgesehen
claims-moderated = jemand wurde stummgeschaltet oder entfernt
claims-set-up = etwas wurde eingerichtet oder angeheftet
claims-done = es ist erledigt
