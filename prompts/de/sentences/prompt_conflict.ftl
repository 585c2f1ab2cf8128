### Warum der Bot seltsam oder gar nicht antwortet: Sein Prompt widerspricht sich, oder sagt dasselbe immer wieder.

contradicts = { $place }: Prompt mit Widerspruch
persona-tells = Die Persona (Abschnitt identity) sagt ihm, er
persona-tells-more = soll nur antworten, wenn er gemeint ist; die Regeln
rules-ask-more = { $where ->
    [dm] für Privatchats
   *[channel] des Modus hier (active)
} verlangen mehr. Er rief skip auf.
mention-it = Erwähne den Bot, oder sag es dem Betreiber: Persona und Modus des Kanals passen nicht zusammen.
out-of-persona = Nimm das aus der Persona heraus: Wann er antwortet, sagt der Modus (`active`, `mention`).
settle-persona = frag dasselbe ohne diesen Satz der Persona.
repeats = { $place }: Prompt wiederholt sich
twice-in = Derselbe Absatz steht zweimal in { $section }:
in-two = Derselbe Absatz steht in { $one } und { $other }:
beginning = { $count } Zeichen, beginnend mit
told-twice = Sag es dem Betreiber: Der Bot bekommt dasselbe zweimal gesagt, das kostet Geld und wiegt zu viel.
reword-persona = Ändere die Persona (bot.persona, oder die des Kanals), und starte neu.
grows = { $place }: überall derselbe Text
repeat-it = { $count } der neuesten { $of } Nachrichten wiederholen ihn,
share = { $percent } % ihrer Wörter, und jede Anfrage
begins = wächst dadurch. Er beginnt mit
look-for-it = Such, was ihn anhängt (ein Hook, eine Brücke, eine Signatur), und entferne ihn dort.
persona-once = Wenn der Bot es wissen muss, schreib es in die Persona, dann wird es einmal gesendet.
settle-new = fang ohne ihn neu an (`!new`), und vergleiche die Größe zweier Anfragen.
request = Anfrage, wie sie gesendet wurde, mit allen Teilen
